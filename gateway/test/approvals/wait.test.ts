import { expect, it } from 'vitest';
import type { ApprovalRecords, StoredApproval } from '../../src/approvals/records.ts';
import { awaitDecision } from '../../src/approvals/wait.ts';
import { ToolcribError } from '../../src/errors.ts';
import { gatewayStops } from '../../src/operations/work/gateway-stops.ts';

const away = () => Promise.reject(new ToolcribError('store_unavailable', 'The store did not answer.'));
const approval = (state: StoredApproval['state']) =>
  ({ id: 'a1', state, expiresAt: Date.now() + 60_000 }) as StoredApproval;

/** Records that answer one after the other, the last one from then on; each look is followed by a notice. */
function records(...answers: ReadonlyArray<() => Promise<StoredApproval | undefined>>) {
  const listeners = new Set<() => void>();
  let looks = 0;
  const get = () => {
    setTimeout(() => {
      for (const listener of listeners) listener();
    }, 5);
    return answers[Math.min(looks++, answers.length - 1)]!();
  };
  const onChange = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { get, onChange } as unknown as ApprovalRecords;
}

const wait = (given: ApprovalRecords, waitMs: number) =>
  awaitDecision(given, 'a1', waitMs, new AbortController().signal, Date.now);

it('a store that is away for a moment ends no wait for a person', async () => {
  const given = records(
    async () => approval('pending'),
    away,
    away,
    async () => approval('approved'),
  );
  expect(await wait(given, 60_000)).toMatchObject({ state: 'approved' });
});

it('one that stays away is told when the time has passed', async () => {
  await expect(wait(records(away), 300)).rejects.toMatchObject({ code: 'store_unavailable' });
});

it.each(['silent', 'pending'])(
  'ends with the gateway, whose question stays, before a store that is %s',
  async (how) => {
    const stop = new AbortController();
    const looked = Promise.withResolvers<void>();
    const seen = records(async () => {
      looked.resolve();
      return how === 'silent' ? new Promise(() => undefined) : approval('pending');
    });
    const waiting = awaitDecision(seen, 'a1', 600_000, stop.signal, Date.now);
    await looked.promise;
    stop.abort(gatewayStops());
    expect(await waiting).toBeUndefined();
  },
);
