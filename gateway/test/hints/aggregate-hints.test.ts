import { describe, expect, it } from 'vitest';
import { aggregateHints, readHints } from '../../src/hints/index.ts';

const list = [
  {
    purpose: 'Lists pools.',
    usage: ['To see usage.'],
    failure_modes: ['403 if forbidden'],
    related_endpoints: ['/osds'],
  },
  {
    purpose: 'Deletes a pool.',
    failure_modes: ['404 if gone', '403 If  forbidden.'],
    requires_confirmation: true,
    confirmation_reason: 'Data is lost.',
  },
  {
    purpose: 'Changes a pool.',
    failure_modes: ['403 if forbidden'],
    requires_confirmation: true,
    idempotent: false,
    related_endpoints: ['/pools', '/osds'],
  },
].map(readHints);

describe('hints of a category', () => {
  it('each thing stands once, the most common first, ties in the order of the operations', () => {
    const all = aggregateHints(list);
    expect(all.operations).toBe(3);
    expect(all.failureModes).toEqual([
      { text: '403 if forbidden', count: 3 },
      { text: '404 if gone', count: 1 },
    ]);
    expect(all.purposes.map(({ text }) => text)).toEqual([
      'Lists pools.',
      'Deletes a pool.',
      'Changes a pool.',
    ]);
    expect(all.relatedEndpoints).toEqual([
      { text: '/osds', count: 2 },
      { text: '/pools', count: 1 },
    ]);
    expect(all.confirmations).toEqual({ count: 2, reasons: [{ text: 'Data is lost.', count: 1 }] });
    expect(all.notIdempotent).toBe(1);
  });

  it('what one operation says twice counts once', () => {
    expect(aggregateHints([readHints({ usage: ['Same.', 'same'] })]).usage).toEqual([
      { text: 'Same.', count: 1 },
    ]);
  });

  it('advice on errors is told apart by code, parameters by name', () => {
    const advice = (code: string, action: string) => ({ error_handling: [{ code, action }] });
    const { errorHandling } = aggregateHints(
      [advice('404', 'Look.'), advice('403', 'Look.'), advice('403', 'look')].map(readHints),
    );
    expect(errorHandling).toEqual([
      { code: '403', text: 'Look.', count: 2 },
      { code: '404', text: 'Look.', count: 1 },
    ]);
    const parameter = (description: string) => ({
      path_parameters: [{ name: 'id', in: 'path', description }],
    });
    const { parameters } = aggregateHints(
      [parameter('id parameter'), parameter('Pool id.'), parameter('Pool id')].map(readHints),
    );
    expect(parameters).toEqual([{ name: 'id', text: 'Pool id.', count: 2 }]);
  });

  it('a parameter counts by what is said of it first: what stands in the path hides a note of that name', () => {
    const path = (description?: string) => [
      { name: 'id', in: 'path', ...(description === undefined ? {} : { description }) },
    ];
    const { parameters } = aggregateHints(
      [
        { path_parameters: path('id parameter'), common_parameters: { id: 'Hidden by the path.' } },
        { path_parameters: path(), parameter_details: { id: 'Hidden as well.', size: 'Copies.' } },
        { parameter_details: { size: 'Replaced.' }, common_parameters: { size: 'Copies' } },
      ].map((hints) => readHints(hints)),
    );
    expect(parameters).toEqual([{ name: 'size', text: 'Copies.', count: 2 }]);
  });

  it('nothing comes of nothing', () => {
    const all = aggregateHints([]);
    expect(all).toMatchObject({ operations: 0, purposes: [], confirmations: { count: 0, reasons: [] } });
  });
});
