import type {
  HttpInvocation,
  JsonSchema,
  Operation,
  VisibleOperation,
} from '../../../src/operations/index.ts';
import { plainOperation } from '../../catalog/compiled-source.ts';
import { visible } from '../search-set.ts';

const ACCESS = { GET: 'read', DELETE: 'delete' } as const;

/** An operation at `METHOD /path`, its path parameters bound; everything else may be said. */
export function endpoint(
  id: string,
  place: string,
  { properties = {}, required = [], ...changes }: EndpointChanges = {},
): VisibleOperation {
  return visible(endpointOperation(id, place, { properties, required, ...changes }));
}

export interface EndpointChanges extends Partial<Operation> {
  readonly properties?: JsonSchema;
  readonly required?: readonly string[];
}

export function endpointOperation(
  id: string,
  place: string,
  { properties = {}, required = [], ...changes }: EndpointChanges = {},
): Operation {
  const [method = '', path = ''] = place.split(' ');
  const source = changes.source ?? 'ceph';
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!);
  const inPath = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const inBody = method === 'GET' || method === 'DELETE' ? 'query' : 'body';
  const invocation: HttpInvocation = {
    kind: 'http',
    method,
    path,
    servers: [],
    accept: [],
    security: [],
    bindings: [
      ...names.map((name) => ({ in: 'path', name, arg: name }) as const),
      ...Object.keys(properties)
        .filter((name) => !names.includes(name))
        .map((name) =>
          inBody === 'body'
            ? ({ in: 'body', name, arg: name, contentType: 'application/json' } as const)
            : ({ in: 'query', name, arg: name } as const),
        ),
    ],
  };
  return {
    ...plainOperation(id, source),
    access: ACCESS[method as keyof typeof ACCESS] ?? 'write',
    input: {
      type: 'object',
      properties: { ...inPath, ...properties },
      required: [...names, ...required],
      additionalProperties: false,
    },
    ...changes,
    invocation: changes.invocation ?? invocation,
  };
}

/** A small storage service: one collection with its records, one beneath it, and what takes any path. */
export const POOLS: readonly VisibleOperation[] = [
  endpoint('listPools', 'GET /pools', {
    tags: ['pools'],
    properties: { limit: { type: 'integer' }, size: { type: 'integer' } },
  }),
  endpoint('createPool', 'POST /pools', {
    tags: ['pools'],
    properties: { name: { type: 'string' }, size: { type: 'integer' } },
    required: ['name'],
  }),
  endpoint('getPool', 'GET /pools/{pool}', { tags: ['pools'], properties: { pool: { type: 'integer' } } }),
  endpoint('updatePool', 'PATCH /pools/{pool}', {
    tags: ['pools'],
    properties: { size: { type: 'integer' } },
  }),
  endpoint('deletePool', 'DELETE /pools/{pool}', { tags: ['pools'] }),
  endpoint('scrubPool', 'POST /pools/{pool}/scrub', { tags: ['pools'] }),
  endpoint('listSnapshots', 'GET /pools/{pool}/snapshots', { tags: ['pools'] }),
  endpoint('getSnapshot', 'GET /pools/{pool}/snapshots/{snapshot}', { tags: ['pools'] }),
  endpoint('getFile', 'GET /files/{path}'),
  endpoint('getLogs', 'GET /logs', { tags: ['logs'] }),
];
