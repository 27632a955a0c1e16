import { isToolcribError } from '../../errors.ts';
import { describeAddress } from '../../store/address.ts';
import { cardLines } from '../approvals/approval-card.ts';
import { decideAtTerminal } from '../approvals/decide-card.ts';
import { everyApproval } from '../approvals/every-approval.ts';
import { type OpenedApprovals, withApprovals } from '../approvals/with-approvals.ts';
import { stopSignal } from '../stop-signal.ts';
import { painter, type Terminal } from '../terminal/terminal.ts';
import type { ApprovalsOptions } from './approvals.ts';

/** Shows each call that waits, once, and takes the decision of the person at the terminal. Until it is interrupted. */
export async function watchApprovals(options: ApprovalsOptions, terminal: Terminal): Promise<number> {
  using stop = stopSignal();
  await withApprovals(options, terminal, async (opened) => {
    if (!options.json)
      terminal.note(`Waiting for calls of ${describeAddress(opened.configuration.store)}. End with Ctrl-C.`);
    const shown = new Set<string>();
    while (!stop.signal.aborted) {
      const changed = nextChange(opened, stop.signal);
      try {
        await showPending(opened, shown, options, terminal, stop.signal);
      } catch (error) {
        changed.cancel();
        throw error;
      }
      await changed.happened;
    }
  });
  return 0;
}

async function showPending(
  { approvals }: OpenedApprovals,
  shown: Set<string>,
  options: ApprovalsOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const pending = await everyApproval(approvals, { states: ['pending'] });
  for (const approval of pending.toReversed()) {
    if (signal.aborted) return;
    if (shown.has(approval.id)) continue;
    shown.add(approval.id);
    if (options.json) {
      terminal.out(JSON.stringify(approval));
      continue;
    }
    for (const line of cardLines(approval.card, terminal)) terminal.out(line);
    if (!terminal.interactive) continue;
    try {
      const decided = await decideAtTerminal(approval, approvals, terminal, signal);
      if (decided !== undefined) terminal.out(`  ${decided.card.receipt?.summary ?? ''}`);
    } catch (error) {
      if (!isToolcribError(error)) throw error;
      terminal.note(`${painter(terminal)('yellow', error.code)}: ${error.message}`);
    }
  }
}

interface NextChange {
  readonly happened: Promise<void>;
  cancel(): void;
}

/** Listens from now on, so that nothing is missed while cards are shown. */
function nextChange({ approvals }: OpenedApprovals, signal: AbortSignal): NextChange {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = approvals.onChange(resolve);
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (signal.aborted) resolve();
  return { happened: promise.finally(stop), cancel: resolve };
}
