import type { Tool } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompletedResult, JsonObject } from '../../../src/index.ts';
import { actionsOf, type CategoryAction, categoryActions, operationBehind } from './category-actions.ts';
import { chunksOf } from './chunks.ts';
import { schemasOf } from './component-schemas.ts';
import type { CroitClient } from './croit-client.ts';
import { hasDocument, operationsOf, permittedTo, readDocument, SKIPPED } from './croit-document.ts';
import { type CroitGateway, startCroitGateway } from './croit-gateway.ts';
import { callsAmong, wireText } from './requests.ts';
import { sampleArguments } from './sample-arguments.ts';

const TOPOLOGIES = ['flat', 'hybrid', 'base', 'categories', 'search', 'discover'] as const;
type Topology = (typeof TOPOLOGIES)[number];

/** Clients of search and discover do not follow their lists, which would grow with every call. */
const ERA_OF = {
  flat: '2026-07-28',
  hybrid: '2025-11-25',
  base: '2026-07-28',
  categories: '2025-11-25',
  search: '2026-07-28',
  discover: '2026-07-28',
} as const;

/** Tools that call an operation by its name, and how they call that name. */
const CALLING = [
  ['hybrid', 'call_endpoint', 'operation'],
  ['base', 'call_api_endpoint', 'operation'],
  ['search', 'call_tool', 'name'],
  ['discover', 'call_tool', 'name'],
] as const;
/** Tools that say something about an operation by its name. */
const DESCRIBING = [
  ['hybrid', 'get_schema', 'ref'],
  ['base', 'get_reference_schema', 'ref'],
  ['search', 'describe_tool', 'name'],
  ['discover', 'ceph_discover', 'operation'],
] as const;

const LARGEST_TOOL = 5000;

/** Every operation through every topology, as one account sees them: what is reached is what is permitted. */
export function describeReachability(who: 'admin' | 'viewer'): void {
  describe.skipIf(!hasDocument)(`croit as ${who}, in every topology ${SKIPPED}`, () => {
    let crib: CroitGateway;
    const clients = {} as Record<Topology, CroitClient>;
    const lists = {} as Record<Topology, readonly Tool[]>;
    let permitted: ReadonlyMap<string, { readonly place: string }>;
    let hidden: ReadonlyArray<{ readonly id: string; readonly place: string }>;

    beforeAll(async () => {
      const document = readDocument({ rates: false });
      permitted = new Map(permittedTo(who, document).map((one) => [one.id, one]));
      hidden = operationsOf(document).filter(({ id }) => !permitted.has(id));
      // answers are of no interest here: they need not be validated
      const configuration = { store: 'none', output: { schemas: false } };
      crib = await startCroitGateway({ token: who, document, configuration });
      for (const topology of TOPOLOGIES) {
        const options = { era: ERA_OF[topology], topology, name: `${topology} client` };
        clients[topology] = await crib.connect({ ...options, person: () => 'approve' });
        lists[topology] = await clients[topology].tools();
      }
    });
    afterAll(() => crib?.close());

    const names = (topology: Topology) => lists[topology].map(({ name }) => name);
    const sorted = (values: Iterable<string>) => [...values].sort();
    /** Ids in a text that are none of the caller's business. */
    const leaked = (text: string, asked?: string) =>
      (text.match(/\b[A-Za-z0-9]+Resource_\w+…?/g) ?? []).filter((id) => id !== asked && !isPermitted(id));
    const isPermitted = (id: string) =>
      permitted.has(id) ||
      (id.endsWith('…') && [...permitted.keys()].some((one) => one.startsWith(id.slice(0, -1))));

    it('each has the tools that it should have, none of them of more than 5 KB but flat ones', () => {
      expect(sorted(names('flat'))).toEqual(sorted(permitted.keys()));
      expect(names('base')).toEqual(['call_api_endpoint', 'get_reference_schema', 'list_api_endpoints']);
      expect(names('search')).toEqual(['call_tool', 'describe_tool', 'query_result', 'search_tools']);
      expect(names('discover')).toEqual(['call_tool', 'ceph_discover']);
      const hybrid = names('hybrid');
      expect(hybrid.length).toBeGreaterThanOrEqual(13);
      expect(hybrid.length).toBeLessThanOrEqual(15);
      expect(hybrid).toEqual(
        expect.arrayContaining([
          'call_endpoint',
          'get_schema',
          'list_endpoints',
          'query_result',
          'manage_ceph_pools',
        ]),
      );
      const adminOnly = names('categories').filter((name) =>
        /^manage_(maintenance|servers|ipmi|config|hooks|change_requests)/.test(name),
      );
      expect(adminOnly.length > 0).toBe(who === 'admin');
      for (const topology of TOPOLOGIES.slice(1)) {
        for (const tool of lists[topology]) {
          expect(Buffer.byteLength(JSON.stringify(tool)), tool.name).toBeLessThanOrEqual(LARGEST_TOOL);
        }
        expect(leaked(JSON.stringify(lists[topology]))).toEqual([]);
      }
    });

    it('list_endpoints pages through what is permitted, each once', async () => {
      for (const [topology, tool] of [
        ['hybrid', 'list_endpoints'],
        ['base', 'list_api_endpoints'],
      ] as const) {
        const listed: string[] = [];
        let cursor: string | undefined;
        do {
          const { text } = await clients[topology].call(tool, { limit: 100, ...(cursor && { cursor }) });
          listed.push(...[...text.matchAll(/^(\w+)(?:\(.*?\))? [A-Z]+ \//gm)].map(([, id]) => id!));
          cursor = /cursor "(.+?)"/.exec(text)?.[1];
        } while (cursor !== undefined);
        expect(sorted(listed)).toEqual(sorted(permitted.keys()));
      }
    });

    it('reached is permitted, and each request is that of the flat call, byte by byte', async () => {
      const tools = new Map(lists.flat.map((tool) => [tool.name, tool]));
      const inHybrid = categoryActions(lists.hybrid);
      const isSame = (one: CategoryAction) => (other: CategoryAction) =>
        one.tool === other.tool && one.action === other.action;
      const inCategories = categoryActions(lists.categories);
      expect(inHybrid.filter((one) => !inCategories.some(isSame(one)))).toEqual([]);
      const reached: string[] = [];
      for (const action of inCategories) {
        const id = await operationBehind(clients.categories, action);
        reached.push(id);
        const tool = tools.get(id)!;
        const args = sampleArguments(tool);
        const ways = waysTo(id, args, action, inHybrid.some(isSame(action)));
        crib.croit.forget();
        await clients.flat.call(tool.name, args);
        const [flat, ...others] = crib.croit.requests;
        expect(others.length, tool.name).toBe(0);
        expect(flat, tool.name).toBeDefined();
        crib.croit.forget();
        const planned = await plannedRequest('flat', id, args);
        for (const [topology, name, given] of ways) {
          expect(await plannedRequest(topology, name, given), `${topology} ${id}`).toEqual(planned);
        }
        expect(crib.croit.requests.length, id).toBe(0);
        // on the wire through some of them in turn
        const turn = reached.length % ways.length;
        const sentBy = [...ways, ...ways].slice(turn, turn + (who === 'viewer' ? 2 : 1));
        for (const [topology, name, given] of sentBy) await clients[topology].call(name, given);
        const sent = crib.croit.requests.map(wireText);
        expect(sent, tool.name).toEqual(sentBy.map(() => wireText(flat!)));
      }
      expect(sorted(reached)).toEqual(sorted(permitted.keys()));
    }, 180_000);

    /** What a call would send, as a dry run says it. */
    const plannedRequest = async (topology: Topology, tool: string, args: object) => {
      const request = { tool, arguments: args as JsonObject, client: { topology }, dryRun: true };
      const result = (await crib.gateway.call(request)) as CompletedResult;
      if (result.error !== undefined) throw new Error(`${topology}: ${result.error.message}`);
      return result.structured;
    };

    /** Every way to an operation that a topology's own tools have. */
    const waysTo = (
      id: string,
      args: Record<string, unknown>,
      { tool: category, action }: CategoryAction,
      inHybrid: boolean,
    ): ReadonlyArray<readonly [Topology, string, object]> => {
      const [method, path] = permitted.get(id)!.place.split(' ') as [string, string];
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      const written = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name])));
      const rest = Object.fromEntries(Object.entries(args).filter(([name]) => !inPath.includes(name)));
      return [
        ...CALLING.map(
          ([topology, tool, name]) =>
            [
              topology,
              tool,
              { [name]: id, arguments: args, ...(topology !== 'discover' && { no_optimize: true }) },
            ] as const,
        ),
        ...(id.length % 4 === 0
          ? [
              [
                'base',
                'call_api_endpoint',
                { method, path: written, arguments: rest, no_optimize: true },
              ] as const,
            ]
          : []),
        ...(inHybrid && id.length % 4 === 1
          ? (['categories', 'hybrid'] as const)
          : (['categories'] as const)
        ).map((topology) => [topology, category, { action, action_args: args, no_optimize: true }] as const),
      ];
    };

    it('what is not permitted is called, described and named by no tool', async () => {
      crib.croit.forget();
      for (const [index, { id, place }] of hidden.entries()) {
        const [topology, tool, name] = CALLING[index % CALLING.length]!;
        const [describing, describe, ref] = DESCRIBING[((index / 5) % DESCRIBING.length) | 0]!;
        const [method, path] = place.split(' ');
        const called = await clients[topology].call(tool, { [name]: id });
        expect([called.code, leaked(called.text, id)], id).toEqual(['operation_unknown', []]);
        if (index % 5 === 0) {
          const described = await clients[describing].call(describe, { [ref]: id });
          expect([described.code, leaked(described.text, id)], id).toEqual(['operation_unknown', []]);
          // a template that is not known may fit one with a placeholder; its braces are no value then
          const byPlace = await clients.base.call('call_api_endpoint', { method, path });
          expect(byPlace.code, place).toMatch(/^(operation_unknown|path_blocked|arguments_invalid)$/);
          expect(leaked(byPlace.text, id)).toEqual([]);
        }
        if (index % 20 === 0) {
          const flat = await clients.flat.call(id);
          expect([flat.code, leaked(flat.text, id)]).toEqual(['tool_forbidden', []]);
          const [first] = lists.categories.filter((one) => actionsOf(one).length > 0);
          const refused = await clients.categories.call(first!.name, { action: id });
          expect([refused.isError, leaked(refused.text, id)]).toEqual([true, []]);
        }
      }
      expect(callsAmong(crib.croit.requests)).toEqual([]);
    });

    it('schemas that only other operations use do not exist', async () => {
      const { mine, others } = schemasOf(readDocument(), (id) => permitted.has(id));
      expect(others.length).toBeGreaterThan(0);
      for (const [index, name] of others.entries()) {
        const [topology, tool] = DESCRIBING[index % 2]!;
        const { code, text } = await clients[topology].call(tool, { ref: `#/components/schemas/${name}` });
        expect([name, code, leaked(text)]).toEqual([name, 'operation_unknown', []]);
        const [, suggested = name] = /Did you mean "(.+?)"/.exec(text) ?? [];
        expect(suggested === name || mine.has(suggested), text).toBe(true);
      }
    });

    it('what is permitted is found by its words, and nothing else beside it', async () => {
      const wordsOf = (id: string) => id.replace(/^.*_/, '').replace(/([A-Z])/g, ' $1');
      let found = 0;
      const asked = [...permitted.keys()].filter((_, index) => index % 7 === 0);
      for (const id of asked) {
        const { text } = await clients.search.call('search_tools', { query: wordsOf(id), limit: 20 });
        expect(leaked(text)).toEqual([]);
        if (text.includes(id)) found++;
      }
      expect(found / asked.length).toBeGreaterThan(0.9);
      for (const { id } of hidden.filter((_, index) => index % 7 === 0)) {
        const answers = await Promise.all([
          clients.search.call('search_tools', { query: wordsOf(id), limit: 20 }),
          clients.hybrid.call('list_endpoints', { search: wordsOf(id), include_hints: true }),
          clients.discover.call('ceph_discover', { query: wordsOf(id) }),
        ]);
        for (const { text } of answers) expect(leaked(text)).toEqual([]);
      }
    });

    it('what is permitted is described without naming what is not', async () => {
      for (const chunk of chunksOf([...permitted.keys()], 8)) {
        const answers = await Promise.all(
          chunk.map((name) => clients.search.call('describe_tool', { name, full: true })),
        );
        for (const { isError, text } of answers) expect([isError, leaked(text)]).toEqual([false, []]);
      }
    });
  });
}
