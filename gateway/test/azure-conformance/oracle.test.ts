import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { azureAt } from '../azure-seed/support/office.ts';
import { runCommand } from '../cli/spawned-command.ts';
import { type ArmDouble, startArm } from '../doubles/arm/arm.ts';
import { adaptedDocument } from './support/adapted-document.ts';
import { CASES, CONNECTORS, hasCaptured, keptOperations, placeOf } from './support/documents.ts';
import { rawProxies } from './support/served-connectors.ts';

/** Folder of an independent check of compilers, with its packages; `.ci/run azure` names it. */
const ORACLE = process.env['CONNECTOR_ORACLE'] ?? '';
const hasOracle = ORACLE !== '';
const run = promisify(execFile);

interface Placed {
  readonly method?: string;
  readonly path?: string;
  readonly operation?: unknown;
}
interface Dump {
  readonly tools: readonly { readonly operation: Placed & { readonly id: string } }[];
  readonly skipped: readonly (Placed & {
    readonly method: string;
    readonly path: string;
  })[];
}
interface Word {
  readonly operations: number;
  readonly tools: number;
  readonly errorCount: number;
  readonly findings: readonly {
    readonly level: string;
    readonly code: string;
    readonly op?: string;
    readonly msg: string;
  }[];
}

describe.skipIf(!hasOracle)(
  'an independent check of the compiled tools (skipped without CONNECTOR_ORACLE)',
  () => {
    let arm: ArmDouble;
    let folder: string;
    let dump: Dump;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'toolcrib-connector-oracle-'));
      arm = await startArm({
        connectors: CONNECTORS,
        connections: CONNECTORS.map(({ name }) => ({ name, api: name })),
        fillerApis: 0,
      });
      const settings = {
        watch: false,
        sources: { office: { azure: azureAt(arm), access: rawProxies(CONNECTORS) } },
      };
      await writeFile(join(folder, 'toolcrib.yaml'), JSON.stringify(settings));
      const env = { ARM_MCP_AUTH_TOKEN: arm.token() };
      const { exit, out, err } = await runCommand(['compile', '--json'], { cwd: folder, env });
      if (exit !== 0) throw new Error(err);
      dump = JSON.parse(out);
    }, 120_000);
    afterAll(async () => {
      await arm?.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('is given every kept operation as a tool', () => {
      const kept = CONNECTORS.flatMap(({ name, swagger }) =>
        keptOperations(swagger).map(({ id }) => `${name}.${id}`),
      );
      const tools = dump.tools.flatMap(({ operation: { id } }) => (id.includes('.') ? [id] : []));
      expect(tools.toSorted()).toEqual(kept.toSorted());
      if (hasCaptured) expect(tools).toHaveLength(565);
    });

    it.each(CASES)('%s: no error', async (name, { swagger }) => {
      const document = join(folder, `${name}.document.json`);
      const tools = join(folder, `${name}.tools.json`);
      await writeFile(document, JSON.stringify(adaptedDocument(swagger)));
      await writeFile(tools, JSON.stringify(dumpOf(name)));
      const word = await judged(document, tools);
      expect(word.findings.filter(({ level }) => level === 'error')).toEqual([]);
      expect(word.errorCount).toBe(0);
      expect(word.tools).toBe(dumpOf(name).tools.length);
      expect(word.tools).toBeGreaterThan(0);
    });

    /** What belongs to one connector, its operations by their own ids and places. */
    function dumpOf(name: string) {
      const own = (id: unknown) => String(id).startsWith(`${name}.`);
      return {
        tools: dump.tools
          .filter(({ operation }) => own(operation.id))
          .map((tool) => ({
            ...tool,
            operation: { ...tool.operation, id: tool.operation.id.slice(name.length + 1) },
          })),
        skipped: dump.skipped
          .filter(({ operation }) => own(operation))
          .map((one) => ({ ...one, path: placeOf(one).slice(one.method.length + 1) })),
      };
    }

    async function judged(document: string, tools: string): Promise<Word> {
      const args = [
        join(ORACLE, 'oracle.mjs'),
        '--spec',
        document,
        '--tools',
        tools,
        '--json',
        '-',
        '--max-skip',
        '1',
      ];
      const options = { maxBuffer: 2 ** 28 };
      const { stdout } = await run(process.execPath, args, options).catch((failed) => failed);
      return JSON.parse(stdout).documents[0];
    }
  },
);
