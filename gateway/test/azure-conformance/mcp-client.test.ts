import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERSON } from '../approved-calls.ts';
import {
  type Arguments,
  expectedEnvelope,
  fullArguments,
  requiredArguments,
} from '../azure-seed/expectations/expected-envelope.ts';
import { type CroitClient, connectClient, ERAS } from '../croit/support/croit-client.ts';
import { hasCaptured, keptOperations, OFFICE } from './support/documents.ts';
import { type ServedConnectors, serveConnectors } from './support/served-connectors.ts';
import { callArguments, rawOperation } from './support/tool-arguments.ts';

const WHICH = OFFICE.map(({ name }) => name).join(' and ');

describe.each(ERAS)(`every tool of ${WHICH}, by an MCP client of %s`, (era) => {
  let served: ServedConnectors;
  let client: CroitClient;
  beforeAll(async () => {
    served = await serveConnectors(OFFICE);
    const { url } = await served.gateway.listen({ host: '127.0.0.1', port: 0 });
    client = await connectClient(url, { era });
  });
  afterAll(async () => {
    await client?.close();
    await served?.close();
  });

  it('lists each once, under a name that every client takes', async () => {
    const names = await client.names();
    const kept = OFFICE.flatMap(({ swagger }) => keptOperations(swagger));
    const own = names.filter((name) => OFFICE.some((one) => name.startsWith(`${one.name}_`)));
    expect(own).toHaveLength(kept.length);
    if (hasCaptured) expect(own).toHaveLength(43 + 61);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  it.each([
    ['all arguments', fullArguments],
    ['the required ones', requiredArguments],
  ])(
    'calls each with %s, and the answer comes back',
    async (_, which) => {
      const wrong: object[] = [];
      for (const connector of OFFICE) {
        for (const [tool, operationId] of toolsOf(connector.name)) {
          served.arm.forget();
          const raw = rawOperation(connector, operationId);
          const args = callArguments(connector.swagger, raw, which);
          const { isError, text } = await approvedCall(tool, args);
          const sent = served.arm.invocations.filter((one) => one.operationId === operationId);
          const expected = [JSON.stringify(expectedEnvelope(connector.swagger, raw, args))];
          const fits = JSON.stringify(sent.map((one) => one.text)) === JSON.stringify(expected);
          if (isError || !fits || served.arm.escaped.length > 0)
            wrong.push({ tool, args, text, sent: sent.map((one) => one.text) });
        }
      }
      expect(wrong).toEqual([]);
    },
    120_000,
  );

  /** Names of tools and the operationIds that they stand for. */
  const toolsOf = (connection: string) =>
    served.gateway.view().tools.flatMap(({ name, operation = '' }) => {
      const prefix = `office/${connection}.`;
      return operation.startsWith(prefix) ? [[name, operation.slice(prefix.length)] as const] : [];
    });

  async function approvedCall(tool: string, args: Arguments) {
    const first = await client.call(tool, args);
    if (first.code !== 'approval_required') return first;
    const approvals = await served.gateway.approvals();
    await approvals.decide(String(first.details['approval']), { decision: 'approve' }, PERSON);
    return client.call(tool, args);
  }
});
