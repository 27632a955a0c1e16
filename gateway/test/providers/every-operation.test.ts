import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SHIPPED_PROVIDERS } from '../../src/sources/manifest/shipped.ts';
import type { GreenhouseV3Double } from '../doubles/greenhouse-v3.ts';
import type { RecordedRequest } from '../doubles/loopback-service.ts';
import { argumentsOf, expectedRequest, isWithheld, readsOnly } from '../doubles/operation-table.ts';
import type { ProviderDouble } from '../doubles/provider-double.ts';
import { requestDifferences } from '../doubles/request-differences.ts';
import { connectProvider, type ProviderClient } from './provider-client.ts';
import { PROVIDERS } from './shipped-providers.ts';

/** Of each provider: all operations, tools offered, tools that only read. */
const COUNTS: Readonly<Record<string, readonly [all: number, offered: number, reads: number]>> = {
  greenhouse: [31, 29, 16],
  'greenhouse-v3': [119, 90, 40],
  'zoho-recruit': [27, 26, 16],
  lever: [47, 45, 27],
};

it('every provider that comes along has its double', () => {
  expect(PROVIDERS.map(({ manifest }) => manifest)).toEqual(SHIPPED_PROVIDERS);
});

describe.each(PROVIDERS)('$manifest', (provider) => {
  const { manifest, prefix, operations, rules, actingUser, authorization } = provider;
  const offered = Object.entries(operations).filter((entry) => !isWithheld(entry[1]));
  const withheld = Object.entries(operations).filter((entry) => isWithheld(entry[1]));
  let double: ProviderDouble;
  let provided: ProviderClient;

  beforeAll(async () => {
    double = await provider.start();
    provided = await connectProvider(manifest, double);
  });
  afterAll(async () => {
    await provided?.[Symbol.asyncDispose]();
    await double?.close();
  });
  beforeEach(() => double.forget());

  const subjectOf = (request: RecordedRequest) => (double as GreenhouseV3Double).subjectOf(request);

  it('offers exactly the operations that are neither dangerous nor blocklisted', async () => {
    const names = offered.map(([id]) => prefix + id);
    expect((await provided.toolNames()).sort()).toEqual(names.sort());
    const { tools } = await provided.client.listTools();
    const reads = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
    const documented = offered.filter((entry) => readsOnly(entry[1])).map(([id]) => prefix + id);
    expect(reads.map(({ name }) => name).sort()).toEqual(documented.sort());
    expect([Object.keys(operations).length, tools.length, reads.length]).toEqual(COUNTS[manifest]);
  });

  it.each(offered)('%s goes out as the provider documents it', async (id, operation) => {
    const answer = await provided.callApproved(id, argumentsOf(operation));
    expect(answer.isError, answer.text).toBe(false);
    expect(double.requests).toHaveLength(1);
    const request = double.requests[0]!;
    expect(requestDifferences(request, expectedRequest(operation, rules, actingUser))).toEqual([]);
    if (authorization === 'Bearer') expect(subjectOf(request)).toBe(actingUser);
    else expect(request.headers.authorization).toBe(authorization);
  });

  it.each(withheld)('%s cannot be called', async (id, operation) => {
    await expect(provided.call(id, argumentsOf(operation))).rejects.toThrow(prefix + id);
    const direct = provided.gateway.call({ tool: id, arguments: argumentsOf(operation) as never });
    await expect(direct).rejects.toMatchObject({ code: 'tool_unknown' });
    expect(double.requests).toEqual([]);
  });
});
