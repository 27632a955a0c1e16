import { afterEach, describe, expect, it, vi } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import { type Call, type EventBody, LOCAL_PRINCIPAL, type Result } from '../../../src/operations/index.ts';
import { gatewayStops } from '../../../src/operations/work/gateway-stops.ts';
import { type RecordDetails, recordLayer } from '../../../src/router/layers/record.ts';
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

function record(
  next: (call: Call) => Promise<Result>,
  details: RecordDetails = {},
  more: Partial<Call> = {},
) {
  const events: EventBody[] = [];
  const faults: unknown[] = [];
  const layer = recordLayer(
    (event) => events.push(event),
    (error) => faults.push(error),
    details,
  );
  return { events, faults, result: layer({ ...call, ...more }, next) };
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

  it('says on both where nothing was sent', async () => {
    const answer = async () => ({ kind: 'completed', content: [] }) as const;
    const dry = record(answer, {}, { dryRun: true });
    await dry.result;
    expect(dry.events).toMatchObject([{ dryRun: true }, { dryRun: true }]);
    const real = record(answer);
    await real.result;
    for (const event of real.events) expect(event).not.toHaveProperty('dryRun');
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

describe('what the events of a call say', () => {
  const done = async (): Promise<Result> => ({
    kind: 'completed',
    content: [{ type: 'text', text: 'a private answer' }],
    artifacts: [`toolcrib://artifacts/${'a'.repeat(32)}`],
  });

  it('run, trace and a preview of the arguments at its start', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const { events, result } = record(
      done,
      { input: () => ({ id: '[redacted]' }) },
      { run: 'r1', traceparent: `00-${trace}-00f067aa0ba902b7-01`, arguments: { id: 'x' } },
    );
    await result;
    expect(events[0]).toMatchObject({ type: 'call-started', run: 'r1', trace, input: { id: '[redacted]' } });
    expect(events[1]).toMatchObject({ type: 'call-completed', run: 'r1', trace });
    expect(events[1]).not.toHaveProperty('input');
  });

  it('nothing of an argument that is only written, as it came or as a person made it', async () => {
    const input = { type: 'object', properties: { key: { type: 'string', writeOnly: true } } };
    const { events, result } = record(
      async (inner) => {
        inner.facts!.edited = { key: 'hush, a person' };
        return done();
      },
      { input: (args) => args },
      { operation: { ...plainOperation('getPet', 'pets'), input }, arguments: { key: 'hush' } },
    );
    await result;
    expect(events).toMatchObject([{ input: { key: '[redacted]' } }, { input: { key: '[redacted]' } }]);
    expect(JSON.stringify(events)).not.toContain('hush');
  });

  it('no secret in what failed, what to do next, and its steps', async () => {
    const { events, result } = record(
      async (inner) => {
        inner.facts!.steps!.note('attempt', performance.now(), 'failed', { reason: 'hush' });
        throw new ToolcribError('upstream_failed', 'It said hush.', { next: 'Say hush.' });
      },
      { redact: (text) => text.replaceAll('hush', '[redacted]') },
    );
    await result;
    expect(events[1]).toMatchObject({
      message: 'It said [redacted].',
      next: 'Say [redacted].',
      steps: [{ name: 'attempt', detail: { reason: '[redacted]' } }],
    });
    expect(JSON.stringify(events)).not.toContain('hush');
  });

  it('no part of a secret in what it says it is doing, where that is cut', async () => {
    const noted: EventBody[] = [];
    const redact = (text: string) => text.replaceAll('hush-hush', '*');
    const { result } = record(
      async (inner) => {
        await inner.channel.progress?.(1, 3, `${'x'.repeat(196)}hush-hush`);
        return done();
      },
      { progress: { note: (event) => noted.push(event), redact } },
    );
    await result;
    expect(noted).toMatchObject([{ message: `${'x'.repeat(196)}*` }]);
  });

  it('a summary and the id of the stored output at its end, never the output', async () => {
    const { events, result } = record(done, { summary: () => 'text, 16 characters' });
    await result;
    expect(events[1]).toMatchObject({ summary: 'text, 16 characters', artifact: 'a'.repeat(32) });
    expect(JSON.stringify(events)).not.toContain('private');
  });

  it('no summary for a failure, and the approval that was used up', async () => {
    const { events, result } = record(
      async (inner) => {
        inner.facts!.approval = 'p1';
        throw new ToolcribError('upstream_failed', 'It failed.');
      },
      { summary: () => 'never' },
    );
    await result;
    expect(events[1]).toMatchObject({ type: 'call-failed', approval: 'p1', message: 'It failed.' });
    expect(events[1]).not.toHaveProperty('summary');
  });

  it('nothing of a trace context that is none', async () => {
    const { events, result } = record(done, {}, { traceparent: '00-0-0-01' });
    await result;
    expect(events[0]).not.toHaveProperty('trace');
  });

  it('what it says it is doing, once a second at most; the client hears all', async () => {
    const noted: EventBody[] = [];
    const heard: unknown[] = [];
    const { result } = record(
      async (inner) => {
        await inner.channel.progress?.(1, 3, 'Reading page 1');
        await inner.channel.progress?.(2, 3, 'Reading page 2');
        await inner.channel.progress?.(3, 3);
        return done();
      },
      { progress: { note: (event) => noted.push(event), redact: (text) => text.toUpperCase() } },
      { channel: { progress: async (...given) => void heard.push(given) }, run: 'r1' },
    );
    await result;
    expect(noted).toEqual([
      {
        type: 'call-progress',
        call: 'c0ffee',
        run: 'r1',
        principal: LOCAL_PRINCIPAL.id,
        tool: 'getPet',
        source: 'pets',
        message: 'READING PAGE 1',
        progress: 1,
        total: 3,
      },
    ]);
    expect(heard).toEqual([
      [1, 3, 'Reading page 1'],
      [2, 3, 'Reading page 2'],
      [3, 3, undefined],
    ]);
  });
});

describe('a call whose events cannot be committed', () => {
  const gone = new ToolcribError('store_unavailable', 'The store is away.');
  const answer: Result = { kind: 'completed', content: [{ type: 'text', text: 'what came of it' }] };
  const recordUntil = (failing: EventBody['type'], access: 'read' | 'write' | 'delete') => {
    let carriedOut = false;
    const faults: unknown[] = [];
    const layer = recordLayer(
      (event) => (event.type === failing ? Promise.reject(gone) : Promise.resolve()),
      (error) => faults.push(error),
    );
    const operation = { ...plainOperation('getPet', 'pets'), access };
    const result = layer({ ...call, operation }, async () => {
      carriedOut = true;
      return answer;
    });
    return result.then((ended) => ({ result: ended, carriedOut, faults }));
  };

  it.each(['read', 'write', 'delete'] as const)('at its start is refused: %s', async (access) => {
    const { result, carriedOut, faults } = await recordUntil('call-started', access);
    expect(result).toMatchObject({ error: { code: 'store_unavailable' } });
    expect(JSON.stringify(result)).not.toContain('what came of it');
    expect(carriedOut).toBe(access === 'read');
    expect(faults).toEqual([gone]);
  });

  it('at its end is withheld where it only read', async () => {
    const { result, faults } = await recordUntil('call-completed', 'read');
    expect(result).toMatchObject({ error: { code: 'store_unavailable' } });
    expect(JSON.stringify(result)).not.toContain('what came of it');
    expect(faults).toEqual([gone]);
  });

  it.each(['write', 'delete'] as const)('at its end is answered, and says so: %s', async (access) => {
    const { result, faults } = await recordUntil('call-completed', access);
    expect(result).not.toHaveProperty('error');
    expect(result).toMatchObject({
      content: [{ text: 'what came of it' }, { text: expect.stringContaining('(store_unavailable)') }],
      warnings: [expect.stringContaining('could not be recorded')],
    });
    expect(faults).toEqual([gone]);
  });
});

describe('a call whose gateway stops', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const stopped = (access: Call['operation']['access'], details?: Readonly<Record<string, unknown>>) => {
    const stop = new AbortController();
    return record(
      async () => {
        stop.abort(gatewayStops());
        throw new ToolcribError('cancelled', 'The caller went away.', details && { details });
      },
      {},
      { operation: { ...plainOperation('getPet', 'pets'), access }, signal: stop.signal },
    );
  };

  it.each([
    ['read', undefined, 'interrupted'],
    ['write', undefined, 'outcome_unknown'],
    ['write', { outcome: 'unknown_outcome' }, 'outcome_unknown'],
    ['write', { outcome: 'failed' }, 'interrupted'],
  ] as const)(
    'says of a %s with %j that it was %s, not that its caller left',
    async (access, details, code) => {
      const { events, result } = stopped(access, details);
      expect(await result).toMatchObject({ error: { code } });
      expect(events.at(-1)).toMatchObject({ type: 'call-failed', code });
    },
  );

  it('and was carried out gives its answer, with a note, where the store does not take its end', async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    const pending = Promise.withResolvers<void>();
    const faults: unknown[] = [];
    const layer = recordLayer(
      ({ type }) => (type === 'call-started' ? undefined : pending.promise),
      (error) => faults.push(error),
    );
    const operation = { ...plainOperation('getPet', 'pets'), access: 'write' as const };
    const result = layer({ ...call, operation, signal: stop.signal }, async () => ({
      kind: 'completed',
      content: [{ type: 'text', text: 'bought' }],
    }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(faults).toEqual([]);
    stop.abort(gatewayStops());
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await result).toMatchObject({
      content: [{ text: 'bought' }, { text: expect.stringContaining('could not be recorded') }],
    });
    expect(faults).toMatchObject([{ code: 'store_unavailable' }]);
  });

  it('waits for the store where its caller left: nobody needs the answer', async () => {
    vi.useFakeTimers();
    const leave = new AbortController();
    const pending = Promise.withResolvers<void>();
    let ended = false;
    const layer = recordLayer(
      ({ type }) => (type === 'call-started' ? undefined : pending.promise),
      () => undefined,
    );
    const result = layer({ ...call, signal: leave.signal }, async () => ({ kind: 'completed', content: [] }));
    void Promise.resolve(result).then(() => {
      ended = true;
    });
    leave.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ended).toBe(false);
    pending.resolve();
    await result;
  });
});
