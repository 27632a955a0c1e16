import { printable } from './printable.ts';

const MOST_CHARACTERS = 200;

/** What a parser says of a text: the first line, cut, since parsers repeat the text that they cannot read. */
export function parserWords({ message }: Pick<Error, 'message'>): string {
  return printable(message.split('\n', 1)[0]!, MOST_CHARACTERS);
}
