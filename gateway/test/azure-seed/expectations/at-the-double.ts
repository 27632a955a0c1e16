import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ArmDouble, type ConnectorDocument, startArm } from '../../doubles/arm/arm.ts';
import {
  type ExpectedEnvelope,
  expectedEnvelope,
  fullArguments,
  rawOperations,
  requiredArguments,
  slotsOf,
} from './expected-envelope.ts';

/** Tests: the expectations hold for every operation of these connectors at the double, which reads documents by itself. */
export function describeExpectations(documents: readonly ConnectorDocument[]): void {
  const cases = documents.map(({ name, swagger }) => [name, swagger] as const);

  let arm: ArmDouble;
  beforeAll(async () => {
    const connections = documents.map(({ name }) => ({ name, api: name }));
    arm = await startArm({ connectors: documents, connections });
  });
  afterAll(() => arm.close());

  async function problemsOf(connector: string, envelope: ExpectedEnvelope): Promise<readonly string[]> {
    const path = `/subscriptions/${arm.subscription}/resourceGroups/${arm.resourceGroup}/providers/Microsoft.Web/connections/${connector}/dynamicInvoke`;
    await fetch(`${arm.url}${path}?api-version=2016-06-01`, {
      method: 'POST',
      headers: { authorization: `Bearer ${arm.token()}` },
      body: JSON.stringify(envelope),
    });
    return arm.invocations.at(-1)!.problems;
  }

  it.each(cases)(
    'every operation of %s takes all arguments, and only the required ones',
    async (name, swagger) => {
      const wrong: unknown[] = [];
      for (const one of rawOperations(swagger))
        for (const given of [fullArguments(swagger, one), requiredArguments(swagger, one)]) {
          const problems = await problemsOf(name, expectedEnvelope(swagger, one, given));
          const { operationId } = arm.invocations.at(-1)!;
          if (problems.length > 0 || operationId !== one.id) wrong.push([one.id, operationId, problems]);
        }
      expect(wrong).toEqual([]);
      expect(arm.escaped).toEqual([]);
    },
  );

  it.each(cases)('what is left out of a request to %s is missed', async (name, swagger) => {
    const unnoticed: string[] = [];
    for (const one of rawOperations(swagger))
      for (const { place, wire } of slotsOf(swagger, one).filter((slot) => isMissed(one, slot))) {
        const { request } = expectedEnvelope(swagger, one, fullArguments(swagger, one));
        const without = { request: withoutMember(request, place, wire) };
        if ((await problemsOf(name, without)).length === 0) unnoticed.push(`${one.id} ${place} ${wire}`);
      }
    expect(unnoticed).toEqual([]);
  });
}

type Request = ExpectedEnvelope['request'];
type RawOperation = ReturnType<typeof rawOperations>[number];
type Slot = ReturnType<typeof slotsOf>[number];

/** What can be taken out without another operation being meant, and must be there. */
function isMissed({ parameters }: RawOperation, slot: Slot): boolean {
  if (slot.place === 'body' && slot.wire !== '')
    return slot.required && parameters.some((one) => one.in === 'body' && one.required === true);
  const isType = /^content-type$/i.test(slot.wire);
  return slot.place !== 'path' && slot.place !== 'formData' && !isType && slot.required;
}

function withoutMember(request: Request, place: string, wire: string): Request {
  const less = (members: object | undefined) =>
    Object.fromEntries(Object.entries(members ?? {}).filter(([name]) => name !== wire));
  if (place === 'query') return { ...request, queries: less(request.queries) };
  if (place === 'header') return { ...request, headers: less(request.headers) };
  if (wire !== '') return { ...request, body: less(request.body as object) };
  const { body: _body, ...rest } = request;
  return rest;
}
