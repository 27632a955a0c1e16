import { type CallChannel, type InputRequiredResult, isObject, type Json } from '../../operations/index.ts';

/** Marks the state of a question that an upstream asked, so that other rooms' questions are not sent there. */
const UPSTREAM = 'toolcrib/upstream';

/** The upstream's question with its state marked as the upstream's own. */
export function markedQuestion(
  { requests, state }: InputRequiredResult,
  source: string,
): InputRequiredResult {
  return {
    kind: 'input_required',
    requests,
    checked: true,
    state: { [UPSTREAM]: { source, ...(state === undefined ? {} : { state }) } },
  };
}

/** The channel as the upstream may see it: answers and state only where they belong to a question of its own. */
export function upstreamChannel(channel: CallChannel, source: string): CallChannel {
  const { inputResponses, requestState, approval: _ours, ...rest } = channel;
  const marked = isObject(requestState) ? requestState[UPSTREAM] : undefined;
  if (!isObject(marked) || marked['source'] !== source) return rest;
  const { state } = marked as { state?: Json };
  return {
    ...rest,
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(state === undefined ? {} : { requestState: state }),
  };
}
