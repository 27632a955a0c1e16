import type { ErrorCode } from 'yaml';
import { parserWords } from './parser-words.ts';

/** Of the parser's words those that mean little to whoever wrote a line wrongly. */
const FAULTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  BLOCK_AS_IMPLICIT_KEY:
    'the line below this one is indented too far, or a value with ": " in it lacks its quotes.',
  BLOCK_IN_FLOW: 'a value with ": " in it lacks its quotes.',
  DUPLICATE_KEY: 'this key stands there twice.',
  MULTILINE_IMPLICIT_KEY: 'this line lacks the ":" behind its key.',
  MULTIPLE_DOCS: 'another document begins here; a file is one alone.',
  NON_STRING_KEY: 'a key is a text, and no list or object.',
  RESOURCE_EXHAUSTION: 'it is nested too deeply.',
};

/** What is wrong with a line, as a sentence that follows a colon: of a YAMLError in words for people. */
export function yamlWords(error: Pick<Error, 'message'> & { readonly code?: unknown }): string {
  if (error.message.startsWith('Implicit map keys need')) return FAULTS.MULTILINE_IMPLICIT_KEY!;
  return FAULTS[error.code as ErrorCode] ?? parserWords(error).replace(/\.?$/, '.');
}
