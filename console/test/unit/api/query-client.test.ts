import { MutationObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { createQueryClient } from '../../../src/api/query-client.ts';

it('keeps nothing of what was sent, or of its answer, once nobody shows it', async () => {
  const client = createQueryClient();
  const mutationFn = async (token: string) => ({ key: `${token} and a key that is shown once` });
  const observer = new MutationObserver(client, { mutationFn });
  const leave = observer.subscribe(() => undefined);
  await observer.mutate('a token');
  expect(client.getMutationCache().getAll()).toHaveLength(1);
  leave();
  await vi.waitFor(() => expect(client.getMutationCache().getAll()).toEqual([]), 20_000);
});
