import { describe, expect, it } from 'vitest';
import { connectorRequest, envelopeOf } from '../../src/executors/azure/index.ts';
import type { AzureInvocation, JsonObject, Operation } from '../../src/operations/index.ts';
import { compileConnector } from '../../src/sources/azure/compile-connector.ts';
import { operationFor } from '../../src/sources/azure/connector-operation.ts';
import { readConnectorDocument } from '../../src/sources/azure/index.ts';
import {
  type Arguments,
  expectedEnvelope,
  fullArguments,
  type RawOperation,
  requiredArguments,
} from '../azure-seed/expectations/expected-envelope.ts';
import type { ConnectorDocument } from '../doubles/arm/arm.ts';
import { CASES, CONNECTORS, hasCaptured, keptOperations, placeOf, SKIPPED } from './support/documents.ts';

async function compiled({ name, swagger }: ConnectorDocument, options = {}): Promise<readonly Operation[]> {
  const document = await readConnectorDocument(JSON.stringify(swagger), { api: name, location: name });
  const owner = { source: 'group', connection: name, displayName: name };
  return compileConnector(document, options).operations.map((one) => operationFor(one, owner));
}

const placeOfTool = (operation: Operation): string => placeOf(operation.invocation as AzureInvocation);

/** The bytes that go out, or why none do. */
function sent(operation: Operation, given: Arguments): string {
  try {
    return JSON.stringify(envelopeOf(connectorRequest(operation, given as JsonObject)));
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

describe(`the envelope of every operation ${SKIPPED}`, () => {
  it.each(CASES)('%s: what survives the filters is a tool, and nothing else is', async (_, connector) => {
    const operations = await compiled(connector);
    expect(operations.map(placeOfTool).toSorted()).toEqual(
      keptOperations(connector.swagger).map(placeOf).toSorted(),
    );
  });

  it.each(CASES)(
    '%s: with all arguments and with the required ones, byte for byte',
    async (_, { name, displayName, swagger }) => {
      const byPlace = new Map(
        keptOperations(swagger).map((one): [string, RawOperation] => [placeOf(one), one]),
      );
      const wrong: object[] = [];
      for (const operation of await compiled({ name, displayName, swagger })) {
        const raw = byPlace.get(placeOfTool(operation))!;
        for (const given of [fullArguments(swagger, raw), requiredArguments(swagger, raw)]) {
          const expected = JSON.stringify(expectedEnvelope(swagger, raw, given));
          const actual = sent(operation, given);
          if (actual !== expected) wrong.push({ operation: operation.id, given, actual, expected });
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  it.runIf(hasCaptured)('counts: 43 of office365, 61 or 31 of teams, and all others', async () => {
    const counts = async (options: object) =>
      Object.fromEntries(
        await Promise.all(
          CONNECTORS.map(async (one) => [one.name, (await compiled(one, options)).length] as const),
        ),
      );
    const all = await counts({});
    expect(all).toMatchObject({ office365: 43, teams: 61 });
    expect(await counts({ includeDeprecated: false })).toMatchObject({ office365: 43, teams: 31 });
    expect(CONNECTORS).toHaveLength(37);
    expect(Object.values(all).reduce((sum, count) => sum + count, 0)).toBe(565);
  });
});
