import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { jsonOf, textOf } from './repository.ts';

const { version, name, engines } = jsonOf('gateway/package.json');
const faultsOf = (schema: string, value: unknown) => {
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(
    jsonOf(`gateway/test/packaging/schemas/${schema}.schema.json`),
  );
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

describe('server.json, for the MCP registry', () => {
  const server = jsonOf('server.json');

  it('is one, of this version', () => {
    expect(faultsOf('server-json', server)).toEqual([]);
    expect(faultsOf('server-json', { ...server, description: 'x'.repeat(101) })).toHaveLength(1);
    expect(server.version).toBe(version);
    expect(server.packages).toMatchObject([{ registryType: 'npm', identifier: name, version }]);
  });

  it('starts a command that there is', () => {
    const words = server.packages[0].packageArguments as Array<{ name?: string; value?: string }>;
    expect(words.map((word) => word.name ?? word.value)).toEqual(['serve', '--stdio', '--config']);
  });
});

describe('the bundle for desktop clients', () => {
  const manifest = jsonOf('packaging/mcpb/manifest.json');

  it('has a manifest that is one, of this version, with keys kept secret', () => {
    expect(faultsOf('mcpb-manifest', manifest)).toEqual([]);
    expect(faultsOf('mcpb-manifest', { ...manifest, tools: [], server: {} }).length).toBeGreaterThan(1);
    expect(manifest.version).toBe(version);
    expect(manifest.compatibility.runtimes.node).toBe(`${engines.node}.0.0`);
    expect(manifest.user_config.key.sensitive).toBe(true);
  });

  it('hands every setting over by a variable, which its start knows', () => {
    const { env, args } = manifest.server.mcp_config as { env: Record<string, string>; args: string[] };
    expect(Object.values(env)).toEqual(
      expect.arrayContaining(Object.keys(manifest.user_config).map((key) => `\${user_config.${key}}`)),
    );
    // settings in arguments would stand in the process list
    expect(args.join()).not.toContain('user_config');
    const start = textOf('packaging/mcpb/start.mjs');
    for (const variable of Object.keys(env))
      expect(start).toContain(`setting('${variable.replace('TOOLCRIB_BUNDLE_', '')}')`);
    expect(args).toEqual([`\${__dirname}/${manifest.server.entry_point}`]);
  });

  it('is an archive that others can read', async () => {
    const { zip } = (await import(new URL('../../../packaging/mcpb/zip.mjs', import.meta.url).href)) as {
      zip(files: ReadonlyArray<{ name: string; bytes: Uint8Array; executable?: boolean }>): Buffer;
    };
    const files = [
      { name: 'manifest.json', bytes: Buffer.from('{}') },
      { name: 'server/grüße.mjs', bytes: randomBytes(100_000), executable: true },
      { name: 'empty', bytes: Buffer.alloc(0) },
    ];
    const archive = await yauzl.fromBufferPromise(zip(files), {
      lazyEntries: true,
      validateEntrySizes: true,
    });
    const read: Record<string, { bytes: Buffer; mode: number }> = {};
    for await (const entry of archive.eachEntry()) {
      const bytes = await buffer(await archive.openReadStreamPromise(entry));
      read[entry.fileName] = { bytes, mode: (entry.externalFileAttributes >>> 16) & 0o777 };
    }
    for (const { name: file, bytes, executable } of files)
      expect(read[file]).toEqual({ bytes, mode: executable === true ? 0o755 : 0o644 });
    expect(zip(files)).toEqual(zip(files.toReversed()));
  });
});
