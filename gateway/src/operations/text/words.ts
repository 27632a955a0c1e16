const WORDS = /[\p{L}\p{N}]+/gu;
const HUMPS = /(\p{Ll}|\p{N})(\p{Lu})/gu;
const ACRONYMS = /(\p{Lu})(\p{Lu}\p{Ll})/gu;
const MARKS = /\p{M}+/gu;
/** Scripts that are written without spaces between words. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}]/u;
/** Longer ones are data, not words. */
const MAX_WORD = 40;

const UPPER = 1;
const LOWER = 2;
const DIGIT = 3;

/**
 * Tells each word of a text in lower case, in order: camelCase, snake_case and kebab-case are split, accents dropped,
 * scripts without spaces cut into pairs of characters. Linear in the length of the text.
 */
export function eachWord(text: string, tell: (word: string) => void): void {
  const { length } = text;
  let start = -1;
  let previous = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) {
      eachUnicodeWord(text.slice(start < 0 ? at : start), tell);
      return;
    }
    const kind = kindOf(code);
    if (start >= 0) {
      const breaks =
        kind === 0 || (kind === UPPER && (previous !== UPPER || kindOf(text.charCodeAt(at + 1)) === LOWER));
      if (breaks) {
        tellWord(text.slice(start, at), tell);
        start = -1;
      }
    }
    if (kind !== 0 && start < 0) start = at;
    previous = kind;
  }
  if (start >= 0) tellWord(text.slice(start), tell);
}

export function wordsOf(text: string): string[] {
  const words: string[] = [];
  eachWord(text, (word) => words.push(word));
  return words;
}

function tellWord(word: string, tell: (word: string) => void): void {
  if (word.length <= MAX_WORD) tell(word.toLowerCase());
}

/** Letters and digits of ASCII by kind; 0 for what separates words. */
function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : 0;
}

function eachUnicodeWord(text: string, tell: (word: string) => void): void {
  const plain = text.normalize('NFKD').replace(MARKS, '');
  const spaced = plain.replace(HUMPS, '$1 $2').replace(ACRONYMS, '$1 $2').toLowerCase();
  for (const [word] of spaced.matchAll(WORDS)) {
    if (UNSPACED.test(word)) eachPair(word, tell);
    else if (word.length <= MAX_WORD) tell(word);
  }
}

function eachPair(word: string, tell: (word: string) => void): void {
  const characters = [...word];
  if (characters.length === 1) tell(word);
  for (let at = 1; at < characters.length; at++) tell(characters[at - 1]! + characters[at]!);
}
