/**
 * Words that, in angle brackets, imitate the markup of models and clients. What also occurs as a placeholder or
 * as HTML (`/users/<user>`, `<s>`) counts only with its other half, see `isPaired`.
 */
const CONTROL_WORDS = [
  'system',
  'sys',
  'system[-_ ]?(?:prompt|message|instructions?|reminder|override|note)',
  'important',
  'critical',
  'secret',
  'hidden',
  'override',
  'admin',
  'developer',
  'assistant',
  'instructions?',
  'thinking',
  'im_(?:start|end|sep)',
  '(?:start|end|begin)_of_(?:turn|text|sentence|message)',
  'endoftext',
  'bos',
  'eos',
  'function_(?:calls?|results?|response)',
  'tool_(?:calls?|results?|use|response|outputs?)',
  'antml:[a-z_]+',
].join('|');

/** Counted only when the text also has the other half. */
const PAIRED_WORDS = 'user|human|tool|prompt|model|function|context|invoke|parameter';

const SQUARE_WORDS =
  'inst|sys|system[-_ ]?(?:prompt|message)|available_tools|tool_(?:calls|results|content)|user_prompt';

/** One alternative a form: `<|x|>`, `<<SYS>>`, `<x attr>`, `[INST]`, `[SYSTEM]`, `<s>`. Bounded repeats: linear time. */
const TAG = new RegExp(
  [
    '<\\|/?[^\\s<>|]{1,64}\\|>',
    `<\\s{0,8}\\|\\s{0,8}/?(?:${CONTROL_WORDS}|${PAIRED_WORDS})\\s{0,8}\\|\\s{0,8}>`,
    `<\\s{0,8}<\\s{0,8}/?\\s{0,8}(?:${CONTROL_WORDS})\\s{0,8}>\\s{0,8}>`,
    `<\\s{0,8}/?\\s{0,8}(?:${CONTROL_WORDS})\\s{0,8}/?\\s{0,8}>`,
    `<(?:${CONTROL_WORDS})\\s[^<>]{0,256}>`,
    `<(?<paired>/?(?:${PAIRED_WORDS}|s))(?:\\s[^<>]{0,256})?>`,
    `\\[\\s{0,8}/?\\s{0,8}(?:${SQUARE_WORDS})\\s{0,8}\\]`,
  ].join('|'),
  'giu',
);

/** `[SYSTEM]` as a mark of its own; `[system](…)` is a link. */
const SYSTEM_MARK = /\[\s{0,8}\/?\s{0,8}SYSTEM\s{0,8}\](?!\(|\[)/gu;

const OPENING = '<‹〈⟨❮❰˂ᐸ≺＜﹤';
const CLOSING = '>›〉⟩❯❱˃ᐳ≻＞﹥';
const BRACKET = new RegExp(`[${OPENING}\\[［]`, 'u');

/** ASCII and typographic marks, which read as no letter, space or bracket. */
const PLAIN = /^[\x00-\x7f\u2010-\u2026]*$/;
/** How every tag in such a text begins. */
const TAG_START = /<\s*[|/<a-z]|\[[\s/]*(?:inst|sys|available_tools|tool_|user_prompt)/i;

/** Letters of other scripts by the Latin letter they read as, beyond what NFKC folds. */
const READ_AS: Readonly<Record<string, string>> = {
  a: 'аαᴀɑ',
  b: 'ьƅ',
  c: 'сϲᴄ',
  d: 'ԁ',
  e: 'еεᴇҽ',
  g: 'ɡ',
  h: 'һհ',
  i: 'іιɪıӏ',
  j: 'ј',
  k: 'кκᴋ',
  m: 'мᴍ',
  n: 'ոɴ',
  o: 'оοօᴏ',
  p: 'рρᴘ',
  r: 'гʀ',
  s: 'ѕꜱ',
  t: 'тτᴛ',
  u: 'υսᴜ',
  v: 'ѵνᴠ',
  w: 'ԝᴡ',
  x: 'хχ',
  y: 'уүʏγ',
  A: 'АΑ',
  B: 'ВΒ',
  C: 'СϹ',
  E: 'ЕΕ',
  H: 'НΗ',
  I: 'ІΙӀ',
  J: 'Ј',
  K: 'КΚ',
  M: 'МΜ',
  N: 'Ν',
  O: 'ОΟ',
  P: 'РΡ',
  S: 'Ѕ',
  T: 'ТΤ',
  X: 'ХΧ',
  Y: 'УΥҮ',
  '<': OPENING,
  '>': CLOSING,
};
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries(READ_AS).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

/**
 * Text in which imitated control tags have lost their brackets: `<system>` → `(system)`. Look-alike spellings
 * (other scripts, full width, combining marks) count as what they read as. Same text when there is none.
 */
export function neutraliseControlTags(text: string): string {
  if (!BRACKET.test(text) || (PLAIN.test(text) && !TAG_START.test(text))) return text;
  const folded = /^[\x00-\x7f]*$/.test(text) ? { text } : fold(text);
  const spans = findTags(folded.text);
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of spans) {
    const from = folded.starts?.[start] ?? start;
    const to = folded.starts?.[end] ?? end;
    parts.push(text.slice(at, from), withoutBrackets(text.slice(from, to)));
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

interface Folded {
  readonly text: string;
  /** Index in the original of every UTF-16 unit of `text`, and of its end. */
  readonly starts?: readonly number[];
}

function findTags(text: string): ReadonlyArray<readonly [number, number]> {
  const spans: Array<readonly [number, number]> = [];
  const names = new Set<string>();
  for (const [, name] of text.matchAll(/<(\/?[a-z]{1,16})[\s>]/giu)) names.add(name!.toLowerCase());
  const strays = strayMarks(text);
  for (const match of text.matchAll(TAG)) {
    const paired = match.groups?.['paired']?.toLowerCase();
    if (paired === 's' || paired === '/s') {
      if (!strays.has(match.index)) continue;
    } else if (paired !== undefined && !isImitation(paired, names)) continue;
    spans.push([match.index, match.index + match[0].length]);
  }
  for (const match of text.matchAll(SYSTEM_MARK)) spans.push([match.index, match.index + match[0].length]);
  return spans.sort((a, b) => a[0] - b[0]);
}

/** `<user>` with `</user>` is markup, alone a placeholder. */
function isImitation(name: string, names: ReadonlySet<string>): boolean {
  return names.has(name.startsWith('/') ? name.slice(1) : `/${name}`);
}

/** Where `<s>` and `</s>` stand without their other half: as HTML they come in pairs, as sequence marks they do not. */
function strayMarks(text: string): ReadonlySet<number> {
  const strays = new Set<number>();
  const open: number[] = [];
  for (const match of text.matchAll(/<(\/?)s>/giu)) {
    if (match[1] === '') open.push(match.index);
    else if (open.pop() === undefined) strays.add(match.index);
  }
  for (const index of open) strays.add(index);
  return strays;
}

function withoutBrackets(tag: string): string {
  return [...tag]
    .map((character) => {
      if (character === '[' || character === '［' || OPENING.includes(character)) return '(';
      if (character === ']' || character === '］' || CLOSING.includes(character)) return ')';
      return character;
    })
    .join('');
}

/** What the text reads as: NFKC per character, look-alikes as Latin, marks and invisible characters gone. */
function fold(text: string): Folded {
  const parts: string[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    const reading = character < '\u0080' ? character : readingOf(character);
    parts.push(reading);
    for (let unit = 0; unit < reading.length; unit++) starts.push(at);
    at += character.length;
  }
  starts.push(at);
  return { text: parts.join(''), starts };
}

function readingOf(character: string): string {
  const plain = character.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '');
  return [...plain].map((part) => LOOK_ALIKES.get(part) ?? part).join('');
}
