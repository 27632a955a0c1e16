import { ToolcribError } from '../errors.ts';
import type { Asked } from './call-error.ts';

/**
 * What the caller is told where a question of the server was not put to it. The server only heard that the question is
 * cancelled, and may tell the caller that it was the caller's wish.
 * @param said the error that the server then answered with
 */
export function notAsked({ name, what }: Asked, why: ToolcribError, said?: ToolcribError): ToolcribError {
  const message = `A question of the ${what} of "${name}" was not put to you, and cancelled: ${why.message}`;
  return new ToolcribError(why.code, said === undefined ? message : `${message} ${said.message}`, {
    next: 'Answer or cancel what is open. Then read what the tool did without the answer, before you call it again.',
    cause: said ?? why,
  });
}
