/**
 * A tool name for an operation without an operationId that could be one: method and path in words, `get_pets_id`.
 * Depends on nothing but the operation itself.
 */
export function nameFromPath(method: string, path: string): string {
  const words = path
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '');
  return words === '' ? `${method.toLowerCase()}_root` : `${method.toLowerCase()}_${words}`;
}

/** Whether something to read is left of an operationId in a tool name, which has Latin letters only. */
export function keepsLetters(operationId: string): boolean {
  const latin = /[A-Za-z]/;
  return latin.test(operationId) || latin.test(operationId.normalize('NFKD')) || !/\p{L}/u.test(operationId);
}

/** Hands out ids that are unique in the document: an operationId that was used before gets its place added. */
export class OperationIds {
  /** The operationId, or method and path, of every id. */
  readonly #wanted = new Map<string, string>();
  readonly #repeated = new Set<string>();

  /** `duplicate` where the operationId belongs to an earlier operation. */
  claim(operationId: string | undefined, method: string, path: string): { id: string; duplicate: boolean } {
    const place = `${method} ${path}`;
    const wanted = operationId ?? place;
    const duplicate = this.#wanted.has(wanted);
    const id = duplicate ? `${wanted} ${place}` : wanted;
    if (duplicate) this.#repeated.add(wanted);
    this.#wanted.set(id, wanted);
    return { id, duplicate };
  }

  /** The operationId of this id where several operations have it. */
  shared(id: string): string | undefined {
    const wanted = this.#wanted.get(id);
    return wanted !== undefined && this.#repeated.has(wanted) ? wanted : undefined;
  }
}
