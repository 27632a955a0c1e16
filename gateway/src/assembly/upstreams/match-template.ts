/** Expressions of RFC 6570 §2.2; only what tells templates apart. */
const EXPRESSION = /\{([+#./;?&]?)[^{}]*\}/g;

interface Part {
  /** Text before the expression. */
  readonly literal: string;
  /** The expression may span slashes or be empty. */
  readonly wide: boolean;
}

/** The text before the first expression: the more of it, the surer the template means the address. */
export function literalPrefix(template: string): string {
  const first = template.search(EXPRESSION);
  return first === -1 ? template : template.slice(0, first);
}

/**
 * Whether an address may come from a template of any level: whose server to ask, not what the variables are.
 * Walks literal by literal, in linear time and without a pattern made from foreign text.
 */
export function templateMatcher(template: string): (uri: string) => boolean {
  const parts: Part[] = [];
  let end = 0;
  for (const match of template.matchAll(EXPRESSION)) {
    parts.push({ literal: template.slice(end, match.index), wide: match[1] !== '' });
    end = match.index + match[0].length;
  }
  const tail = template.slice(end);
  return (uri) => {
    let position = 0;
    for (const [index, { literal, wide }] of parts.entries()) {
      if (!uri.startsWith(literal, position)) return false;
      const start = position + literal.length;
      const next = parts[index + 1]?.literal;
      const stop = next === undefined ? uri.length - tail.length : endOf(uri, start, next, wide);
      if (stop < start || (!wide && (stop === start || /[/?#]/.test(uri.slice(start, stop))))) return false;
      position = stop;
    }
    return parts.length === 0 ? uri === template : uri.startsWith(tail, position);
  };
}

/** Two expressions side by side share a value: the first takes it. */
function endOf(uri: string, start: number, next: string, wide: boolean): number {
  if (next !== '') return uri.indexOf(next, wide ? start : start + 1);
  const rest = uri.slice(start).search(/[/?#&]/);
  return rest === -1 ? uri.length : start + rest;
}
