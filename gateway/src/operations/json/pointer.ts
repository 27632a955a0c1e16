/** Every JSON Pointer (RFC 6901 §3), and nothing else. */
export const JSON_POINTER = /^(\/([^~/]|~[01])*)*$/;

/** One reference token of a JSON Pointer, escaped (RFC 6901 §3). */
export function escapeToken(token: string | number): string {
  const text = String(token);
  return /[~/]/.test(text) ? text.replaceAll('~', '~0').replaceAll('/', '~1') : text;
}

/** Reference tokens of a pointer (`/a/b` or `#/a/b`), unescaped; undefined when it is no pointer. */
export function parsePointer(pointer: string): string[] | undefined {
  const path = pointer.startsWith('#') ? pointer.slice(1) : pointer;
  if (path === '') return [];
  if (!path.startsWith('/')) return undefined;
  return path.slice(1).split('/').map(unescapeToken);
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The value at a list of tokens; undefined when the path leaves the document. Own properties only. */
export function valueAt(root: unknown, tokens: readonly string[]): unknown {
  let node = root;
  for (const token of tokens) {
    if (node === null || typeof node !== 'object' || !Object.hasOwn(node, token)) return undefined;
    node = (node as Record<string, unknown>)[token];
  }
  return node;
}
