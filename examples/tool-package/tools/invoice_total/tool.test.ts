import assert from 'node:assert/strict';
import { test } from 'node:test';
import tool from './tool.ts';

const total = (args: object) => tool.handler(args as never, {} as never);

test('adds lines and tax', () => {
  const lines = [
    { quantity: 2, price: 9.99 },
    { quantity: 1, price: 5 },
  ];
  assert.deepEqual(total({ lines, taxPercent: 20 }), { net: 24.98, tax: 5, total: 29.98 });
});

test('is not misled by binary fractions', () => {
  assert.deepEqual(total({ lines: [{ quantity: 1, price: 1.005 }] }), { net: 1.01, tax: 0, total: 1.01 });
});

test('rounds a credit as it rounds a debit', () => {
  assert.deepEqual(total({ lines: [{ quantity: 1, price: -0.125 }] }), { net: -0.13, tax: 0, total: -0.13 });
});
