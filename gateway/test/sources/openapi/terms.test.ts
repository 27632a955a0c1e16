import { describe, expect, it } from 'vitest';
import { describeText } from './describing.ts';

async function described(extensions: object) {
  const get = { operationId: 'find', responses: {}, ...extensions };
  const { operations, diagnostics } = await describeText({
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: { '/find': { get } },
  });
  return { operation: operations[0]!, diagnostics };
}

describe('what an OpenAPI operation says about its terms', () => {
  it('becomes cost, budget and safety of the operation', async () => {
    const { operation, diagnostics } = await described({
      'x-toolcrib-cost': { usd: 0.005, typicalMs: 400 },
      'x-toolcrib-budget': { calls: 100, per: 'run', windowSeconds: 3600 },
      'x-toolcrib-safety': { idempotent: false, file: true },
    });
    expect(operation.cost).toEqual({ usd: 0.005, typicalMs: 400 });
    expect(operation.budget).toEqual({ calls: 100, per: 'run', windowMs: 3_600_000 });
    expect(operation.safety).toEqual({
      network: true,
      file: true,
      destructive: false,
      idempotent: false,
      openWorld: true,
    });
    expect(diagnostics).toEqual([]);
  });

  it('is absent where nothing is said', async () => {
    const { operation } = await described({});
    expect(operation).not.toHaveProperty('cost');
    expect(operation).not.toHaveProperty('budget');
  });

  it.each([
    ['x-toolcrib-cost', { usd: -1 }, 'usd: -1 cannot be used'],
    ['x-toolcrib-cost', 'dear', 'it is no object'],
    ['x-toolcrib-budget', { per: 'run' }, 'calls, usd or bytes is missing'],
    ['x-toolcrib-budget', { calls: 1, every: 'day' }, 'every: "day" cannot be used'],
    ['x-toolcrib-safety', { network: 'no' }, 'network: "no" cannot be used'],
  ])('%s: %j is reported with its place, and the rest holds', async (extension, value, problem) => {
    const { diagnostics } = await described({ [extension]: value });
    expect(diagnostics).toEqual([
      {
        code: 'extension-unusable',
        severity: 'warning',
        message: `${extension} cannot be used as it stands (${problem}).`,
        pointer: `#/paths/~1find/get/${extension}`,
      },
    ]);
  });
});
