/** What to look for in an answer to learn, cheaply, that a secret may stand in it. */
export interface EchoNeedles {
  /** False: the secret stands nowhere in this content in a known encoding. True: look closely. */
  mayHold(content: Buffer | string): boolean;
  /** Where needles start in a text, at most `enough` of them. */
  positions(text: string, enough: number): readonly number[];
}

/** Shorter ones are no secrets, and hiding them would spoil answers. */
export const SHORTEST_ECHO = 6;

/** Letters and digits stay what they are in percent, JSON and HTML escapes. */
const RUN = /[A-Za-z0-9]+/g;
const LONGEST_NEEDLE = 24;
const BASE64_NEEDLE = 10;

/** Text in which every character is escaped: no run of letters survives that. */
const ALL_ESCAPED =
  /(?:%[0-9a-f]{2}){6}|(?:\\u00[0-9a-f]{2}){6}|(?:\\x[0-9a-f]{2}){6}|(?:&#x?[0-9a-f]{2,4};){6}/i;
const SHORTEST_ESCAPED = 18;
/** Longer texts are not looked through for that, bytes. */
const MAX_ESCAPED = 64 * 1024;
const ESCAPES = ['%', '\\u00', '\\x', '&#'];

/**
 * A few byte searches for each secret: its longest plain run, that run in base64 at every offset, and in hex. One of
 * punctuation and short runs is looked for by a pattern, too: no part of it stays as it is in every escape.
 */
export function echoNeedles(secrets: readonly string[]): EchoNeedles {
  const texts = [...new Set(secrets.flatMap(needlesOf))];
  const needles = texts.map((needle) => Buffer.from(needle, 'utf8'));
  const patterns = secrets
    .filter((secret) => longestRunOf(secret).length < SHORTEST_ECHO)
    .map((secret) => new RegExp([...secret.replace(/\\+/g, '\\')].map(anyWayToWrite).join(''), 'gi'));
  const shortest = Math.min(SHORTEST_ESCAPED, ...texts.map(({ length }) => length));
  return {
    mayHold(content) {
      if (content.length < shortest) return false;
      const isText = typeof content === 'string';
      const found = isText
        ? texts.some((needle) => content.includes(needle))
        : needles.some((needle) => content.includes(needle));
      if (found) return true;
      if (patterns.length > 0) {
        const text = isText ? content : content.toString('utf8');
        if (patterns.some((pattern) => text.search(pattern) >= 0)) return true;
      }
      if (content.length > MAX_ESCAPED || !ESCAPES.some((start) => content.includes(start))) return false;
      return ALL_ESCAPED.test(isText ? content : content.toString('latin1'));
    },
    positions(text, enough) {
      const found: number[] = [];
      for (const needle of texts) {
        for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
          if (found.push(at) >= enough) return found;
        }
      }
      for (const pattern of patterns) {
        for (const { index } of text.matchAll(pattern)) if (found.push(index) >= enough) return found;
      }
      return found;
    },
  };
}

/** The ways in which services write a value most: as it is, in an address, in a form, in JSON. Longest first. */
export function plainForms(secrets: readonly string[]): readonly string[] {
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll('%20', '+'),
    JSON.stringify(secret).slice(1, -1),
  ]);
  return [...new Set(forms)].sort((one, other) => other.length - one.length);
}

function needlesOf(secret: string): string[] {
  const longest = longestRunOf(secret);
  // A secret of punctuation and short runs is looked for whole, and as it is escaped.
  if (longest.length < SHORTEST_ECHO) {
    const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
    return [...forms, ...base64Needles(secret), ...hexNeedles(secret), ...escapedNeedles(secret)];
  }
  const run = longest.slice(0, LONGEST_NEEDLE);
  return [run, ...base64Needles(run), ...hexNeedles(run), ...escapedNeedles(run)];
}

function longestRunOf(text: string): string {
  return (text.match(RUN) ?? []).reduce((best, run) => (run.length > best.length ? run : best), '');
}

/** HTML's names of what its authors escape. */
const HTML_NAMES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** One character as it is, or in an escape, or in one that was escaped again; bounded, so that a search stays linear. */
function anyWayToWrite(character: string): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  const code = character.codePointAt(0)!;
  const hexOf = (number: number, digits: number) => number.toString(16).padStart(digits, '0');
  const bytes = [...Buffer.from(character, 'utf8')].map((byte) => hexOf(byte, 2));
  const units = Array.from({ length: character.length }, (_, at) => hexOf(character.charCodeAt(at), 4));
  // it stands for as many as there are, which each escape doubles
  const isBackslash = character === '\\';
  const name = Object.hasOwn(HTML_NAMES, character) ? [`${HTML_NAMES[character]};`] : [];
  const ways = [
    isBackslash ? '\\\\' : `\\\\{0,8}${units.map((unit) => `\\u${unit}`).join('')}`,
    bytes.map((byte) => `%(?:25){0,4}${byte}`).join(''),
    units.map((unit) => `\\\\{1,8}u${unit}`).join(''),
    bytes.map((byte) => `\\\\{1,8}x${byte}`).join(''),
    `&(?:amp;){0,4}(?:${[`#0{0,4}${code};`, `#x0{0,4}${code.toString(16)};`, ...name].join('|')})`,
    ...(character === ' ' ? ['\\+'] : []),
  ];
  return `(?:${ways.map((way) => (isBackslash ? `(?:${way}){1,16}` : way)).join('|')})`;
}

/** Both ends at each of three offsets, so that one line break within does not hide it. */
function base64Needles(text: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text, 'utf8')]);
    const whole = Math.floor(bytes.length / 3) * 4;
    const inner = bytes.toString('base64').slice(offset === 0 ? 0 : 4, whole);
    const best = (inner.match(RUN) ?? []).reduce(
      (one, other) => (other.length > one.length ? other : one),
      '',
    );
    return best.length < 4 ? [] : [best.slice(0, BASE64_NEEDLE), best.slice(-BASE64_NEEDLE)];
  });
}

function hexNeedles(text: string): string[] {
  const hex = Buffer.from(text, 'utf8').toString('hex');
  return [hex, hex.toUpperCase()];
}

/** The beginning with every byte escaped: nothing shorter would be told from other text. */
function escapedNeedles(text: string): string[] {
  const codes = [...Buffer.from(text, 'utf8').subarray(0, SHORTEST_ECHO)].map((byte) => byte.toString(16));
  const percent = codes.map((code) => `%${code.padStart(2, '0')}`).join('');
  const unicode = codes.map((code) => `\\u${code.padStart(4, '0')}`).join('');
  return [...new Set([percent, percent.toUpperCase(), unicode])];
}
