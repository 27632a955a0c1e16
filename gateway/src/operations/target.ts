import { isRequest } from './invocation/invocation.ts';
import type { Operation } from './operation.ts';
import { wordsOf } from './text/words.ts';

type Named = Pick<Operation, 'id' | 'invocation'>;

/** What people call an operation: `POST /pets`, or its id where it is no HTTP request. */
export function targetOf({ id, invocation }: Named): string {
  return isRequest(invocation) ? `${invocation.method} ${invocation.path}` : id;
}

/** Its path and its id as one phrase of lower-case words, for patterns of whole words: `users sign in sign in user`. */
export function targetPhrase({ id, invocation }: Named): string {
  return phraseOf(isRequest(invocation) ? `${invocation.path} ${id}` : id);
}

export function phraseOf(text: string): string {
  return wordsOf(text).join(' ');
}
