import type { Tool } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CroitClient, ERAS } from './support/croit-client.ts';
import { hasDocument, operationsOf, readDocument, SKIPPED } from './support/croit-document.ts';
import { type CroitGateway, startCroitGateway } from './support/croit-gateway.ts';
import { callsAmong } from './support/requests.ts';
import { sampleArguments } from './support/sample-arguments.ts';

const POOLS = 'PoolResource_getPools';
/** Reads that give away secrets or are heavy: their hints ask for a person. */
const CONFIRMED_READS = [
  ['SupportResource_getSupportInfo', {}],
  ['RbdMirrorResource_getPoolPeerToken', { pool: 'rbd' }],
] as const;

describe.skipIf(!hasDocument)(`hints of croit ${SKIPPED}`, () => {
  let crib: CroitGateway;
  let tools: ReadonlyMap<string, Tool>;
  const document = hasDocument ? readDocument() : { paths: {} };
  beforeAll(async () => {
    crib = await startCroitGateway({ configuration: { store: 'none' }, source: ALL_ON });
    const flat = await crib.connect({ topology: 'flat' });
    tools = new Map((await flat.tools()).map((tool) => [tool.name, tool]));
  });
  afterAll(() => crib?.close());

  const sent = () => callsAmong(crib.croit.requests).map(({ method, target }) => `${method} ${target}`);

  describe.each(ERAS)('a client of %s', (era) => {
    it('is shown the hints of an operation whole once, and later that there are some', async () => {
      const client = await crib.connect({ era, topology: 'search', name: `first ${era}` });
      const describe = (name: string) => client.call('describe_tool', { name });
      const first = await describe(POOLS);
      expect(first.text).toContain('Hints:');
      const again = await describe(POOLS);
      expect(again.text).not.toContain('Hints:');
      expect(again.text).toContain('has_hints: true');
      expect((await describe('ServerResource_getServers')).text).toContain('Hints:');
      expect((await client.call('describe_tool', { name: POOLS, full: true })).text).toContain('Hints:');
    });

    it('shares nothing with another client of the same caller', async () => {
      const [one, other] = await Promise.all(
        ['one', 'other'].map((name) => crib.connect({ era, topology: 'hybrid', name: `${name} ${era}` })),
      );
      const list = async (client: CroitClient) => {
        const asked = { search: 'list pools', category: 'ceph-pools', include_hints: true };
        const { text } = await client.call('list_endpoints', asked);
        return text.split('\n').find((line) => line.startsWith(`${POOLS} `))!;
      };
      expect(await list(one!)).not.toContain('has_hints');
      expect(await list(one!)).toContain('(has_hints: true)');
      expect(await list(other!)).not.toContain('has_hints');
      expect(await list(other!)).toContain('(has_hints: true)');
    });
  });

  it('go to a conversation whole through one tool of it only', async () => {
    const client = await crib.connect({ topology: 'discover', name: 'discoverer' });
    expect((await client.call('ceph_discover', { operation: POOLS })).text).toContain('Hints:');
    expect((await client.call('ceph_discover', { operation: POOLS })).text).toContain('has_hints: true');
  });

  /** A call of an operation through every topology. */
  const throughAll = async (
    id: string,
    args: object,
    options: Parameters<CroitGateway['connect']>[0] = {},
  ) => {
    const connect = (topology: string) => crib.connect({ ...options, topology, name: `${topology} ${id}` });
    const [flat, hybrid, base, search, discover, categories] = await Promise.all(
      ['flat', 'hybrid', 'base', 'search', 'discover', 'categories'].map(connect),
    );
    const category = await actionFor(categories!, id);
    return [
      ['flat', () => flat!.call(id, args)],
      ['hybrid', () => hybrid!.call('call_endpoint', { operation: id, arguments: args })],
      ['base', () => base!.call('call_api_endpoint', { operation: id, arguments: args })],
      ['search', () => search!.call('call_tool', { name: id, arguments: args })],
      ['discover', () => discover!.call('call_tool', { name: id, arguments: args })],
      ['categories', () => categories!.call(category.tool, { action: category.action, action_args: args })],
    ] as const;
  };

  it.each(CONFIRMED_READS)('%s asks a person, though it only reads, in every topology', async (id, args) => {
    crib.croit.forget();
    for (const [topology, call] of await throughAll(id, args)) {
      const { code, text } = await call();
      expect([topology, code]).toEqual([topology, 'approval_required']);
      expect(text).not.toBe('');
    }
    expect(sent()).toEqual([]);
  });

  it('the person at the client is told why, and what they agree to is called once', async () => {
    const [id, args] = CONFIRMED_READS[1];
    const asked: string[] = [];
    const person = (message: string) => {
      asked.push(message);
      return 'approve' as const;
    };
    for (const era of ERAS) {
      for (const [topology, call] of await throughAll(id, args, { person, era })) {
        asked.length = 0;
        crib.croit.forget();
        const { isError } = await call();
        expect([topology, isError, ...sent()]).toEqual([
          topology,
          false,
          'GET /api/pools/rbd/rbd-mirror/token',
        ]);
        expect(asked).toHaveLength(1);
        expect(asked[0]).toContain('sensitive cluster information');
      }
    }
  });

  it('41 deletes claim that nobody need be asked: somebody is, and nothing is sent', async () => {
    const careless = operationsOf(document).filter(
      ({ place, operation: { 'x-llm-hints': hints } }) =>
        place.startsWith('DELETE ') && hints?.requires_confirmation === false,
    );
    expect(careless).toHaveLength(41);
    const person = () => 'reject' as const;
    const [base, hybrid] = await Promise.all([
      crib.connect({ topology: 'base', person }),
      crib.connect({ topology: 'hybrid', era: '2025-11-25' }),
    ]);
    crib.croit.forget();
    for (const { id } of careless) {
      const args = sampleArguments(tools.get(id)!);
      const refused = await base.call('call_api_endpoint', { operation: id, arguments: args });
      expect([id, refused.code]).toEqual([id, 'approval_rejected']);
      const waiting = await hybrid.call('call_endpoint', { operation: id, arguments: args });
      expect([id, waiting.code]).toEqual([id, 'approval_required']);
    }
    expect(sent()).toEqual([]);
  });

  it('a rate that hints name holds in every topology together', async () => {
    const ID = 'MaintenanceResource_downloadBackupFile';
    const ways = await throughAll(ID, {});
    crib.croit.forget();
    const codes: (string | undefined)[] = [];
    for (const [, call] of ways) codes.push((await call()).code);
    expect(codes.slice(0, 3)).toEqual([undefined, undefined, undefined]);
    expect(codes.slice(3)).toEqual(['rate_limited', 'rate_limited', 'rate_limited']);
    expect(sent()).toHaveLength(3);
  });

  it('notes of hints stand beside the answer', async () => {
    const client = await crib.connect({ topology: 'base' });
    const { text } = await client.call('call_api_endpoint', { operation: 'ServerResource_getServers' });
    expect(text).toMatch(/Poll again after \d+ s at the earliest/);
  });
});

const ALL_ON = { features: { daos: { enabled: true } } };

async function actionFor(client: CroitClient, id: string): Promise<{ tool: string; action: string }> {
  const short = id.replace(/^.*_/, '');
  for (const tool of await client.tools()) {
    const { action } = (tool.inputSchema.properties ?? {}) as { action?: { enum: string[] } };
    const found = action?.enum.find((one) => one === short || one === id);
    if (found !== undefined) return { tool: tool.name, action: found };
  }
  throw new Error(`no category tool has ${id}`);
}
