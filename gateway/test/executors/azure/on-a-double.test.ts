import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEgress, type Egress } from '../../../src/egress/index.ts';
import type { ArmRequest, ConnectorRoom } from '../../../src/executors/azure/connector-room.ts';
import { createDynamicSchemas } from '../../../src/executors/azure/dynamic-schema.ts';
import { createHelperCalls } from '../../../src/executors/azure/helper-calls.ts';
import { createParameterOptions } from '../../../src/executors/azure/parameter-options.ts';
import type { AzureInvocation, JsonObject, Operation } from '../../../src/operations/index.ts';
import { compileConnector } from '../../../src/sources/azure/compile-connector.ts';
import { compileHelper, openConnectorDocument } from '../../../src/sources/azure/index.ts';
import { fullArguments, type Node, rawOperations } from '../../azure-seed/expectations/expected-envelope.ts';
import { type ArmDouble, type ConnectorDocument, startArm } from '../../doubles/arm/arm.ts';
import { CHAT } from '../../doubles/arm/connectors/chat.ts';
import { MAIL } from '../../doubles/arm/connectors/mail.ts';
import { connectionOf, QUICK, run } from './connector-under-test.ts';

const CONNECTORS: readonly ConnectorDocument[] = [MAIL, CHAT];

let arm: ArmDouble;
let egress: Egress;
beforeAll(async () => {
  arm = await startArm({
    connectors: CONNECTORS,
    connections: CONNECTORS.map(({ name }) => ({ name, api: name })),
    refuseUnlisted: false,
  });
  egress = createEgress({ allow: [arm.url] });
});
afterAll(async () => {
  await egress.close();
  await arm.close();
});

/** Operations of a connector, and any of them by its id. */
function compiled({ name, swagger }: ConnectorDocument) {
  const document = openConnectorDocument(structuredClone(swagger), { api: name, location: name });
  const owner = { source: 'group', connection: name, displayName: name };
  const find = (id: string) => compileHelper(document, owner, id);
  const raw = new Map(rawOperations(swagger as Node).map((operation) => [operation.id, operation]));
  const { operations } = compileConnector(document, { includeDeprecated: true });
  return operations.map(({ operationId }) => ({
    operation: find(operationId)!,
    args: fullArguments(swagger as Node, raw.get(operationId)!) as JsonObject,
    find,
  }));
}

function roomOf(find: (id: string) => Operation | undefined): ConnectorRoom {
  const url = ({ path, apiVersion = '2016-06-01' }: ArmRequest) =>
    `${arm.url}${path}?api-version=${apiVersion}`;
  const token = arm.token();
  return {
    invokePath: (connection) =>
      `/subscriptions/${arm.subscription}/resourceGroups/${arm.resourceGroup}/providers/Microsoft.Web/connections/${connection}/dynamicInvoke`,
    url,
    send: (request, limits, signal) =>
      egress.request(
        {
          method: request.method,
          url: url(request),
          headers: [
            ['authorization', `Bearer ${token}`],
            ['content-type', 'application/json'],
          ],
          credentialHeaders: ['authorization'],
          body: JSON.stringify(request.body),
        },
        limits,
        signal,
      ),
    status: () => 'Connected',
    observed: () => {},
    consentLink: async () => 'https://consent.test/',
    whenConnected: async () => false,
    helper: async (_connection, id) => find(id),
  };
}

const off = { settings: () => ({ dynamicValues: 'off' as const, pages: 1 }) };
const azureOf = (operation: Operation) => operation.invocation as AzureInvocation;

describe.each(CONNECTORS.map((connector) => [connector.name, connector] as const))('%s', (_, connector) => {
  it('takes every operation as its Swagger says', async () => {
    const operations = compiled(connector);
    expect(operations.length).toBeGreaterThan(5);
    for (const { operation, args, find } of operations) {
      arm.forget();
      await run(roomOf(find), operation, args, { options: off });
      expect(arm.invocations.map(({ operationId, problems }) => [operationId, problems])).toEqual([
        [azureOf(operation).operationId, []],
      ]);
      expect(arm.escaped).toEqual([]);
    }
  });

  it('tells the values and schemas of every argument that has some', async () => {
    let told = 0;
    for (const { operation, args, find } of compiled(connector)) {
      arm.forget();
      const helpers = createHelperCalls({ rooms: async () => roomOf(find), retry: QUICK });
      const options = createParameterOptions(helpers, createDynamicSchemas(helpers));
      const signal = new AbortController().signal;
      const { choices = [], shapes = [] } = azureOf(operation);
      for (const found of await options({ operation, arguments: args, connection: connectionOf(), signal })) {
        told++;
        expect(found).not.toHaveProperty('problem');
        if (found.schema === undefined) expect(found.options, found.argument).not.toEqual([]);
      }
      for (const { argument, kind, browse } of choices) {
        if (kind !== 'tree' || browse === undefined) continue;
        const [root] = await options({
          operation,
          arguments: args,
          connection: connectionOf(),
          signal,
          argument,
        });
        const parent = root?.options?.find((option) => option.parent)?.value;
        if (parent === undefined) continue;
        const [below] = await options({
          operation,
          arguments: args,
          connection: connectionOf(),
          signal,
          argument,
          parent,
        });
        expect(below?.options).toBeDefined();
      }
      expect(choices.length + shapes.length === 0 || arm.invocations.length > 0).toBe(true);
      expect(arm.invocations.flatMap(({ problems }) => problems)).toEqual([]);
      expect(arm.escaped).toEqual([]);
    }
    expect(told).toBeGreaterThan(0);
  });
});
