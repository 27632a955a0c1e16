import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';

const parse = (file: object) => parseConfiguration(file, { baseDirectory: '/', env: { HOME: '/home/ann' } });
const budgets = async (...given: object[]) => (await parse({ policy: { budgets: given } })).policy.budgets;

describe('policy.budgets', () => {
  it('fills in caller and day, and names what has no name', async () => {
    expect(await budgets({ calls: 100 })).toEqual([
      { name: 'every call, calls per principal and 1d', per: 'principal', windowMs: 86_400_000, calls: 100 },
    ]);
  });

  it('takes windows, sizes and everything that a call can be picked by', async () => {
    const given = { name: 'search', tool: 't', source: 's', operation: 'o', tag: 'g', access: 'read' };
    expect(
      await budgets({ ...given, per: 'organisation', window: '1h', calls: 0, usd: 0.5, bytes: '10MB' }),
    ).toEqual([
      { ...given, per: 'organisation', windowMs: 3_600_000, calls: 0, usd: 0.5, bytes: 10_000_000 },
    ]);
    expect((await budgets({ calls: 1, window: 90_000 }))![0]!.windowMs).toBe(90_000);
  });

  it('is absent where nothing is said: no call is counted', async () => {
    expect(await parse({})).toMatchObject({ policy: {} });
    expect((await parse({})).policy.budgets).toBeUndefined();
  });

  it.each([
    ['says no amount', [{ per: 'run' }], 'Say how much: calls, usd or bytes.'],
    ['is counted per day of nobody', [{ calls: 1, per: 'team' }], 'per'],
    ['has a window without a unit', [{ calls: 1, window: '30' }], 'Write a duration'],
    ['covers what can never be called', [{ calls: 1, access: 'dangerous' }], 'access'],
    ['has a key that does not exist', [{ call: 1, calls: 1 }], 'call'],
    [
      'has the name of another',
      [
        { name: 'a', calls: 1 },
        { name: 'a', usd: 1 },
      ],
      'both called "a"',
    ],
    ['covers the same in the same words', [{ calls: 1 }, { calls: 2 }], 'are both called'],
  ])('refuses a budget that %s', async (_, given, message) => {
    await expect(budgets(...given)).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining(message),
    });
  });
});

describe('costs of a source', () => {
  it('are kept as they stand', async () => {
    const costs = [{ usd: 0.01 }, { tag: 'search', usd: 0.05, typicalMs: 800 }];
    const { sources } = await parse({ sources: { maps: { openapi: './maps.json', costs } } });
    expect(sources['maps']!.costs).toEqual(costs);
  });

  it('say something', async () => {
    const sources = { maps: { openapi: './maps.json', costs: [{ tag: 'search' }] } };
    await expect(parse({ sources })).rejects.toThrow('Say usd or typicalMs.');
  });
});
