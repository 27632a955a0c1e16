import { randomBytes } from 'node:crypto';
import { ToolcribError } from '../../errors.ts';
import { type CallChannel, isObject } from '../../operations/index.ts';
import { type FunctionContext, inputRequired } from './define.ts';

export type FunctionChange = Parameters<FunctionContext['notify']>[0];

export interface FunctionRequest {
  /** Correlation id; a new one where there is no call. */
  readonly id?: string;
  readonly signal?: AbortSignal;
  readonly channel?: CallChannel;
}

/** What a handler gets beside its arguments. */
export function functionContext(
  request: FunctionRequest,
  notify: (change: FunctionChange) => void,
): FunctionContext {
  const channel = request.channel ?? {};
  return {
    id: request.id ?? randomBytes(16).toString('hex'),
    signal: request.signal ?? new AbortController().signal,
    channel,
    notify,
    inputRequired,
    requireCapability(name) {
      const declared = channel.clientCapabilities?.[name];
      if (isObject(declared)) return;
      throw new ToolcribError('capability_missing', `This call needs a client with the capability ${name}.`, {
        details: { requiredCapabilities: { [name]: {} } },
      });
    },
  };
}
