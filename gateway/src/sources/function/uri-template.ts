/** A parsed RFC 6570 level 1 template: literals around simple `{name}` expressions. */
export interface UriTemplate {
  readonly variables: readonly string[];
  /** Decoded values by variable name; undefined when the URI does not fit. */
  match(uri: string): Readonly<Record<string, string>> | undefined;
}

const EXPRESSION = /\{([^{}]*)\}/g;
/** RFC 6570 §2.3 varname. */
const VARIABLE = /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*$/;

/** Undefined when the template uses more than level 1 (RFC 6570 §1.2), names a variable twice or leaves no literal between two. */
export function parseUriTemplate(template: string): UriTemplate | undefined {
  const literals: string[] = [];
  const variables: string[] = [];
  let end = 0;
  for (const expression of template.matchAll(EXPRESSION)) {
    const name = expression[1]!;
    const literal = template.slice(end, expression.index);
    const adjacent = literal === '' && variables.length > 0;
    if (!VARIABLE.test(name) || variables.includes(name) || adjacent) return undefined;
    literals.push(literal);
    variables.push(name);
    end = expression.index + expression[0].length;
  }
  literals.push(template.slice(end));
  if (literals.some((literal) => /[{}]/.test(literal))) return undefined;
  return { variables, match: (uri) => matchParts(uri, literals, variables) };
}

/**
 * Walks literal by literal, without a regular expression made from the template: linear, nothing to inject.
 * A simple expansion holds unreserved characters and escapes only (RFC 6570 §3.2.2), so it ends at the first
 * reserved one; where the next literal starts with an unreserved character, at its first occurrence.
 */
function matchParts(
  uri: string,
  literals: readonly string[],
  variables: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (!uri.startsWith(literals[0]!)) return undefined;
  const values: Record<string, string> = Object.create(null);
  let position = literals[0]!.length;
  for (const [index, name] of variables.entries()) {
    const next = literals[index + 1]!;
    const last = index === variables.length - 1;
    const end = last ? uri.length - next.length : uri.indexOf(next, position + 1);
    if (end <= position || !uri.startsWith(next, end)) return undefined;
    const value = decodeSimple(uri.slice(position, end));
    if (value === undefined) return undefined;
    values[name] = value;
    position = end + next.length;
  }
  return position === uri.length ? values : undefined;
}

function decodeSimple(text: string): string | undefined {
  if (!/^(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+$/.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
