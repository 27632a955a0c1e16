/**
 * A tool name for an operation without operationId: method and path in words, `get_pets_id`. Depends on nothing
 * but the operation itself.
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

/** Hands out ids that are unique in the document: an operationId that was used before gets its place added. */
export class OperationIds {
  readonly #used = new Set<string>();

  /** `duplicate` where the operationId belongs to an earlier operation. */
  claim(operationId: string | undefined, method: string, path: string): { id: string; duplicate: boolean } {
    const place = `${method} ${path}`;
    const wanted = operationId ?? place;
    const duplicate = this.#used.has(wanted);
    const id = duplicate ? `${wanted} ${place}` : wanted;
    this.#used.add(id);
    return { id, duplicate };
  }
}
