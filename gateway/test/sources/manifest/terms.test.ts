import { expect, it } from 'vitest';
import { describeManifestValue } from '../../../src/sources/manifest/index.ts';
import { manifestWith } from './item-manifest.ts';

it('cost and budget of a manifest operation are those of the operation', () => {
  const terms = {
    cost: { usd: 0.01, typicalMs: undefined },
    budget: { calls: 50, bytes: 1000, windowSeconds: 60 },
  };
  const { operations } = describeManifestValue(manifestWith(terms), 'shop');
  expect(operations[0]).toMatchObject({
    cost: { usd: 0.01 },
    budget: { calls: 50, bytes: 1000, windowMs: 60_000 },
  });
});

it('a budget that allows any amount of everything costs its operation', () => {
  const { operations, diagnostics } = describeManifestValue(manifestWith({ budget: { per: 'run' } }), 'shop');
  expect(operations).toEqual([]);
  expect(diagnostics[0]!.message).toContain('Say how much: calls, usd or bytes.');
});
