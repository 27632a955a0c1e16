/** Expressions of RFC 6570 §2.2; only what tells templates apart. */
const EXPRESSION = /\{([+#./;?&]?)[^{}*]*(\*?)[^{}]*\}/g;

/** What an expression may expand to (RFC 6570 §3.2): nothing or what begins with its operator, except where it says otherwise. */
interface Expansion {
  readonly begin?: string;
  readonly never?: RegExp;
  readonly nonEmpty?: true;
}

const EXPANSIONS: Readonly<Record<string, Expansion>> = {
  '': { never: /[/?#]/, nonEmpty: true },
  '+': {},
  '#': { begin: '#' },
  '.': { begin: '.', never: /[/?#]/ },
  '/': { begin: '/', never: /[?#]/ },
  ';': { begin: ';', never: /[/?#]/ },
  '?': { begin: '?', never: /#/ },
  '&': { begin: '&', never: /#/ },
};

/** `{path*}` in FastMCP: as many segments as there are. */
const SEGMENTS: Expansion = { never: /[?#]/, nonEmpty: true };

type Part = string | Expansion;

/** The text before the first expression: the more of it, the surer the template means the address. */
export function literalPrefix(template: string): string {
  const first = template.search(EXPRESSION);
  return first === -1 ? template : template.slice(0, first);
}

/**
 * Whether an address may come from a template of any level: whose server to ask, not what the variables are. Every way
 * to part the address is followed at once, so that time grows with its length and the number of expressions, and no
 * pattern is made from foreign text.
 */
export function templateMatcher(template: string): (uri: string) => boolean {
  const parts = partsOf(template);
  return (uri) => {
    let ends: ReadonlySet<number> = new Set([0]);
    for (const part of parts) {
      ends = typeof part === 'string' ? pastText(uri, ends, part) : pastExpansion(uri, ends, part);
      if (ends.size === 0) return false;
    }
    return ends.has(uri.length);
  };
}

function partsOf(template: string): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of template.matchAll(EXPRESSION)) {
    const [expression, operator = '', explode] = match;
    const isSegments = operator === '' && explode === '*';
    parts.push(template.slice(end, match.index), isSegments ? SEGMENTS : EXPANSIONS[operator]!);
    end = match.index + expression.length;
  }
  return [...parts, template.slice(end)];
}

function pastText(uri: string, starts: ReadonlySet<number>, text: string): ReadonlySet<number> {
  if (text === '') return starts;
  const ends = new Set<number>();
  for (const start of starts) if (uri.startsWith(text, start)) ends.add(start + text.length);
  return ends;
}

function pastExpansion(
  uri: string,
  starts: ReadonlySet<number>,
  { begin, never, nonEmpty }: Expansion,
): ReadonlySet<number> {
  const ends = new Set<number>(nonEmpty ? [] : starts);
  let within = false;
  for (let at = Math.min(...starts); at < uri.length; at++) {
    const character = uri[at]!;
    const isAllowed = !never?.test(character);
    const begins = starts.has(at) && (begin === undefined ? isAllowed : character === begin);
    within = begins || (within && isAllowed);
    if (within) ends.add(at + 1);
  }
  return ends;
}
