import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { argumentsOf, expectedRequest, isWithheld, readsOnly } from '../doubles/operation-table.ts';
import type { ProviderDouble } from '../doubles/provider-double.ts';
import { requestDifferences } from '../doubles/request-differences.ts';
import { connectProvider, type ProviderClient } from './provider-client.ts';
import { PROVIDERS } from './shipped-providers.ts';

/** Every call-every-operation case once more, where a person is asked for every write too. */
describe.each(PROVIDERS)('$manifest with approvals for every write', (provider) => {
  const { manifest, operations, rules, actingUser } = provider;
  const offered = Object.entries(operations).filter(([, operation]) => !isWithheld(operation));
  const reads = offered.filter(([, operation]) => readsOnly(operation));
  const changes = offered.filter(([, operation]) => !readsOnly(operation));
  let double: ProviderDouble;
  let provided: ProviderClient;

  beforeAll(async () => {
    double = await provider.start();
    provided = await connectProvider(manifest, double, {}, { policy: { approvals: { write: 'ask' } } });
  });
  afterAll(async () => {
    await provided?.[Symbol.asyncDispose]();
    await double?.close();
  });
  beforeEach(() => double.forget());

  it.each(reads)('%s only reads: nobody is asked', async (id, operation) => {
    const answer = await provided.call(id, argumentsOf(operation));
    expect([answer.isError, answer.approval], answer.text).toEqual([false, undefined]);
    expect(double.requests).toHaveLength(1);
  });

  it.each(changes)('%s goes out once for one approval, and not before', async (id, operation) => {
    const args = argumentsOf(operation);
    const asked = await provided.call(id, args);
    expect([asked.isError, asked.code]).toEqual([true, 'approval_required']);
    expect((await provided.call(id, args)).approval).toBe(asked.approval);
    expect(double.requests).toEqual([]);

    await provided.approve(asked.approval!);
    const answer = await provided.call(id, args);
    expect(answer.isError, answer.text).toBe(false);
    expect(double.requests).toHaveLength(1);
    expect(requestDifferences(double.requests[0]!, expectedRequest(operation, rules, actingUser))).toEqual(
      [],
    );

    const again = await provided.call(id, args);
    expect([again.code, again.approval === asked.approval]).toEqual(['approval_required', false]);
    expect(double.requests).toHaveLength(1);
  });
});
