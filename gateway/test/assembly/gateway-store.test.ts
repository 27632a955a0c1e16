import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeStoreAfter } from '../../src/assembly/gateway-store.ts';

afterEach(() => void vi.useRealTimers());

describe('closing the store', () => {
  it('comes behind the last writes', async () => {
    const order: string[] = [];
    const written = Promise.resolve().then(() => void order.push('written'));
    await closeStoreAfter(written, { close: async () => void order.push('closed') });
    expect(order).toEqual(['written', 'closed']);
  });

  it('ends writes that are never answered, and says so', async () => {
    vi.useFakeTimers();
    const write = Promise.withResolvers<void>();
    const lost = new Error('lost');
    const closing = closeStoreAfter(write.promise, { close: async () => write.reject(lost) });
    const refused = expect(closing).rejects.toBe(lost);
    await vi.advanceTimersByTimeAsync(10_000);
    await refused;
  });
});
