/** A class, an escape, or any other single character, and a counted repeat behind it. */
const TOKEN =
  /(\[\^?(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|.)|.)(?:\{(\d+)(,(\d*))?\})?/gsu;

const SPACE = '\\s\\x0b\\x{a0}\\x{feff}\\p{Z}';
/** General categories by their long names (ECMA-262, table of General_Category values), which RE2 does not know. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Letter: 'L',
  Cased_Letter: 'LC',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Combining_Mark: 'M',
  Nonspacing_Mark: 'Mn',
  Spacing_Mark: 'Mc',
  Enclosing_Mark: 'Me',
  Number: 'N',
  Decimal_Number: 'Nd',
  digit: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Punctuation: 'P',
  punct: 'P',
  Connector_Punctuation: 'Pc',
  Dash_Punctuation: 'Pd',
  Open_Punctuation: 'Ps',
  Close_Punctuation: 'Pe',
  Initial_Punctuation: 'Pi',
  Final_Punctuation: 'Pf',
  Other_Punctuation: 'Po',
  Symbol: 'S',
  Math_Symbol: 'Sm',
  Currency_Symbol: 'Sc',
  Modifier_Symbol: 'Sk',
  Other_Symbol: 'So',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Line_Separator: 'Zl',
  Paragraph_Separator: 'Zp',
  Other: 'C',
  Control: 'Cc',
  cntrl: 'Cc',
  Format: 'Cf',
};

/** RE2 repeats at most this often in one quantifier. */
const MAX_REPEAT = 1000;
/** More than this in all is never worth a program. */
const MAX_TOTAL = 3000;

/**
 * An ECMA-262 pattern in RE2's words: white space and `.` cover what ECMA-262 says, long repeats are split.
 * Throws where the meaning is uncertain (`\A`, `\Z` are anchors elsewhere and letters here).
 */
export function asRe2(pattern: string): string {
  return pattern.replace(TOKEN, (_match, atom: string, low?: string, comma?: string, high?: string) => {
    const translated = translateAtom(atom);
    if (low === undefined) return translated;
    const least = Number(low);
    const most = comma === undefined ? least : high === '' ? Number.POSITIVE_INFINITY : Number(high);
    return splitRepeat(translated, least, most);
  });
}

function translateAtom(atom: string): string {
  if (atom.startsWith('[')) return translateClass(atom);
  if (atom === '.') return '[^\\n\\r\\x{2028}\\x{2029}]';
  if (atom === '\\s') return `[${SPACE}]`;
  if (atom === '\\S') return `[^${SPACE}]`;
  if (/^\\[AZzaeGQE1-9k]$/.test(atom)) throw new SyntaxError(`${atom} has no certain meaning`);
  return translateProperty(atom);
}

function translateClass(text: string): string {
  return text.replace(/\\(?:[pP]\{[^}]*\}|.)/gsu, (escaped) => {
    if (escaped === '\\s') return SPACE;
    if (escaped === '\\b') return '\\x08';
    return translateProperty(escaped);
  });
}

function translateProperty(atom: string): string {
  return atom.replace(
    /^(\\[pP])\{(?:(?:Script|sc|Script_Extensions|scx|General_Category|gc)=)?(\w+)\}$/,
    (_, sign: string, name: string) => `${sign}{${CATEGORIES[name] ?? name}}`,
  );
}

function splitRepeat(atom: string, least: number, most: number): string {
  if (least > MAX_TOTAL || (most !== Number.POSITIVE_INFINITY && most > MAX_TOTAL))
    throw new SyntaxError('repeats too often');
  const parts: string[] = [];
  let [low, high] = [least, most];
  while (low > MAX_REPEAT || (high !== Number.POSITIVE_INFINITY && high > MAX_REPEAT)) {
    const part = Math.min(low, MAX_REPEAT);
    parts.push(part === MAX_REPEAT ? `${atom}{${MAX_REPEAT}}` : `${atom}{${part},${MAX_REPEAT}}`);
    low -= part;
    high -= MAX_REPEAT;
  }
  parts.push(high === Number.POSITIVE_INFINITY ? `${atom}{${low},}` : `${atom}{${low},${high}}`);
  return parts.join('');
}
