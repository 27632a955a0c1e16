import type { CallChannel, InputRequest, Json } from '../../operations/index.ts';
import { cleanJson, cleanValue } from './clean-json.ts';

/** The channel of a call as a stranger gets it: what it asks, logs and says of its progress is cleaned as its result is. */
export function hardenChannel(channel: CallChannel): CallChannel {
  const { ask, log, progress } = channel;
  return {
    ...channel,
    ...(ask === undefined ? {} : { ask: (question, signal) => ask.call(channel, cleaned(question), signal) }),
    ...(log === undefined
      ? {}
      : {
          log: (level, data, logger) =>
            log.call(channel, level, cleanJson(data), logger && cleanValue(logger)),
        }),
    ...(progress === undefined
      ? {}
      : {
          progress: (done, total, message) =>
            progress.call(channel, done, total, message && cleanValue(message)),
        }),
  };
}

function cleaned(question: InputRequest): InputRequest {
  return cleanJson(question as unknown as Json) as unknown as InputRequest;
}
