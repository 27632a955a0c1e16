import type { MarkdownPolicy } from '../../operations/index.ts';
import { placeholder, type TargetOf } from './link-target.ts';

type Guard = Exclude<MarkdownPolicy, 'keep'>;

/** Elements that load, run, navigate or hide something. */
const ACTIVE = new Set(
  (
    'a area img image picture source video audio track embed object param applet iframe frame frameset portal ' +
    'script style link meta base form input button textarea select svg math use foreignobject animate set ' +
    'template noscript noembed noframes xml body html head title marquee bgsound layer dialog slot'
  ).split(' '),
);
/** Attributes through which any element loads, runs, navigates or hides something. */
const ACTIVE_ATTRIBUTE =
  /[\s"'/](?:src|srcset|srcdoc|href|xlink:href|style|background|poster|action|formaction|data|cite|ping|longdesc|lowsrc|dynsrc|manifest|profile|codebase|classid|archive|hidden|on[a-z]+)\s*=|url\s*\(/i;
const LOADS = new Set([
  'img',
  'image',
  'source',
  'video',
  'audio',
  'embed',
  'iframe',
  'frame',
  'object',
  'input',
]);
/** They have no second tag. */
const VOID = new Set([
  'img',
  'image',
  'source',
  'track',
  'embed',
  'param',
  'link',
  'meta',
  'base',
  'input',
  'area',
]);
/** Their content is code, not text. */
const RAW_CONTENT = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'noembed',
  'noframes',
  'iframe',
  'xml',
]);

const QUOTED_ATTRIBUTES = /^(?:\s+[a-z]+="[^"<>]*")*\s*\/?$/i;
const WORDS = new Set(['alt', 'title', 'width', 'height']);

/** One tag as lenient readers take it, ending before the next `<` where it is broken. */
const TAG = /<(\/?)([a-z][a-z0-9:-]*)(?=[\s/>])((?:[^<>"']|"[^"]*"|'[^']*')*)>/iy;
const SPECIAL = /<(?:!--|[!?/a-z])/gi;

/** Text with HTML that can do nothing: comments gone, active tags replaced by what they show. Linear time. */
export function guardHtml(text: string, policy: Guard, targetOf: TargetOf): string {
  const parts: string[] = [];
  const unclosed = new Set<string>();
  const dropped = new Map<string, number>();
  let at = 0;
  SPECIAL.lastIndex = 0;
  for (let match = SPECIAL.exec(text); match !== null; match = SPECIAL.exec(text)) {
    const from = match.index;
    const found = replaced(text, from, { policy, targetOf, unclosed, dropped });
    if (found === undefined) continue;
    parts.push(text.slice(at, from), found.text);
    at = found.end;
    SPECIAL.lastIndex = at;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

interface Replacing {
  readonly policy: Guard;
  readonly targetOf: TargetOf;
  /** Ends that were looked for and do not come: nothing is searched for twice. */
  readonly unclosed: Set<string>;
  /** Open elements whose first tag is gone; their last goes too. */
  readonly dropped: Map<string, number>;
}

interface Replaced {
  readonly text: string;
  /** Where the text goes on. */
  readonly end: number;
}

/** Undefined: it stays as it is. */
function replaced(
  text: string,
  from: number,
  { policy, targetOf, unclosed, dropped }: Replacing,
): Replaced | undefined {
  const endOf = (mark: string, after: number): number => {
    if (unclosed.has(mark)) return -1;
    const end = text.indexOf(mark, after);
    if (end < 0) unclosed.add(mark);
    return end < 0 ? -1 : end + mark.length;
  };
  if (text.startsWith('<!--', from)) {
    const end = endOf('-->', from + 4);
    return end < 0 ? { text: '< !--', end: from + 4 } : { text: '', end };
  }
  const next = text[from + 1]!;
  if (next === '!' || next === '?') return { text: `< ${next}`, end: from + 2 };
  TAG.lastIndex = from;
  const tag = TAG.exec(text);
  if (tag === null) return broken(text, from);
  const [whole, slash, name, attributes] = tag as unknown as [string, string, string, string];
  const element = name.toLowerCase();
  const end = from + whole.length;
  if (slash === '/') {
    const open = dropped.get(element) ?? 0;
    if (open > 0) dropped.set(element, open - 1);
    return open > 0 ? { text: '', end } : undefined;
  }
  if (!ACTIVE.has(element) && !ACTIVE_ATTRIBUTE.test(attributes)) return undefined;
  const address = addressIn(attributes);
  const target = address === undefined ? undefined : targetOf(address);
  if (target?.allowed && target.host !== '' && isHarmless(element, attributes)) return undefined;
  if (RAW_CONTENT.has(element)) {
    const close = endOf(`</${name}`, end);
    const after =
      close < 0 ? end : close + (/^[^<>]*>?/.exec(text.slice(close, close + 64))?.[0].length ?? 0);
    return { text: policy === 'strip' ? '' : placeholder(element, '', target?.host ?? ''), end: after };
  }
  if (!VOID.has(element)) dropped.set(element, (dropped.get(element) ?? 0) + 1);
  if (policy === 'strip' || target === undefined) return { text: '', end };
  if (LOADS.has(element)) {
    const what = element === 'img' || element === 'image' ? 'image' : element;
    return { text: placeholder(what, attribute(attributes, 'alt') ?? '', target.host), end };
  }
  return { text: target.inert === '' ? '' : `(link to ${target.inert}) `, end };
}

/** What begins like an active tag and never ends would take up whatever follows. */
function broken(text: string, from: number): Replaced | undefined {
  const [, name] = /^<\/?([a-z][a-z0-9:-]{0,31})/i.exec(text.slice(from, from + 40)) ?? [];
  return name !== undefined && ACTIVE.has(name.toLowerCase()) ? { text: '< ', end: from + 1 } : undefined;
}

function addressIn(attributes: string): string | undefined {
  for (const name of ['src', 'href', 'xlink:href', 'data', 'poster', 'action', 'srcset', 'background']) {
    const value = attribute(attributes, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Only an image or a link with nothing but its one address and words, all of them quoted. */
function isHarmless(element: string, attributes: string): boolean {
  const own = element === 'a' ? 'href' : element === 'img' ? 'src' : undefined;
  if (own === undefined || !QUOTED_ATTRIBUTES.test(attributes)) return false;
  const names = [...attributes.matchAll(/\s([a-z]+)="/gi)].map(([, name]) => name!.toLowerCase());
  return (
    names.filter((name) => name === own).length === 1 &&
    names.every((name) => name === own || WORDS.has(name))
  );
}

function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[\\s"'/])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'<>]+))`, 'i').exec(
    attributes,
  );
  return found?.[1] ?? found?.[2] ?? found?.[3];
}
