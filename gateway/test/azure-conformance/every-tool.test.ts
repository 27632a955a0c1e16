import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompletedResult, JsonObject } from '../../src/index.ts';
import { callApproved } from '../approved-calls.ts';
import { type Arguments, expectedEnvelope } from '../azure-seed/expectations/expected-envelope.ts';
import type { ConnectorDocument } from '../doubles/arm/arm.ts';
import { CASES, CONNECTORS, keptOperations, SKIPPED } from './support/documents.ts';
import { type ServedConnectors, serveConnectors } from './support/served-connectors.ts';
import { callArguments, rawOperation } from './support/tool-arguments.ts';

/** Their documents say one thing of the answer where it is declared, another where it lists the values of a parameter. */
const CONTRADICTIONS: ReadonlySet<string> = new Set(['gravity-forms-professional.GetEntries']);

describe(`every tool of every connector, through one gateway ${SKIPPED}`, () => {
  let served: ServedConnectors;
  beforeAll(async () => {
    served = await serveConnectors(CONNECTORS);
  }, 120_000);
  afterAll(() => served?.close());

  /** Listed tools of a connection, with the operationIds that they stand for. */
  const toolsOf = (connection: string) =>
    served.gateway.view().tools.flatMap(({ name, operation = '', tool }) => {
      const prefix = `office/${connection}.`;
      return operation.startsWith(prefix)
        ? [{ name, tool, operationId: operation.slice(prefix.length) }]
        : [];
    });

  it.each(CASES)('%s: there is one for each operation, valid in ajv’s strict mode', (name, { swagger }) => {
    const tools = toolsOf(name);
    expect(tools.map(({ operationId }) => operationId).toSorted()).toEqual(
      keptOperations(swagger)
        .map(({ id }) => id)
        .toSorted(),
    );
    // what documents require without declaring it, or declare without a type, is theirs
    const ajv = new Ajv2020({
      strict: true,
      strictRequired: false,
      strictTypes: false,
      validateFormats: false,
    });
    const refused = tools.flatMap(({ name: tool, tool: { inputSchema, outputSchema } }) =>
      [inputSchema, outputSchema].flatMap((schema) => {
        try {
          if (schema !== undefined) ajv.compile(schema);
          return [];
        } catch (error) {
          return [`${tool}: ${(error as Error).message}`];
        }
      }),
    );
    expect(refused).toEqual([]);
  });

  it.each(CASES)(
    '%s: each is called, and its answer fits',
    async (name, connector) => {
      const wrong: object[] = [];
      for (const tool of toolsOf(name)) {
        const found = await problemsOf(tool.name, connector, tool.operationId);
        if (found.length > 0) wrong.push({ tool: tool.name, found });
      }
      expect(wrong).toEqual([]);
    },
    120_000,
  );

  async function problemsOf(tool: string, connector: ConnectorDocument, operationId: string) {
    const { arm, gateway } = served;
    arm.forget();
    const raw = rawOperation(connector, operationId);
    const args = callArguments(connector.swagger, raw) as Arguments & JsonObject;
    const expected = JSON.stringify(expectedEnvelope(connector.swagger, raw, args));
    const { error, warnings = [] } = (await callApproved(gateway, {
      tool,
      arguments: args,
    })) as CompletedResult;
    const own = arm.invocations.filter((one) => one.operationId === operationId);
    return [
      ...(error === undefined ? [] : [`${error.code}: ${error.message}`]),
      ...(CONTRADICTIONS.has(`${connector.name}.${operationId}`)
        ? []
        : warnings.filter((warning) => /output schema/.test(warning))),
      ...arm.invocations.flatMap(({ problems }) => problems),
      ...arm.escaped.map(({ reason }) => reason),
      ...(own.length === 1 ? [] : [`it was sent ${own.length} times`]),
      ...own.flatMap(({ text }) => (text === expected ? [] : [`sent ${text} in place of ${expected}`])),
    ];
  }
});
