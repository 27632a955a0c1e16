import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CroitTokenName } from '../doubles/croit/croit.ts';
import type { CroitClient } from './support/croit-client.ts';
import { hasDocument, operationsOf, partOf, readDocument, SKIPPED } from './support/croit-document.ts';
import { type CroitGateway, startCroitGateway } from './support/croit-gateway.ts';
import { callsAmong } from './support/requests.ts';

/** What needs no permission, and some that needs one. */
const fewOperations = () =>
  partOf(readDocument(), /^\/(auth|status|images|install|download|extra-files|setup|pools|servers)/);

const FAILING = ['broken', 'slow', 'malformed', 'expired'] as const satisfies readonly CroitTokenName[];

describe.skipIf(!hasDocument)(`where nobody says which roles an account has ${SKIPPED}`, () => {
  let crib: CroitGateway;
  let client: CroitClient;
  let open: readonly string[];
  const DELETE = 'ServerResource_deleteServer';
  beforeAll(async () => {
    const document = fewOperations();
    open = operationsOf(document)
      .filter(({ operation }) => operation['x-required-permissions'] === undefined)
      .map(({ id }) => id);
    crib = await startCroitGateway({
      document,
      sources: FAILING,
      configuration: { store: 'none' },
      source: { permissions: { probe: { timeout: '2s' } } },
    });
    client = await crib.connect({ topology: 'flat' });
  });
  afterAll(() => crib?.close());

  it.each(FAILING)('%s: only what needs no permission is offered', async (source) => {
    const names = (await client.names())
      .filter((name) => name.startsWith(`${source}_`))
      .map((name) => name.slice(source.length + 1));
    expect(names.sort()).toEqual([...open].sort());
  });

  it.each(FAILING)('%s: nothing else is called, however it is named', async (source) => {
    crib.croit.forget();
    const direct = await client.call(`${source}_${DELETE}`, { id: 1 });
    expect(direct.code).toBe('tool_forbidden');
    for (const topology of ['base', 'hybrid', 'search']) {
      const other = await crib.connect({ topology });
      const tool = { base: 'call_api_endpoint', hybrid: 'call_endpoint' }[topology] ?? 'call_tool';
      const name = tool === 'call_tool' ? 'name' : 'operation';
      const { code } = await other.call(tool, { [name]: `${source}/${DELETE}`, arguments: { id: 1 } });
      expect([topology, code]).toEqual([topology, 'operation_unknown']);
    }
    expect(callsAmong(crib.croit.requests)).toEqual([]);
  });

  it('why is said to the operator, without the token', async () => {
    for (const [source, reason] of [
      ['broken', /token-info: .*500/],
      ['slow', /no answer within 2000 ms/],
      ['expired', /token-info: .*401|credential/],
    ] as const) {
      const explained = JSON.stringify(await crib.gateway.explain(`${source}_${DELETE}`));
      expect(explained).toMatch(reason);
      for (const token of Object.values(crib.croit.tokens)) expect(explained).not.toContain(token);
    }
  });

  it('an expired token still calls what needs none', async () => {
    const { isError } = await client.call('expired_BackendStatusResource_getBackendStatus');
    expect(isError).toBe(false);
  });
});

describe.skipIf(!hasDocument)(`a token that ends while the gateway runs ${SKIPPED}`, () => {
  it('the service refuses the call, and then the tools are gone', async () => {
    const crib = await startCroitGateway({
      document: fewOperations(),
      configuration: { store: 'none' },
      source: { permissions: { probe: { ttl: '50ms' } } },
    });
    try {
      const client = await crib.connect({ topology: 'flat', follows: true });
      expect(await client.names()).toContain('PoolResource_getPools');
      const fewer = client.listChanged();
      await crib.signIn('expired');
      await expect
        .poll(async () => (await client.call('PoolResource_getPools')).code)
        .toMatch(/^(tool_forbidden|upstream_unauthorized|upstream_status|credentials_.*)$/);
      await expect.poll(client.names).not.toContain('PoolResource_getPools');
      await fewer;
    } finally {
      await crib.close();
    }
  });
});
