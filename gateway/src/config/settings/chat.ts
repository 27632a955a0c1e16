import type { SecretReference } from '../../operations/index.ts';
import { trimEndOf } from '../../operations/text/trim-runs.ts';
import type { ChatEntry } from '../schema/chat.ts';
import { type SecretContext, withAbsoluteFile } from '../secrets.ts';

/** `chat`, complete. */
export interface ChatConfiguration {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: SecretReference;
  readonly system?: string;
  readonly maxRounds: number;
  readonly maxTokens?: number;
}

const MAX_ROUNDS = 8;

/** Undefined where nothing is configured. */
export function chatConfiguration(
  entry: ChatEntry | undefined,
  context: SecretContext,
): ChatConfiguration | undefined {
  if (entry === undefined) return undefined;
  const { baseUrl, model, apiKey, system, maxRounds = MAX_ROUNDS, maxTokens } = entry;
  return {
    baseUrl: trimEndOf(baseUrl, '/'),
    model,
    ...(apiKey === undefined ? {} : { apiKey: withAbsoluteFile(apiKey, context) }),
    ...(system === undefined ? {} : { system }),
    maxRounds,
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}
