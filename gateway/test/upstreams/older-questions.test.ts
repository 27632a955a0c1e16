import { expect, test } from 'vitest';
import type { UpstreamDefinition, UpstreamRequest } from '../../src/upstreams/index.ts';
import { definition, request, started, textOf } from './scripted.ts';

const QUESTION = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};
const ANN: Partial<UpstreamRequest> = {
  channel: { ask: async () => ({ action: 'accept', content: { name: 'Ann' } }) },
};

function asking(era: string, changes: Partial<UpstreamDefinition> = {}) {
  const { upstreams, events } = started(definition({ era }, changes));
  return {
    upstreams,
    events,
    call: (tool: string, args = {}) => upstreams.call('scripted', tool, args, request(ANN)),
    ask: () => upstreams.call('scripted', 'ask', QUESTION, request(ANN)),
    eras: () =>
      events.flatMap(({ type, message }) =>
        type === 'upstream-started' ? [/\((\w+)\)/.exec(message)?.[1]] : [],
      ),
  };
}

test('a server of both eras whose tool asks in the way of the older one is connected so, and the next call is asked', async () => {
  const { ask, eras, events } = asking('dual');
  expect(await ask()).toMatchObject({
    kind: 'answer',
    failed: true,
    unasked: { code: 'capability_missing', message: expect.stringContaining('tool ask of "scripted"') },
  });
  expect(JSON.parse(textOf(await ask()))).toEqual({ action: 'accept', content: { name: 'Ann' } });
  expect(eras()).toEqual(['modern', 'legacy']);
  expect(events).toContainEqual({
    type: 'upstream-unasked',
    source: 'scripted',
    message: expect.stringContaining('`era: legacy`'),
  });
});

test('calls in flight end where they are before', async () => {
  const { ask, call, eras } = asking('dual');
  const sleeping = call('sleep', { ms: 300 });
  await ask();
  await call('echo');
  expect(eras()).toEqual(['modern']);
  expect(textOf(await sleeping)).toBe('slept');
  await call('echo');
  expect(eras()).toEqual(['modern', 'legacy']);
});

test('one that speaks none of it goes on as before, and is not tried again', async () => {
  const { ask, call, eras } = asking('modern');
  expect(await ask()).toHaveProperty('unasked');
  await expect.poll(() => call('echo').then(textOf, () => undefined)).toBe('{}');
  expect(await ask()).not.toHaveProperty('unasked');
  await call('echo');
  expect(eras()).toEqual(['modern', 'modern']);
});

test('an era that the operator chose stays', async () => {
  const { ask, call, eras } = asking('dual', { era: 'modern' });
  expect(await ask()).not.toHaveProperty('unasked');
  await call('echo');
  expect(eras()).toEqual(['modern']);
});
