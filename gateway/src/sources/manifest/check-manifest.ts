import { isObject } from '../../operations/index.ts';
import { type Problem, problemsOf } from '../../operations/text/schema-problems.ts';
import { checkAuth } from './auth.ts';
import { checkOperation } from './check-operation.ts';
import type { ProviderManifest, ProviderOperation } from './manifest.ts';
import { headSchema, operationSchema } from './schema.ts';

/** A manifest of which every part can stand, and what was left out of it. */
export interface CheckedManifest {
  readonly manifest: ProviderManifest;
  /** Where the operations of `manifest` stand in the given list. */
  readonly indices: readonly number[];
  readonly broken: readonly BrokenOperation[];
}

/** An operation that was left out. */
export interface BrokenOperation {
  readonly index: number;
  readonly id: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly problems: readonly Problem[];
}

/** The whole is refused for its head alone; a broken operation costs itself. `problems`: why the head is refused. */
export function checkManifest(value: unknown): CheckedManifest | { readonly problems: readonly Problem[] } {
  const parsed = headSchema.safeParse(value);
  if (!parsed.success) return { problems: problemsOf(parsed.error.issues, value) };
  const head = { ...parsed.data, operations: [] } as unknown as ProviderManifest;
  const problems = checkHead(head);
  if (problems.length > 0) return { problems };
  const operations: ProviderOperation[] = [];
  const indices: number[] = [];
  const broken: BrokenOperation[] = [];
  const ids = new Set<string>();
  for (const [index, given] of parsed.data.operations.entries()) {
    const found = checkGiven(given, index, head, ids);
    if ('problems' in found) broken.push({ index, ...placeOf(given), problems: found.problems });
    else {
      ids.add(found.operation.id);
      operations.push(found.operation);
      indices.push(index);
    }
  }
  return { manifest: { ...head, operations }, indices, broken };
}

function checkGiven(
  given: unknown,
  index: number,
  head: ProviderManifest,
  ids: ReadonlySet<string>,
): { readonly operation: ProviderOperation } | { readonly problems: readonly Problem[] } {
  const at = ['operations', index];
  const unsafe = unsafeKey(given, at);
  if (unsafe !== undefined) return { problems: [unsafe] };
  const parsed = operationSchema.safeParse(given);
  if (!parsed.success) return { problems: problemsOf(parsed.error.issues, given, at) };
  const operation = parsed.data;
  const problems = checkOperation(operation, head).map(({ path, message }) => ({
    path: [...at, ...path],
    message,
  }));
  if (ids.has(operation.id)) {
    problems.push({
      path: [...at, 'id'],
      message: `The id ${operation.id} belongs to an earlier operation.`,
    });
  }
  return problems.length > 0 ? { problems } : { operation };
}

function checkHead(head: ProviderManifest): Problem[] {
  const problems: Problem[] = [...checkAuth(head)];
  const { pagination, parameters = {} } = head;
  for (const name of pagination?.parameters ?? []) {
    if (Object.hasOwn(parameters, name)) continue;
    problems.push({ path: ['pagination', 'parameters'], message: `There is no shared parameter ${name}.` });
  }
  if (pagination?.alone !== undefined && !pagination.parameters?.includes(pagination.alone)) {
    problems.push({ path: ['pagination', 'alone'], message: 'alone must be one of parameters.' });
  }
  return problems;
}

function placeOf(given: unknown): Pick<BrokenOperation, 'id' | 'method' | 'path'> {
  const { id, method, path } = isObject(given) ? given : {};
  return {
    id: typeof id === 'string' ? id : undefined,
    method: typeof method === 'string' ? method : '?',
    path: typeof path === 'string' ? path : '?',
  };
}

/** A schema would pass over such a key in silence. */
function unsafeKey(value: unknown, path: readonly PropertyKey[]): Problem | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (Object.hasOwn(value, '__proto__')) {
    return { path: [...path, '__proto__'], message: '__proto__ cannot be a name.' };
  }
  for (const [key, member] of Object.entries(value)) {
    const found = unsafeKey(member, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
