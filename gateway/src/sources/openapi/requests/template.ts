/** `{id}`, `{+name}` and `{id*}` (RFC 6570 operators and modifiers). */
const PLACEHOLDER = /\{[+*#./;?&]?([^{}*]+)\*?\}/g;

/** What a wildcard without a name is called. */
const WILDCARD = 'rest';

/** The names in a path template, without operators, each once, in order. */
export function placeholdersOf(path: string): string[] {
  if (!path.includes('{')) return [];
  const names: string[] = [];
  path.replace(PLACEHOLDER, (whole, name: string) => {
    if (!names.includes(name)) names.push(name);
    return whole;
  });
  return names;
}

/** `id` of `{id:[0-9]+}`: what stands behind the colon says what fits. */
export function nameInPlaceholder(placeholder: string): string {
  return placeholder.split(':', 1)[0]!.trim() || placeholder;
}

/** False where braces stand within braces, around nothing, or around several segments: `{name=projects/*}`. */
export function isFillable(path: string): boolean {
  if (!path.includes('{')) return true;
  const rest = path.replace(PLACEHOLDER, (whole) => (whole.includes('=') ? whole : ''));
  const left = rest.replace(/\{[?&#][^{}]*\}/g, '');
  const begin = left.indexOf('{');
  return begin === -1 || left.indexOf('}', begin) === -1;
}

/**
 * The placeholder that a declared path parameter fills: the same name, or the same but for case. Google declares
 * `{+name}` as `name`, others as `+name`.
 */
export function placeholderFor(declared: string, placeholders: readonly string[]): string | undefined {
  const plain = declared.replace(/^(?:[+#./;?&]|\*{1,2})|[*+?]$|\.{3}$/g, '');
  if (placeholders.includes(declared)) return declared;
  if (placeholders.includes(plain)) return plain;
  if (declared === '*' && placeholders.includes(WILDCARD)) return WILDCARD;
  return (
    placeholders.find((name) => name.toLowerCase() === plain.toLowerCase()) ??
    placeholders.find((name) => nameInPlaceholder(name) === plain)
  );
}

/**
 * `/users/{id}` for `/users/:id` of a document that writes paths as its router does, where a path parameter of that name
 * is declared: sent as they stand, such segments name nothing.
 */
export function withBraces(path: string, declared: ReadonlySet<string>): string {
  if (declared.size === 0) return path;
  const placeholders = new Set(placeholdersOf(path));
  return path.replace(/\/:([\w.-]+)(?=[/?#]|$)/g, (whole, name: string) =>
    declared.has(name) && !placeholders.has(name) ? `/{${name}}` : whole,
  );
}

/**
 * What routers leave in a path, in the terms of RFC 6570: `{name*2}` (hapi) takes two segments; `{*}`, `{*name}`,
 * `{**name}`, `{name+}` (AWS), `{name...}` (Go), `{name:.*}` and `{name:path}` take the rest; `{name?}` and the question
 * mark of a last `{name}?` are none of a query.
 */
export function withoutRouterMarks(path: string): string {
  if (!/[*?+]|\.{3}|:path\}/.test(path)) return path;
  return path
    .replace(/\{([^{}*]+)\*\d+\}/g, '{+$1}')
    .replace(/\/\{\*\}/g, `/{+${WILDCARD}}`)
    .replace(/\{\*{1,2}([\w-]+)\}/g, '{+$1}')
    .replace(/\{([\w-]+)(?:\+|\.{3}|:(?:\.[*+]|path))\}/g, '{+$1}')
    .replace(/\{([\w-]+)\?\}/g, '{$1}')
    .replace(/\}\?$/, '}');
}

/** `/files/{+rest}` for `/files/*`, and `/files/{+path}` for `/files/*path`: what a router's wildcard would be called here. */
export function withRest(path: string): string {
  if (!path.includes('/*')) return path;
  return path.replace(/\/\*+(\w*)(?=[/?#]|$)/g, (_whole, name: string) => `/{+${name || WILDCARD}}`);
}
