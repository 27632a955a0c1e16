import type { HttpInvocation, Operation } from '../../src/operations/index.ts';

type Changes = Partial<Omit<Operation, 'invocation'>> & Partial<Pick<HttpInvocation, 'method' | 'path'>>;

/** An HTTP operation of which only the named parts matter. */
export function operation({ method = 'GET', path = '/pets', ...changes }: Changes = {}): Operation {
  return {
    id: 'listPets',
    source: 'pets',
    description: '',
    input: { type: 'object' },
    access: 'read',
    tags: [],
    safety: { network: true, file: false, destructive: false, idempotent: true, openWorld: true },
    invocation: { kind: 'http', method, path, servers: [], bindings: [], accept: [], security: [] },
    ...changes,
  };
}
