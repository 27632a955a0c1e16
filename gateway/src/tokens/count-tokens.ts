import { createRequire } from 'node:module';
import type { TokenCount } from '../operations/index.ts';

/** Characters that are counted at once: the tokenizer's time grows with the square of an unbroken run. */
const PIECE = 2000;

/**
 * Counts with o200k_base. The tokenizer takes a quarter of a second and 80 MB to load: only where it is needed. A view is
 * made at once and cannot wait for an import.
 */
export function createTokenCounter(): TokenCount {
  const { countTokens } = createRequire(import.meta.url)('gpt-tokenizer/encoding/o200k_base') as {
    countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
  };
  const options = { disallowedSpecial: new Set<string>() };
  return inPieces((text) => countTokens(text, options));
}

/** The same counts in time that grows with the length of the text, whatever it holds. */
export function inPieces(count: TokenCount): TokenCount {
  return (text) => {
    let tokens = 0;
    for (const piece of pieces(text)) tokens += count(piece);
    return tokens;
  };
}

/** Cut before spaces, where tokens begin, so that the sum is that of the whole; elsewhere only in unbroken runs. */
function* pieces(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > PIECE) {
    const space = text.lastIndexOf(' ', from + PIECE);
    const to = space > from ? space : wholeCharacter(text, from + PIECE);
    yield text.slice(from, to);
    from = to;
  }
  yield text.slice(from);
}

/** Never between the halves of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}
