import type { JsonSchema } from '../../operations/index.ts';
import type { Webhook } from './webhook.ts';

export interface WebhookOutput {
  readonly output?: JsonSchema;
  /** The answer is checked, and one that does not fit is an error: a workflow reports its own faults with status 200. */
  readonly strictOutput?: boolean;
  readonly wrapsResult?: boolean;
  /** Media types, best first. */
  readonly accept: readonly string[];
  /** For the tool's description; empty where the answer is simply what the workflow answers. */
  readonly note: string;
}

const JSON_ANSWER = ['application/json'];
const ANY_ANSWER = ['application/json', '*/*'];

const ACKNOWLEDGEMENT: JsonSchema = Object.freeze({
  type: 'object',
  properties: { message: { type: 'string' } },
});
const ITEMS: JsonSchema = Object.freeze({
  type: 'object',
  properties: { result: { type: 'array', items: { type: 'object' } } },
});

const STARTED =
  'Starts the workflow and returns at once: the answer says that it was started, not what came of it.';

/** What a caller gets back. A declared schema describes the answer of the workflow, so it has no say where there is none. */
export function webhookOutput(webhook: Webhook, declared: JsonSchema | undefined): WebhookOutput {
  const { responseMode, responseData, acknowledges, method } = webhook;
  if (responseMode === 'onReceived') {
    return { accept: JSON_ANSWER, note: STARTED, ...(acknowledges ? { output: ACKNOWLEDGEMENT } : {}) };
  }
  if (method === 'HEAD') return { accept: ANY_ANSWER, note: 'Answers with headers alone.' };
  if (responseMode === 'streaming') {
    return { accept: ANY_ANSWER, note: 'Answers with a stream of JSON lines, read to its end.' };
  }
  if (responseMode === 'lastNode' && responseData === 'noData') {
    return { accept: ANY_ANSWER, note: 'Waits until the workflow has ended, and answers without data.' };
  }
  if (responseMode === 'lastNode' && responseData === 'firstEntryBinary') {
    return { accept: ['*/*'], note: 'Answers with a file.' };
  }
  const accept = responseMode === 'lastNode' ? JSON_ANSWER : ANY_ANSWER;
  if (declared !== undefined) return { accept, note: '', strictOutput: true, ...rooted(declared) };
  const list = responseMode === 'lastNode' && responseData === 'allEntries';
  return list ? { accept, note: '', wrapsResult: true, output: ITEMS } : { accept, note: '' };
}

/** A root that is no object is published under `result`; definitions stay at the root. */
function rooted(declared: JsonSchema): Pick<WebhookOutput, 'output' | 'wrapsResult'> {
  if (declared['type'] === 'object') return { output: declared };
  if (declared['type'] === undefined && declared['properties'] !== undefined)
    return { output: { ...declared, type: 'object' } };
  const { $defs, $schema: _dialect, ...result } = declared;
  return {
    wrapsResult: true,
    output: {
      type: 'object',
      properties: { result },
      required: ['result'],
      ...($defs === undefined ? {} : { $defs }),
    },
  };
}
