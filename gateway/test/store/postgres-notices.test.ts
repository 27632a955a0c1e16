import { EventEmitter } from 'node:events';
import type { Client } from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { postgresNotices } from '../../src/store/postgres-notices.ts';
import { WATCH_CLIENT } from '../../src/store/watch-client.ts';

afterEach(() => void vi.useRealTimers());

it('asks a database that has not answered yet nothing more', async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  let answer = () => {};
  const said: string[] = [];
  const query = (text: string) => {
    said.push(text);
    if (text !== 'select 1') return Promise.resolve();
    asked.push(text);
    return new Promise<void>((resolve) => {
      answer = resolve;
    });
  };
  const client = Object.assign(new EventEmitter(), { connect: async () => {}, query, end: async () => {} });
  const notices = postgresNotices(() => client as unknown as Client, 1000);
  notices.listen({ notice() {}, lost() {} });
  await vi.advanceTimersByTimeAsync(3500);
  expect(said.slice(0, 3)).toEqual([WATCH_CLIENT, 'listen toolcrib_changes', 'listen toolcrib_events']);
  expect(asked).toHaveLength(1);
  answer();
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toHaveLength(2);
  await notices.close();
});
