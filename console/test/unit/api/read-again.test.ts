import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { readAgain } from '../../../src/api/read-again.ts';

/** A list of the server that is read when a test says so. */
function watchedList() {
  const client = new QueryClient();
  const asked: PromiseWithResolvers<string>[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['calls', 'one'],
    retry: false,
    queryFn: () => {
      const answer = Promise.withResolvers<string>();
      asked.push(answer);
      return answer.promise;
    },
  });
  const stop = observer.subscribe(() => undefined);
  return { client, asked, observer, [Symbol.dispose]: stop };
}

it('reads behind a first read that is under way, whose answer may be older', async () => {
  using list = watchedList();
  const again = readAgain(list.client, { queryKey: ['calls'] });
  list.asked[0]!.resolve('before the change');
  await expect.poll(() => list.asked.length).toBe(2);
  list.asked[1]!.resolve('after it');
  await again;
  expect(list.observer.getCurrentResult().data).toBe('after it');
});

it('reads behind a first read that failed, too', async () => {
  using list = watchedList();
  const again = readAgain(list.client, { queryKey: ['calls'] });
  list.asked[0]!.reject(new Error('away'));
  await expect.poll(() => list.asked.length).toBe(2);
  list.asked[1]!.resolve('there');
  await again;
  expect(list.observer.getCurrentResult().data).toBe('there');
});

it('reads at once what was read before, in place of a read that is under way', async () => {
  using list = watchedList();
  list.asked[0]!.resolve('first');
  await expect.poll(() => list.observer.getCurrentResult().data).toBe('first');
  void list.observer.refetch();
  const again = readAgain(list.client, { queryKey: ['calls'] });
  await expect.poll(() => list.asked.length).toBe(3);
  list.asked[2]!.resolve('third');
  await again;
  expect(list.observer.getCurrentResult().data).toBe('third');
});
