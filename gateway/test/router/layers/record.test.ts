import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import { type Call, type EventBody, LOCAL_PRINCIPAL, type Result } from '../../../src/operations/index.ts';
import { recordLayer } from '../../../src/router/layers/record.ts';
import { plainOperation } from '../../catalog/compiled-source.ts';

const call: Call = {
  id: 'c0ffee',
  principal: LOCAL_PRINCIPAL,
  tool: 'getPet',
  operation: plainOperation('getPet', 'pets'),
  arguments: {},
  deadline: 0,
  signal: new AbortController().signal,
  channel: {},
  dryRun: false,
  depth: 0,
};

function record(next: () => Promise<Result>) {
  const events: EventBody[] = [];
  const faults: unknown[] = [];
  const layer = recordLayer(
    (event) => events.push(event),
    (error) => faults.push(error),
  );
  return { events, faults, result: layer(call, next) };
}

describe('recording a call', () => {
  it('has a start and an end', async () => {
    const { events, result } = record(async () => ({ kind: 'completed', content: [], status: 200 }));
    await result;
    expect(events).toMatchObject([
      { type: 'call-started', call: 'c0ffee', tool: 'getPet', source: 'pets', access: 'read' },
      { type: 'call-completed', call: 'c0ffee', status: 200 },
    ]);
  });

  it('turns an error into a result that says what to do next', async () => {
    const { events, result } = record(() =>
      Promise.reject(new ToolcribError('upstream_unreachable', 'No answer from api.test.')),
    );
    expect(await result).toMatchObject({
      error: { code: 'upstream_unreachable' },
      content: [{ text: expect.stringMatching(/^upstream_unreachable: No answer from api\.test\.\n.+/) }],
    });
    expect(events.at(-1)).toMatchObject({ type: 'call-failed', code: 'upstream_unreachable' });
  });

  it('keeps the text of an unexpected fault inside and gives the correlation id', async () => {
    const { faults, result } = record(() => Promise.reject(new TypeError('secret detail')));
    const text = JSON.stringify(await result);
    expect(text).toContain('c0ffee');
    expect(text).not.toContain('secret detail');
    expect(faults).toHaveLength(1);
  });

  it('passes a missing client capability on as an error, with its terminal event', async () => {
    const { events, result } = record(() =>
      Promise.reject(new ToolcribError('capability_missing', 'The client has no sampling.')),
    );
    await expect(result).rejects.toMatchObject({ code: 'capability_missing' });
    expect(events.map((event) => event.type)).toEqual(['call-started', 'call-failed']);
  });
});
