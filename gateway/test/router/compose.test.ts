import { describe, expect, it } from 'vitest';
import type { Call, CompletedResult } from '../../src/operations/index.ts';
import { compose, type Layer } from '../../src/router/compose.ts';

const done: CompletedResult = { kind: 'completed', content: [] };
const call = { tool: 'x' } as Call;

describe('the onion', () => {
  it('runs layers from the outside in and back', async () => {
    const order: string[] = [];
    const layer =
      (name: string): Layer =>
      async (inner, next) => {
        order.push(`> ${name}`);
        const result = await next(inner);
        order.push(`< ${name}`);
        return result;
      };
    await compose([layer('a'), layer('b')], async () => {
      order.push('core');
      return done;
    })(call);
    expect(order).toEqual(['> a', '> b', 'core', '< b', '< a']);
  });

  it('stops at a layer that answers by itself', async () => {
    const refuse: Layer = async () => ({ ...done, warnings: ['refused'] });
    const result = await compose([refuse], () => Promise.reject(new Error('reached')))(call);
    expect(result).toMatchObject({ warnings: ['refused'] });
  });
});
