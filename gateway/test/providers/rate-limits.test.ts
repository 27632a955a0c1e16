import { describe, expect, it } from 'vitest';
import { startGreenhouse } from '../doubles/greenhouse.ts';
import { startLever } from '../doubles/lever.ts';
import type { ProviderDouble } from '../doubles/provider-double.ts';
import { connectForTest } from './provider-client.ts';

const tooMany = (seconds: number) => ({
  status: 429,
  headers: { 'retry-after': String(seconds) },
  body: { message: 'Too many requests.' },
});
const statuses = ({ requests }: ProviderDouble) => requests.map(({ status }) => status);

describe('a provider that answers 429', () => {
  it('is asked again after the time that Retry-After names', async () => {
    const double = await startGreenhouse();
    const { call } = await connectForTest('greenhouse', double);
    double.answerNext(tooMany(1));
    expect(await call('list_jobs')).toMatchObject({ isError: false });
    expect(statuses(double)).toEqual([429, 200]);
    const [refused, answered] = double.requests;
    expect(answered!.at - refused!.at).toBeGreaterThanOrEqual(990);
  });

  it('is asked again for a write too: a refused request changed nothing', async () => {
    const double = await startGreenhouse();
    const { call } = await connectForTest('greenhouse', double);
    double.answerNext(tooMany(1));
    const answer = await call('advance_application', { id: 69306314, from_stage_id: 708728 });
    expect(answer.isError, answer.text).toBe(false);
    expect(statuses(double)).toEqual([429, 200]);
  });

  it('is told to the caller at once where the deadline is nearer', async () => {
    const double = await startGreenhouse();
    const { call } = await connectForTest('greenhouse', double, { limits: { timeout: '2s' } });
    double.answerNext(tooMany(60));
    const started = performance.now();
    const answer = await call('list_jobs');
    expect(performance.now() - started).toBeLessThan(1900);
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/429/);
    expect(statuses(double)).toEqual([429]);
  });
});

describe("a manifest's rate limit", () => {
  it('spreads a crowd of calls over as many windows as it takes', async () => {
    const double = await startLever({ rateLimit: { requests: 1000, windowMs: 1000, burst: 1000 } });
    const { call } = await connectForTest('lever', double);
    const answers = await Promise.all(Array.from({ length: 25 }, () => call('list_tags')));
    expect(answers.filter(({ isError }) => isError)).toEqual([]);
    const times = double.requests.map(({ at }) => at);
    expect(times).toHaveLength(25);
    // Ten in the first second, ten in the next: the last five come after two.
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(1500);
  });

  it('ends in a clear error where the wait would outlast the deadline', async () => {
    const double = await startLever({ rateLimit: { requests: 1000, windowMs: 1000, burst: 1000 } });
    const { call } = await connectForTest('lever', double, { limits: { timeout: '3s' } });
    const answers = await Promise.all(Array.from({ length: 100 }, () => call('list_tags')));
    const refused = answers.filter(({ isError }) => isError);
    for (const { text } of refused) expect(text).toMatch(/rate_limited|deadline_exceeded/);
    const limited = refused.filter(({ text }) => text.startsWith('rate_limited'));
    expect(limited.length).toBeGreaterThanOrEqual(10);
    // nothing was sent of what was refused
    expect(double.requests.length).toBeLessThanOrEqual(answers.length - limited.length);
  });
});
