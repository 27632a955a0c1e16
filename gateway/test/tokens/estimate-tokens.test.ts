import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenCounter } from '../../src/tokens/count-tokens.ts';
import { estimateTokens } from '../../src/tokens/estimate-tokens.ts';

const count = createTokenCounter();

describe('an estimate of tokens', () => {
  it('is never more than there are, whatever the text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.stringMatching(/^[a-z A-Z0-9"{}:,\r\n/]{0,300}$/),
    );
    fc.assert(fc.property(text, (given) => estimateTokens(given).least <= count(given)));
  });

  it.each([
    [
      'a tool',
      JSON.stringify({
        name: 'list_orders',
        description:
          'Lists the orders of a customer, newest first. Archived ones are left out unless includeArchived is true.',
        inputSchema: {
          type: 'object',
          properties: {
            customerId: { type: 'string', format: 'uuid', description: 'Whose orders they are.' },
            created_after: { type: 'string', format: 'date-time' },
            perPage: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
            status: { type: 'string', enum: ['open', 'paid', 'shipped', 'cancelled', 'refunded'] },
          },
          required: ['customerId'],
        },
      }),
    ],
    ['German', 'Listet die Bestellungen eines Kunden auf, die neuesten zuerst; archivierte nur auf Wunsch.'],
    ['Chinese', '列出客户的订单，最新的在前。除非另有要求，否则不包括已归档的订单。'],
    ['Russian', 'Перечисляет заказы клиента, сначала новые. Архивные не показываются.'],
  ])('is at most 1.5 times too low for %s', (_, text) => {
    const { least, likely } = estimateTokens(text);
    const tokens = count(text);
    expect(likely * 1.5).toBeGreaterThanOrEqual(tokens);
    expect(least).toBeLessThanOrEqual(tokens);
    expect(least).toBeLessThanOrEqual(likely);
  });

  it('grows with the length of an unbroken run', () => {
    const { least, likely } = estimateTokens('x'.repeat(100_000));
    expect(least).toBe(1);
    expect(likely).toBeGreaterThan(20_000);
  });

  it('of nothing is nothing', () => {
    expect(estimateTokens('')).toEqual({ least: 0, likely: 0 });
  });
});
