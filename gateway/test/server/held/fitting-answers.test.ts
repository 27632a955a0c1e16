import { describe, expect, test } from 'vitest';
import type { TaskEnd, TaskWork } from '../../../src/call-tasks/index.ts';
import type { CallChannel, InputRequest, Json, JsonObject } from '../../../src/operations/index.ts';
import { createHeldCalls, type HeldRequest } from '../../../src/server/held/held-calls.ts';
import { defineTool } from '../../../src/sources/function/define.ts';
import { formFaults } from '../../../src/validation/form-faults.ts';
import { mcpEndpoint } from '../mcp/mcp-endpoint.ts';

const AGE = { type: 'object', properties: { age: { type: 'integer', minimum: 0 } }, required: ['age'] };
const form = (requestedSchema: JsonObject, more: JsonObject = { mode: 'form' }): InputRequest => ({
  method: 'elicitation/create',
  params: { ...more, message: 'How old?', requestedSchema },
});
const accept = (content?: Json) => ({ action: 'accept', ...(content === undefined ? {} : { content }) });
const request = (channel: Partial<CallChannel> = {}): HeldRequest => ({
  principal: { id: 'ada', kind: 'user', maxAccess: 'delete', roles: [] } as const,
  signal: new AbortController().signal,
  channel: { clientCapabilities: { elicitation: { form: {}, url: {} } }, ...channel },
});
const checking = () => createHeldCalls(undefined, async (asked, content) => formFaults(asked, content));
const misfit = (pointer: string) => ({ code: 'answer_invalid', pointer });

/** What a call that asks while it runs heard, once these answers were given one after the other. */
async function heard(question: InputRequest, answers: readonly JsonObject[]) {
  const held = checking();
  const given: Json[] = [];
  const begin = async ({ channel, signal }: HeldRequest) => {
    given.push(await channel.ask!(question, signal));
    return { kind: 'completed' };
  };
  const asked = (await held.run(request(), begin)) as unknown as { state: JsonObject };
  const errors: unknown[] = [];
  for (const question_1 of answers) {
    const inputResponses = { question_1 };
    await held
      .run(request({ requestState: asked.state, inputResponses }), begin)
      .catch((e) => errors.push(e));
  }
  held.close();
  return { given, errors };
}

describe('an answer to a call that waits', () => {
  test.each<readonly [string, JsonObject, string]>([
    ['a value of another type', accept({ age: 'ten' }), '/age'],
    ['a value out of its bounds', accept({ age: -1 }), '/age'],
    ['no value where one is needed', accept({}), '/age'],
    ['no content at all', accept(), '/age'],
    ['a content that is no object', accept([]), ''],
  ])('that has %s is refused, and another is taken', async (_what, answer, place) => {
    const { given, errors } = await heard(form(AGE), [answer, accept({ age: 10 })]);
    expect(errors).toEqual([expect.objectContaining(misfit(`/inputResponses/question_1/content${place}`))]);
    expect(given).toEqual([accept({ age: 10 })]);
  });

  test.each([{}, { action: 'perhaps' }, { action: null, content: { age: 1 } }])(
    'that chooses nothing that a person can choose is refused, and another is taken: %j',
    async (answer) => {
      const { given, errors } = await heard(form(AGE), [answer, accept({ age: 10 })]);
      expect(errors).toEqual([expect.objectContaining(misfit('/inputResponses/question_1/action'))]);
      expect(given).toEqual([accept({ age: 10 })]);
    },
  );

  test.each<readonly [string, InputRequest, JsonObject]>([
    ['is declined', form(AGE), { action: 'decline' }],
    ['is cancelled, whatever its content', form(AGE), { action: 'cancel', content: { age: 'ten' } }],
    ['names no mode, and fits', form(AGE, {}), accept({ age: 1, more: true })],
    ['is about a page', form(AGE, { mode: 'url', url: 'https://a.test/' }), accept()],
    ['has a form that nobody can check', form({ type: 'object', $ref: 'https://a.test/x' }), accept({})],
  ])('that %s is whoever asked’s', async (_what, question, answer) => {
    expect(await heard(question, [answer])).toEqual({ given: [answer], errors: [] });
  });

  test('that names no mode and does not fit is refused', async () => {
    expect((await heard(form(AGE, {}), [accept({})])).errors).toHaveLength(1);
  });

  test('that does not fit takes none of the others with it', async () => {
    const held = checking();
    const answers: Json[] = [];
    const begin = async ({ channel, signal }: HeldRequest) => {
      answers.push(...(await Promise.all([form(AGE), form(AGE)].map((each) => channel.ask!(each, signal)))));
      return { kind: 'completed' };
    };
    const { state } = (await held.run(request(), begin)) as unknown as { state: JsonObject };
    const answer = (inputResponses: JsonObject) =>
      held.run(request({ requestState: state, inputResponses }), begin);
    const fits = accept({ age: 1 });
    await expect(answer({ question_1: fits, question_2: accept({}) })).rejects.toMatchObject(
      misfit('/inputResponses/question_2/content/age'),
    );
    expect(await answer({ question_2: fits })).toMatchObject({ requests: { question_1: form(AGE) } });
    expect(await answer({ question_1: accept({ age: 2 }) })).toEqual({ kind: 'completed' });
    expect(answers).toEqual([accept({ age: 2 }), fits]);
  });

  test('goes on with its call once, however many come at the same time', async () => {
    const held = checking();
    const begin = async ({ channel, signal }: HeldRequest) => {
      await channel.ask!(form(AGE), signal);
      return { kind: 'completed' };
    };
    const { state } = (await held.run(request(), begin)) as unknown as { state: JsonObject };
    const inputResponses = { question_1: accept({ age: 1 }) };
    const twice = [1, 2].map(() => held.run(request({ requestState: state, inputResponses }), begin));
    const [one, other] = await Promise.allSettled(twice);
    expect(one).toMatchObject({ status: 'fulfilled', value: { kind: 'completed' } });
    expect(other).toMatchObject({ status: 'rejected', reason: { code: 'input_expired' } });
  });
});

test('over MCP an answer that does not fit is an error of the request, and the call goes on with the next', async () => {
  await using endpoint = await mcpEndpoint({
    tools: [
      defineTool({
        name: 'asks',
        description: 'd',
        handler: async (_args, { channel, signal }) => ({ said: await channel.ask!(form(AGE), signal) }),
      }),
    ],
  });
  const { requestState } = (await endpoint.ask('tools/call', { name: 'asks' })).body.result;
  const answer = async (content: JsonObject) =>
    (
      await endpoint.ask('tools/call', {
        name: 'asks',
        requestState,
        inputResponses: { question_1: accept(content) },
      })
    ).body;
  expect((await answer({ age: 'ten' })).error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('question_1'),
    data: misfit('/inputResponses/question_1/content/age'),
  });
  expect((await answer({ age: 10 })).result.structuredContent).toEqual({ said: accept({ age: 10 }) });
});

describe('an answer to what was asked by an answer', () => {
  test('of a call that had waited is checked as well', async () => {
    const held = checking();
    const begin = async ({ channel, signal }: HeldRequest) => {
      if (channel.requestState !== undefined) return { kind: 'completed' };
      await channel.ask!(form({}), signal);
      return { kind: 'input_required', requests: { age: form(AGE) }, state: 'theirs', checked: true };
    };
    const answer = async (requestState: JsonObject, inputResponses: JsonObject) =>
      (await held.run(request({ requestState, inputResponses }), begin)) as unknown as { state: JsonObject };
    const { state } = (await held.run(request(), begin)) as unknown as { state: JsonObject };
    const second = await answer(state, { question_1: accept({}) });
    await expect(answer(second.state, { age: accept({}) })).rejects.toMatchObject(
      misfit('/inputResponses/age/content/age'),
    );
    expect(await answer(second.state, { age: accept({ age: 1 }) })).toEqual({ kind: 'completed' });
  });

  const begun = (question: InputRequest, more: JsonObject = { checked: true }) => {
    const channels: CallChannel[] = [];
    const begin = async ({ channel }: HeldRequest) => {
      channels.push(channel);
      if (channel.inputResponses !== undefined) return { kind: 'completed' };
      return { kind: 'input_required', requests: { 'a/b': question }, state: { of: 'theirs' }, ...more };
    };
    return { channels, begin };
  };
  /** Of callers that can be asked, and of those that cannot, whose calls are not held. */
  const CALLERS = [{ elicitation: {} }, {}];

  test.each(CALLERS)(
    'that does not fit begins nothing, and another one does (%j)',
    async (clientCapabilities) => {
      const held = checking();
      const { channels, begin } = begun(form(AGE));
      const asked = await held.run(request({ clientCapabilities }), begin);
      const { state: requestState } = asked as unknown as { state: JsonObject };
      const answer = (inputResponses: JsonObject) =>
        held.run(request({ clientCapabilities, requestState, inputResponses }), begin);
      await expect(answer({ 'a/b': accept({ age: '1' }) })).rejects.toMatchObject(
        misfit('/inputResponses/a~1b/content/age'),
      );
      expect(channels).toHaveLength(1);
      expect(await answer({ 'a/b': accept({ age: 1 }) })).toEqual({ kind: 'completed' });
      expect(channels[1]).toMatchObject({ requestState: { of: 'theirs' } });
    },
  );

  test('that only comes back with its state brings whoever asked their own', async () => {
    const held = checking();
    const { channels, begin } = begun(form(AGE));
    const { state } = (await held.run(request(), begin)) as unknown as { state: JsonObject };
    expect(await held.run(request({ requestState: state }), begin)).toMatchObject({ kind: 'input_required' });
    expect(channels[1]).toMatchObject({ requestState: { of: 'theirs' } });
  });

  test.each<readonly [string, InputRequest, JsonObject]>([
    ['is of nobody whose answers are checked', form(AGE), {}],
    ['has a form too large to keep', form({ ...AGE, description: 'x'.repeat(17_000) }), { checked: true }],
  ])('is passed on where it %s', async (_what, question, more) => {
    const held = checking();
    const { channels, begin } = begun(question, more);
    const { state } = (await held.run(request(), begin)) as unknown as { state: JsonObject };
    expect(state).toEqual({ of: 'theirs' });
    const inputResponses = { 'a/b': accept({}) };
    await held.run(request({ requestState: state, inputResponses }), begin);
    expect(channels[1]).toMatchObject({ inputResponses, requestState: { of: 'theirs' } });
  });
});

test.each([
  [true, '{"age":1}'],
  [false, '{}'],
])('a task refuses what does not fit where it is to be checked (%s), and asks on', async (checked, taken) => {
  const made = Promise.withResolvers<TaskWork>();
  const asked = Promise.withResolvers<unknown>();
  const ended = Promise.withResolvers<TaskEnd>();
  const given: unknown[] = [];
  const created = { id: 'a', status: 'working', createdAt: 0, updatedAt: 0, expiresAt: 1 } as const;
  const tasks = {
    afterMs: 60_000,
    async create(work: TaskWork) {
      made.resolve(work);
      return { created, say: () => undefined, ask: asked.resolve, end: ended.resolve };
    },
    endOf: () => ({ status: 'completed' }) as const,
    failedWith: () => ({ status: 'failed' }) as const,
  };
  await checking().run({ ...request(), tasks }, async ({ channel }) => {
    await channel.becomeTask?.();
    given.push(channel.inputResponses?.['age']);
    if (given.length > 1) return { kind: 'completed' };
    return { kind: 'input_required', requests: { age: form(AGE) }, ...(checked && { checked }) };
  });
  await asked.promise;
  const work = await made.promise;
  const first = work.answer({ question_1: accept({}) });
  if (checked) {
    await expect(first).rejects.toMatchObject(misfit('/inputResponses/question_1/content/age'));
    await work.answer({ question_1: accept({ age: 1 }) });
  }
  await ended.promise;
  expect(given[1]).toEqual(accept(JSON.parse(taken)));
});
