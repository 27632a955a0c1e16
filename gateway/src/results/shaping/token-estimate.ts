const PIECES = /[a-zA-Z\d]+| +|[^\sa-zA-Z\d\u0080-\uffff]+|[\u0080-\uffff]|[^\S ]+/g;
const WORDS = /[A-Z]?[a-z]+|[A-Z]+/g;
/** No word of a language is longer: random text has about two letters a token. */
const LONGEST_WORD = 16;

/**
 * Tokens of a text (o200k), estimated from above: no tokenizer is loaded for a limit that is seldom met. Words and
 * foreign scripts come out up to twice as high, JSON and random text about right.
 */
export function estimateTokensFromAbove(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece);
  return Math.ceil(tokens);
}

function tokensOf(piece: string): number {
  const { length } = piece;
  const first = piece.charCodeAt(0);
  if (first >= 0x80) return 1;
  if (first === 0x20) return length === 1 ? 0.1 : 1;
  if (/^\d+$/.test(piece)) return Math.ceil(length / 2.9);
  if (/\d/.test(piece)) return Math.ceil(length / 1.5);
  if (!/^[a-zA-Z]/.test(piece)) return Math.ceil(length / 2.2);
  let tokens = 0;
  for (const [word] of piece.matchAll(WORDS)) tokens += wordTokens(word);
  return tokens;
}

function wordTokens(word: string): number {
  const { length } = word;
  if (/^[A-Z]+$/.test(word)) return Math.ceil(length / 1.8);
  return Math.ceil(length <= LONGEST_WORD ? length / 4 : length / 1.9);
}
