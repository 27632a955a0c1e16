import { afterAll, beforeAll } from 'vitest';
import type { CompletedResult, JsonObject } from '../../../src/index.ts';
import { callApproved } from '../../approved-calls.ts';
import type { Value } from '../../azure-seed/expectations/expected-envelope.ts';
import { CHAT } from '../../doubles/arm/connectors/chat.ts';
import { MAIL } from '../../doubles/arm/connectors/mail.ts';
import { hasCaptured, OFFICE } from './documents.ts';
import { type DynamicUse, dynamicUses, withValue } from './dynamic-uses.ts';
import { type ServedConnectors, type ServedOptions, serveConnectors } from './served-connectors.ts';
import { callArguments, rawOperation } from './tool-arguments.ts';

const CONNECTORS = hasCaptured ? [MAIL, CHAT, ...OFFICE] : OFFICE;
/** What this is looked at for: `office365` and `teams` where they are, and our own. */
export const CHOOSERS = CONNECTORS.map(({ name }) => name);

/** A tool with what other operations tell about its arguments. */
export interface Chooser {
  readonly tool: string;
  readonly operationId: string;
  readonly args: JsonObject;
  readonly uses: readonly DynamicUse[];
}

/** One entry of what `get_parameter_options` answers. */
export interface Told {
  readonly argument: string;
  readonly options?: readonly { readonly value: Value; readonly parent?: boolean }[];
  readonly schema?: JsonObject;
  readonly problem?: string;
}

/** One gateway for the tests of a block, called as its callers do; a person agrees where one is asked. */
export function serving(options: ServedOptions) {
  const kept: { served?: ServedConnectors } = {};
  beforeAll(async () => {
    kept.served = await serveConnectors(CONNECTORS, options);
  });
  afterAll(() => kept.served?.close());
  const served = () => kept.served!;

  async function call(tool: string, args: JsonObject): Promise<CompletedResult> {
    return (await callApproved(served().gateway, { tool, arguments: args })) as CompletedResult;
  }

  return {
    served,
    choosers(name: string): Chooser[] {
      const connector = CONNECTORS.find((one) => one.name === name)!;
      return served()
        .gateway.view()
        .tools.flatMap(({ name: tool, operation = '' }) => {
          const prefix = `office/${name}.`;
          if (!operation.startsWith(prefix)) return [];
          const operationId = operation.slice(prefix.length);
          const raw = rawOperation(connector, operationId);
          const args = callArguments(connector.swagger, raw) as JsonObject;
          return [{ tool, operationId, args, uses: dynamicUses(connector.swagger, raw) }];
        });
    },
    call,
    async told(more: JsonObject): Promise<readonly Told[]> {
      const { structured, error } = await call('get_parameter_options', more);
      if (error !== undefined) throw new Error(`${JSON.stringify(more)}: ${error.message}`);
      return (structured as unknown as { parameters: Told[] }).parameters;
    },
    /** What arrived of an operation itself, helpers aside. */
    sent: (operationId: string) => served().arm.invocations.filter((one) => one.operationId === operationId),
  };
}

/** What a tool's arguments are when each is one of its values, and which places have such values. */
export async function chosen(one: ReturnType<typeof serving>, { tool, args, uses }: Chooser) {
  let valid: Value = args;
  const places = new Map<string, readonly Value[]>();
  // a channel can be asked for once the team is one that there is
  for (let known = -1; known < places.size; ) {
    known = places.size;
    for (const { argument, options } of await one.told({ tool, arguments: valid as JsonObject })) {
      if (options === undefined || places.has(argument)) continue;
      const values = options.map(({ value }) => value);
      valid = withValue(valid, argument, (old) => like(old, values[0]!)) ?? valid;
      places.set(argument, values);
    }
  }
  const lists = [...places].filter(([place]) =>
    uses.some(({ argument, kind }) => argument === place && kind === 'list'),
  );
  return { valid: valid as JsonObject, lists };
}

/** Helpers list numbers for parameters that are texts. */
const like = (old: Value, value: Value): Value => (typeof old === 'string' ? String(value) : value);
