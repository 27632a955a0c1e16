import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileSource } from '../../src/compiler/compile-source.ts';
import { buildRequest } from '../../src/executors/http/index.ts';
import { examineHints, readHints, relatedOperations } from '../../src/hints/index.ts';
import {
  type Description,
  factsOf,
  type HttpInvocation,
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  type Operation,
} from '../../src/operations/index.ts';
import { applyRequirementRules, reviewRequirementRules } from '../../src/policy/requirement-rules.ts';
import { createValidator } from '../../src/validation/validator.ts';
import { connectionOf } from '../executors/http/operation-under-test.ts';
import { describeText } from '../sources/openapi/describing.ts';

const file = new URL('../../../../shared/data/croit/openapi.json.gz', import.meta.url);

describe.skipIf(!existsSync(file))("croit's document (skipped where the shared data is absent)", () => {
  let document: JsonObject;
  let description: Description;
  let operations: readonly Operation[];
  beforeAll(async () => {
    const text = gunzipSync(readFileSync(file)).toString('utf8');
    document = JSON.parse(text) as JsonObject;
    description = await describeText(text, { permissions: { enabled: true } });
    ({ operations } = description);
  });

  const http = ({ invocation }: Operation) => invocation as HttpInvocation;
  const at = (place: string): Operation => {
    const [method, path] = place.split(' ');
    const found = operations.find((one) => http(one).method === method && http(one).path === path);
    if (found === undefined) throw new Error(`there is no ${place}`);
    return found;
  };
  const countBy = (list: readonly Operation[], key: (operation: Operation) => string) =>
    list.reduce<Record<string, number>>((counts, one) => {
      counts[key(one)] = (counts[key(one)] ?? 0) + 1;
      return counts;
    }, {});
  const hinted = (member: string) =>
    operations.filter(({ hints }) => hints !== undefined && Object.hasOwn(hints, member));

  /** What is told, but for the 73 lists whose page goes out as JSON in the query, which is what this service reads. */
  const besideQueries = ({ diagnostics }: Description) => {
    const others = diagnostics.filter(({ code }) => code !== 'query-as-json');
    expect(diagnostics.length - others.length).toBe(73);
    return others;
  };

  /** The request of a call, as a dry run shows it. */
  const request = (place: string, args: JsonObject) => {
    const { method, url, headers, body } = buildRequest(
      at(place),
      args,
      connectionOf({ baseUrl: 'https://ceph.example/api' }),
    );
    return {
      line: `${method} ${url.replace('https://ceph.example', '')}`,
      type: headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1],
      body: body === undefined ? undefined : Buffer.from(body as Uint8Array).toString('utf8'),
    };
  };

  describe('what it describes', () => {
    it('is 580 operations on 433 paths, every one of them a tool of its own id', () => {
      expect(Object.keys(document['paths'] as JsonObject)).toHaveLength(433);
      expect(operations).toHaveLength(580);
      expect(new Set(operations.map(({ id }) => id)).size).toBe(580);
      expect(description.skipped).toEqual([]);
      expect(besideQueries(description)).toEqual([]);
      expect(countBy(operations, (one) => http(one).method)).toEqual({
        GET: 226,
        POST: 169,
        DELETE: 75,
        PUT: 64,
        PATCH: 46,
      });
      expect(countBy(operations, ({ access }) => access)).toEqual({ read: 226, write: 279, delete: 75 });
    });

    it('keeps tags, the deprecated, and no security of its own', () => {
      expect(operations.filter(({ deprecated }) => deprecated)).toHaveLength(7);
      expect(countBy(operations, ({ tags }) => String(tags.length))).toEqual({ 0: 2, 1: 560, 2: 18 });
      const tags = operations.flatMap((one) => one.tags);
      expect(new Set(tags).size).toBe(41);
      const count = (tag: string) => tags.filter((one) => one === tag).length;
      expect(['services', 'maintenance', 'daos', 's3', 'servers', 'ceph-pools', 'logs'].map(count)).toEqual([
        100, 55, 54, 53, 43, 9, 1,
      ]);
      expect(description.securitySchemes).toEqual({});
    });

    it('asks for one permission nearly everywhere, whatever the method', () => {
      expect(countBy(operations, ({ requirements }) => String(requirements?.permissions))).toEqual({
        admin: 376,
        viewer: 186,
        undefined: 18,
      });
      const holding = (name: string) =>
        operations.filter(({ requirements }) => requirements?.permissions?.[0] === name);
      expect(holding('admin').filter((one) => http(one).method === 'GET')).toHaveLength(37);
      expect(holding('viewer').filter((one) => http(one).method !== 'GET')).toHaveLength(11);
    });

    it('without a word in the configuration none is asked for, and one note says so', async () => {
      const opened = await describeText(document);
      const { operations: open } = opened;
      const diagnostics = besideQueries(opened);
      expect(open.filter(({ requirements }) => requirements !== undefined)).toEqual([]);
      expect(diagnostics).toMatchObject([{ code: 'permissions-unchecked', severity: 'info' }]);
      expect(diagnostics[0]!.message).toMatch(/^562 operations/);
    });

    it.each([
      ['daos', { tags: ['daos'] }, 54],
      ['daos, by path', { paths: ['/daos/**'] }, 54],
      ['specialty', { tags: ['rbd-mirror', 'qos-settings', 'ceph-keys'] }, 30],
      ['both', { tags: ['daos', 'rbd-mirror', 'qos-settings', 'ceph-keys'] }, 84],
    ])('feature %s hides what it should', (name, rule, count) => {
      const features = { [name]: { ...rule, enabled: false } };
      const needing = applyRequirementRules(operations, { features }).filter(
        ({ requirements }) => requirements?.feature !== undefined,
      );
      expect(needing).toHaveLength(count);
      expect(reviewRequirementRules(operations, { features })[0]!.message).toBe(
        `Feature ${name} is off: ${count} operations are hidden.`,
      );
    });
  });

  describe('its hints', () => {
    it('stand on 575 operations, and every member is understood', () => {
      const all = operations.flatMap(({ hints }) => (hints === undefined ? [] : [examineHints(hints)]));
      expect(all).toHaveLength(575);
      expect(all.filter(({ problems }) => problems.length > 0)).toEqual([]);
      expect(all.filter(({ hints }) => hints.other !== undefined)).toEqual([]);
    });

    it.each([
      ['purpose', 575],
      ['usage', 575],
      ['failure_modes', 575],
      ['error_handling', 575],
      ['related_endpoints', 573],
      ['rate_limit', 571],
      ['postprocessing_hint', 457],
      ['response_shape', 366],
      ['output_schema', 352],
      ['path_parameters', 323],
      ['semantic_category', 277],
      ['retry_strategy', 259],
      ['cache_hint', 225],
      ['input_schema', 197],
      ['workflow_guidance', 176],
      ['request_parameters', 176],
      ['recommended_poll_interval', 133],
      ['confirmation_reason', 103],
      ['common_parameters', 24],
      ['llm_priority', 16],
      ['streaming_response', 12],
      ['workflow_dependencies', 2],
      ['default_values', 1],
    ])('%s stands on %i', (member, count) => expect(hinted(member)).toHaveLength(count));

    it('say when to ask a person, not when not to', () => {
      const confirming = operations.filter(({ hints }) => hints?.['requires_confirmation'] === true);
      expect(countBy(confirming, (one) => http(one).method)).toEqual({
        GET: 3,
        POST: 43,
        PUT: 18,
        PATCH: 6,
        DELETE: 33,
      });
      expect(confirming.filter(({ access }) => access === 'read').map((one) => http(one).path)).toEqual([
        '/daos/{daosId}/certs/{certId}/keyFile',
        '/pools/{pool}/rbd-mirror/token',
        '/support/info',
      ]);
      const careless = operations.filter(
        ({ access, hints }) => access === 'delete' && hints?.['requires_confirmation'] === false,
      );
      expect(careless).toHaveLength(41);
      expect(careless.every(({ safety }) => safety.destructive)).toBe(true);
    });

    it('make limits stricter: 77 are never repeated, 55 are tried once, 571 have a rate', () => {
      const limited = (limit: string) =>
        operations.filter(({ limits }) => limits !== undefined && Object.hasOwn(limits, limit));
      expect(limited('repeat')).toHaveLength(5 + 50 + 13 + 2 + 7);
      expect(limited('repeat').every(({ safety }) => !safety.idempotent)).toBe(true);
      expect(limited('maxAttempts')).toHaveLength(35 + 5 + 14 + 1);
      expect(limited('rate')).toHaveLength(571);
      expect(
        operations
          .filter(({ access, safety }) => access === 'write' && safety.idempotent)
          .every((one) => http(one).method === 'PUT'),
      ).toBe(true);
    });

    it('poll intervals are seconds', () => {
      const seconds = operations
        .map(({ hints = {} }) => readHints(hints).pollIntervalSeconds)
        .filter((one) => one !== undefined);
      const counts = Object.fromEntries(
        Object.entries(Object.groupBy(seconds, String)).map(([key, list]) => [key, list!.length]),
      );
      expect(counts).toEqual({
        3: 2,
        5: 1,
        10: 2,
        15: 8,
        20: 2,
        30: 29,
        45: 1,
        60: 24,
        120: 20,
        180: 14,
        300: 25,
        600: 3,
        3600: 2,
      });
    });

    it('related endpoints that exist nowhere are dropped', () => {
      const facts = operations.map(factsOf);
      const wipe = readHints(at('DELETE /disks/wipe').hints!);
      expect(wipe.relatedEndpoints!.length).toBeGreaterThan(0);
      const ids = new Set(operations.map(({ id }) => id));
      const all = operations.flatMap(({ hints }) =>
        hints === undefined ? [] : relatedOperations(readHints(hints), facts),
      );
      expect(all.length).toBeGreaterThan(1000);
      expect(all.every((id) => ids.has(id))).toBe(true);
    });
  });

  describe('its traps', () => {
    it('a body that is required and has no content is no body', () => {
      const bodyless = Object.entries(
        document['paths'] as Record<string, Record<string, JsonObject>>,
      ).flatMap(([path, item]) =>
        Object.entries(item).flatMap(([method, node]) =>
          isObject(node['requestBody']) && node['requestBody']['content'] === undefined
            ? [`${method.toUpperCase()} ${path}`]
            : [],
        ),
      );
      expect(countBy(bodyless.map(at), (one) => http(one).method)).toEqual({
        GET: 165,
        DELETE: 58,
        POST: 58,
        PUT: 14,
      });
      for (const place of bodyless) {
        expect(http(at(place)).body).toBeUndefined();
        expect(http(at(place)).bindings.some((binding) => binding.in === 'body')).toBe(false);
      }
      expect(request('DELETE /api-tokens/{id}', { id: 7 })).toEqual({
        line: 'DELETE /api/api-tokens/7',
        type: undefined,
        body: undefined,
      });
    });

    it('ten DELETEs and one GET have a body all the same', () => {
      const having = operations.filter((one) => http(one).body !== undefined);
      const counts = countBy(having, (one) => http(one).method);
      expect([counts['DELETE'], counts['GET']]).toEqual([10, 1]);
      const disks = [{ disk: 52, server: 1, serial: 'x', destroy: true }];
      expect(request('DELETE /disks/wipe', { disks })).toEqual({
        line: 'DELETE /api/disks/wipe',
        type: 'application/json',
        body: JSON.stringify({ disks }),
      });
    });

    it('bodies of any type are JSON', () => {
      const types = countBy(
        operations.filter((one) => http(one).body !== undefined),
        (one) => http(one).body!.contentType,
      );
      expect(types).toEqual({
        'application/json': 170 + 21,
        'multipart/form-data': 3,
        'application/x-www-form-urlencoded': 2,
      });
    });

    it('pagination is one JSON text on all 72 lists', () => {
      const paged = operations.filter((one) =>
        http(one).bindings.some(({ in: place, name }) => place === 'query' && name === 'pagination'),
      );
      expect(paged).toHaveLength(72);
      for (const one of paged) {
        expect(http(one).bindings.find(({ name }) => name === 'pagination')).toMatchObject({
          contentType: 'application/json',
        });
      }
      const pagination = {
        limit: 20,
        after: 0,
        where: { _and: [{ hostname: { _eq: 'a&b' } }] },
        sortBy: [{ column: 'id', order: 'ASC' }],
      };
      const { line } = request('GET /servers', { pagination });
      expect(line.startsWith('GET /api/servers?pagination=%7B')).toBe(true);
      expect(line.split(/[?&]/)).toHaveLength(2);
      expect(JSON.parse(new URLSearchParams(line.split('?')[1]).get('pagination')!)).toEqual(pagination);
      expect(request('GET /servers', {}).line).toBe('GET /api/servers');
    });

    it('so is the query of the log export', () => {
      const query = { type: 'query', query: { limit: 5 } };
      const { line } = request('GET /logs/export', { format: 'raw', query });
      expect(new URLSearchParams(line.split('?')[1]).getAll('query')).toEqual([JSON.stringify(query)]);
    });

    it.each<[string, JsonObject, string]>([
      ['GET /extra-files/{path}', { path: 'a/b c.svg' }, 'GET /api/extra-files/a%2Fb%20c.svg'],
      ['GET /extra-files-secure/{path}', { path: 'a/b' }, 'GET /api/extra-files-secure/a%2Fb'],
      [
        'GET /daos/{daosId}/certs/{certId}/daos-configs.{type}',
        { daosId: 1, certId: 2, type: 'zip' },
        'GET /api/daos/1/certs/2/daos-configs.zip',
      ],
    ])('%s: a value never leaves its place', (place, args, line) =>
      expect(request(place, args).line).toBe(line),
    );

    it.each(['..', 'a/../../users', '%2e%2e/users'])('a path parameter %j that climbs is refused', (path) => {
      expect(() => request('GET /extra-files/{path}', { path })).toThrow(/path/);
    });

    it('streams have no schema that they could break where the document has none', () => {
      const streaming = hinted('streaming_response');
      expect(streaming).toHaveLength(12);
      expect(
        streaming
          .filter(({ output }) => output === undefined)
          .map((one) => `${http(one).method} ${http(one).path}`),
      ).toEqual([
        'GET /download/{token}/{fileName}',
        'GET /images/{image}/{file}',
        'GET /maintenance/backup',
        'GET /maintenance/backup/basic-auth',
        'PUT /s3/buckets/{bucketName}/upload',
      ]);
    });

    describe('in the compiled tools', () => {
      const validator = createValidator();
      let tools: Map<string, { input: JsonSchema; output: JsonSchema | undefined }>;
      beforeAll(() => {
        const compiled = compileSource(description, {
          source: 'test',
          kind: 'openapi',
          profile: 'portable',
          outputSchemas: 'relaxed',
          maxOutputSchemaSize: 2000,
        });
        expect(compiled.tools).toHaveLength(580);
        tools = new Map(
          compiled.tools.map(({ tool, facts }) => [
            facts.id,
            { input: tool.inputSchema, output: tool.outputSchema },
          ]),
        );
      });
      const accepts = (schema: JsonSchema, value: Json) => validator.validate(schema, value).valid;

      it('a condition holds conditions, as deep as it likes, and wrong ones are found', () => {
        const { input } = tools.get(at('GET /disks').id)!;
        const nested = (where: JsonObject) => ({ pagination: { limit: 1, after: 0, where } });
        expect(accepts(input, nested({ _and: [{ _or: [{ _not: { role: { _eq: 'osd' } } }] }] }))).toBe(true);
        expect(accepts(input, nested({ _and: [{ _or: 'osd' }] }))).toBe(false);
        expect(accepts(input, {})).toBe(true);
        expect(accepts(input, { page: 1 })).toBe(false);
      });

      it('a type that names null twice names it once', () => {
        const written = JSON.stringify([...tools.values()]);
        expect(JSON.stringify(document)).toContain('"type":["object","null","null"]');
        expect(written).not.toMatch(/"null","null"/);
      });

      it('a list answers with a page or with bare rows', () => {
        const { output } = tools.get(at('GET /disks').id)!;
        expect(accepts(output!, { result: [] })).toBe(true);
        expect(accepts(output!, { result: { data: [], total: 0, after: 0, limit: 20 } })).toBe(true);
      });
    });
  });
});
