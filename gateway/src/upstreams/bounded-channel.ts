import type { CallChannel } from '../operations/index.ts';

/** Characters that the log messages and the progress of one call come to: what its client does not read is kept in memory. */
export const MOST_TOLD = 8 * 1024 * 1024;
/** What a notification costs beside its content. */
const ENVELOPE = 200;
/** Between two values of progress beyond that, milliseconds. */
const PAUSE_MS = 1000;

/**
 * A call's channel for a server that may tell without end. Beyond the bound log messages are left out, which is said
 * once, and progress comes without its message and once a second.
 */
export function boundedChannel(channel: CallChannel): CallChannel {
  const { log, progress } = channel;
  let left = MOST_TOLD;
  let isSaid = false;
  let next = 0;
  const fits = (length: number): boolean => {
    if (left < length + ENVELOPE) return false;
    left -= length + ENVELOPE;
    return true;
  };
  return {
    ...channel,
    ...(log && {
      async log(level, data, logger) {
        if (fits(JSON.stringify(data).length)) return log(level, data, logger);
        if (isSaid) return;
        isSaid = true;
        await log('warning', 'Further log messages of this call are left out: there are too many.', logger);
      },
    }),
    ...(progress && {
      async progress(done, total, message) {
        if (fits(message?.length ?? 0)) return progress(done, total, message);
        const now = performance.now();
        if (now < next) return;
        next = now + PAUSE_MS;
        await progress(done, total);
      },
    }),
  };
}
