import { expect, it } from 'vitest';
import type { CallChannel } from '../../src/operations/index.ts';
import { boundedChannel, MOST_TOLD } from '../../src/upstreams/bounded-channel.ts';

it('log messages without end are left out, which is said once', async () => {
  const heard: unknown[] = [];
  const channel = boundedChannel({ log: async (_level, data) => void heard.push(data) });
  const line = 'x'.repeat(30_000);
  for (let index = 0; index < 1000; index += 1) await channel.log!('info', line);
  const told = heard.filter((data) => data === line);
  expect(told.length * line.length).toBeLessThanOrEqual(MOST_TOLD);
  expect(told.length * line.length).toBeGreaterThan(MOST_TOLD * 0.9);
  expect(heard.slice(told.length)).toEqual([expect.stringContaining('left out')]);
});

it('progress without end goes on, now and then and without its message', async () => {
  const heard: Array<Parameters<NonNullable<CallChannel['progress']>>> = [];
  const channel = boundedChannel({ progress: async (...told) => void heard.push(told) });
  for (let done = 0; done < 20_000; done += 1) await channel.progress!(done, undefined, 'y'.repeat(1000));
  const whole = heard.filter(([, , message]) => message !== undefined);
  expect(whole.length * 1000).toBeLessThanOrEqual(MOST_TOLD);
  expect(heard.at(-1)).toHaveLength(2);
  expect(heard.length - whole.length).toBeLessThan(10);
});

it('what a channel cannot do it cannot do bounded', () => {
  const ask = async () => ({});
  expect(boundedChannel({ ask })).toEqual({ ask });
});
