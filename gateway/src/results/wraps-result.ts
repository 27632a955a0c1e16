import { isRequest, type Operation } from '../operations/index.ts';

/** An answer that is no object stands in `result`: structured content is one. */
export function wrapsResult({ invocation }: Operation): boolean {
  return isRequest(invocation) && invocation.wrapsResult === true;
}
