const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word) => [word, word] as const),
]);
/** Words that are finished once their plural is gone. */
const FINISHED: ReadonlySet<string> = new Set(
  'inning outing canning herring earring proceed exceed succeed'.split(' '),
);

type Rule = readonly [suffix: string, replacement: string, before?: RegExp];

/** Longest suffix first; the first that fits decides, whether or not it is replaced. */
const STEP_2: readonly Rule[] = [
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['iveness', 'ive'],
  ['ization', 'ize'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['tional', 'tion'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ation', 'ate'],
  ['entli', 'ent'],
  ['fulli', 'ful'],
  ['iviti', 'ive'],
  ['ousli', 'ous'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['anci', 'ance'],
  ['ator', 'ate'],
  ['enci', 'ence'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['ogi', 'og', /l$/],
  ['li', '', /[cdeghkmnrt]$/],
];
const STEP_3: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];
const STEP_4: readonly Rule[] = [
  ...'ement ance ence able ible ment ant ent ism ate iti ous ive ize al er ic'
    .split(' ')
    .map((suffix) => [suffix, ''] as const),
  ['ion', '', /[st]$/],
];

/** The stem of an English word in lower case (Porter2, snowballstem.org); other words come back as they are. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;
  const marked = markConsonants(word);
  const first = firstRegion(marked);
  const second = regionAfter(marked, first);
  const singular = step1a(marked);
  if (FINISHED.has(singular)) return singular;
  let text = step1c(step1b(singular, first));
  text = replaceSuffix(text, STEP_2, first);
  text = step3(text, first, second);
  text = replaceSuffix(text, STEP_4, second);
  return step5(text, first, second).toLowerCase();
}

/** `Y` where it is a consonant: at the beginning and after a vowel. */
function markConsonants(word: string): string {
  return word.includes('y') ? word.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y') : word;
}

function firstRegion(word: string): number {
  const prefix = /^(?:gener|commun|arsen)/.exec(word);
  return prefix === null ? regionAfter(word, 0) : prefix[0].length;
}

/** Where the part after the first consonant behind a vowel begins. */
function regionAfter(word: string, start: number): number {
  for (let at = start + 1; at < word.length; at++) {
    if (!isVowel(word, at) && isVowel(word, at - 1)) return at + 1;
  }
  return word.length;
}

function isVowel(word: string, at: number): boolean {
  return 'aeiouy'.includes(word[at]!);
}

function step1a(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (!word.endsWith('s') || /[us]s$/.test(word)) return word;
  return /[aeiouy]/.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function step1b(word: string, first: number): string {
  const long = /eed(?:ly)?$/.exec(word);
  if (long !== null) return long.index >= first ? `${word.slice(0, long.index)}ee` : word;
  const ending = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (ending === null) return word;
  const rest = word.slice(0, ending.index);
  if (!/[aeiouy]/.test(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return rest.slice(0, -1);
  return first >= rest.length && endsShort(rest) ? `${rest}e` : rest;
}

/** Ends in a short syllable. */
function endsShort(word: string): boolean {
  return /^[aeiouy][^aeiouy]$/.test(word) || /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word);
}

function step1c(word: string): string {
  return word.length > 2 && /[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word;
}

function step3(word: string, first: number, second: number): string {
  if (word.endsWith('ative')) return word.length - 5 >= second ? word.slice(0, -5) : word;
  return replaceSuffix(word, STEP_3, first);
}

function replaceSuffix(word: string, rules: readonly Rule[], region: number): string {
  for (const [suffix, replacement, before] of rules) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length);
    return rest.length >= region && (before === undefined || before.test(rest)) ? rest + replacement : word;
  }
  return word;
}

function step5(word: string, first: number, second: number): string {
  const rest = word.slice(0, -1);
  if (word.endsWith('e')) {
    return rest.length >= second || (rest.length >= first && !endsShort(rest)) ? rest : word;
  }
  return word.endsWith('ll') && rest.length >= second ? rest : word;
}
