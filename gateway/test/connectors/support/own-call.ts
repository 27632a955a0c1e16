import { readFile } from 'node:fs/promises';
import {
  type ConnectorCatalog,
  createOwnTools,
  type OwnToolsOptions,
} from '../../../src/connectors/index.ts';
import type { RawResult } from '../../../src/executors/executor.ts';
import {
  type ArmTool,
  type Call,
  type Connection,
  DEFAULT_LIMITS,
  type JsonObject,
  LOCAL_PRINCIPAL,
  type Operation,
} from '../../../src/operations/index.ts';
import { armTools } from '../../../src/sources/azure/arm-tools.ts';
import { describeAzure } from '../../../src/sources/azure/index.ts';
import { type Bench, never } from './open-room.ts';

export const SOURCE: Connection = {
  name: 'office',
  source: 'office',
  securitySchemes: {},
  limits: DEFAULT_LIMITS,
};

/** The tools that the source has now, as the catalog would hold them. */
export interface Tools extends ConnectorCatalog {
  readonly all: readonly Operation[];
  /** Compiles the source again. */
  compile(): Promise<void>;
}

export function toolsOf(bench: Bench): Tools {
  const tools = {
    all: [] as readonly Operation[],
    async compile() {
      const location = await bench.room.prepare(never);
      const reader = { read: (path: string) => readFile(path) };
      const context = { name: 'office', baseDirectory: '/', reader, signal: never } as never;
      const { operations } = await describeAzure(bench.room.settings, location, context);
      tools.all = operations.filter(({ invocation }) => invocation.kind === 'azure');
    },
    tools: () => tools.all.map((operation) => ({ name: operation.name!, operation })),
    count: (source: string, connection: string) =>
      tools.all.filter(
        ({ source: own, invocation }) =>
          own === source && invocation.kind === 'azure' && invocation.connection === connection,
      ).length,
  };
  return tools;
}

/** Calls an own tool as the router would after its checks. */
export function caller(bench: Bench, tools: ConnectorCatalog, more: Partial<OwnToolsOptions> = {}) {
  const executor = createOwnTools({
    room: async () => bench.room,
    catalog: tools,
    parameterOptions: async () => [],
    ...more,
  });
  return (tool: ArmTool, args: JsonObject = {}, call: Partial<Call> = {}): Promise<RawResult> => {
    const operation = armTools('office').find(({ id }) => id === tool)!;
    const made: Call = {
      id: 'a'.repeat(32),
      principal: LOCAL_PRINCIPAL,
      tool,
      operation,
      connection: SOURCE,
      arguments: args,
      deadline: Date.now() + 30_000,
      signal: never,
      channel: {},
      dryRun: false,
      depth: 0,
      ...call,
    };
    return executor.execute(made, { connection: SOURCE, signal: never, deadline: made.deadline });
  };
}

/** The texts of a result. */
export function textsOf(result: RawResult): string[] {
  if (result.kind !== 'value') throw new Error(`a value was expected, not ${result.kind}`);
  return (result.content ?? []).map((block) => (block.type === 'text' ? block.text : block.type));
}

export const jsonOf = (result: RawResult) => JSON.parse(textsOf(result)[0]!);
export const structuredOf = (result: RawResult) => (result.kind === 'value' ? result.structured : undefined);
