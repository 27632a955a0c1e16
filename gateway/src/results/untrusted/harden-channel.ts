import type { CallChannel, UntrustedRule } from '../../operations/index.ts';
import { cleanJson, cleanValue } from './clean-json.ts';
import { hardenQuestion } from './harden-question.ts';

/** The channel of a call as a stranger gets it: what it asks, logs and says of its progress is cleaned as its result is. */
export function hardenChannel(channel: CallChannel, source: string, rule: UntrustedRule): CallChannel {
  const { ask, log, progress } = channel;
  const value = (text: string | undefined) => text && (rule.clean ? cleanValue(text) : text);
  return {
    ...channel,
    ...(ask === undefined
      ? {}
      : { ask: (question, signal) => ask.call(channel, hardenQuestion(question, source, rule), signal) }),
    ...(log === undefined
      ? {}
      : {
          log: (level, data, logger) =>
            log.call(channel, level, rule.clean ? cleanJson(data) : data, value(logger)),
        }),
    ...(progress === undefined
      ? {}
      : { progress: (done, total, message) => progress.call(channel, done, total, value(message)) }),
  };
}
