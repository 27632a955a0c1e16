import type { UpstreamEvent } from '../operations/index.ts';
import { printable } from '../operations/text/printable.ts';

/** A server may ask all the time: one in so long is told, milliseconds. */
const APART_MS = 60_000;

/** Tells that a shared server asked something while nobody could say whom it meant. */
export function createUnaskedNotice(
  source: string,
  record: (event: UpstreamEvent) => void,
  now: () => number = () => performance.now(),
): (method: string) => void {
  let tellsAt = Number.NEGATIVE_INFINITY;
  return (method) => {
    if (now() < tellsAt) return;
    tellsAt = now() + APART_MS;
    record({
      type: 'upstream-unasked',
      source,
      message: `The server "${source}" asked something (${printable(method, 80)}) while more than one person called it, or one had just given up a call, and did not say whom: nobody was asked. With \`share: principal\` each person has a process of it, and is asked.`,
    });
  };
}
