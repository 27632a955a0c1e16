import { expect, onTestFinished, test, vi } from 'vitest';
import { createRateGate } from '../../src/web/rate-gate.ts';
import { timeLeft } from '../../src/web/time-left.ts';

test('one answer closes a provider for an hour at most', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const gate = createRateGate('brave');
  const enter = () => gate.enter(timeLeft({ patienceMs: 0 }));
  gate.blockUntil(Date.now() + 30 * 24 * 3_600_000);
  await expect(enter()).rejects.toMatchObject({
    code: 'rate_limited',
    details: { retryAfterSeconds: 3600 },
  });
  vi.advanceTimersByTime(3_600_000);
  await expect(enter()).resolves.toBeUndefined();
});
