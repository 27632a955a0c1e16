import { ToolcribError } from '../errors.ts';
import type { Asked } from './call-error.ts';

/**
 * What the caller is told where a question of the server was not put to it, or its answer did not fit. The server only
 * heard that the question is cancelled or failed, and may tell the caller that it was the caller's wish.
 * @param said the error that the server then answered with
 */
export function notAsked({ name, what }: Asked, why: ToolcribError, said?: ToolcribError): ToolcribError {
  const isMisfit = why.code === 'answer_invalid';
  const became = isMisfit ? 'was not answered' : 'was not put to you, and cancelled';
  const message = `A question of the ${what} of "${name}" ${became}: ${why.message}`;
  const first = isMisfit ? 'Answer what its form asks for, the next time.' : 'Answer or cancel what is open.';
  return new ToolcribError(why.code, said === undefined ? message : `${message} ${said.message}`, {
    next: `${first} Read what the tool did without the answer before you call it again.`,
    cause: said ?? why,
  });
}
