import { describe, expect, it } from 'vitest';
import type { CallChannel, JsonObject } from '../../../src/operations/index.ts';
import type { OpenCall } from '../../../src/upstreams/session/calls-in-flight.ts';
import { answerQuestion } from '../../../src/upstreams/session/questions.ts';

const FORM = { method: 'elicitation/create', params: { mode: 'form', message: 'Which?' } };
const SAMPLE = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } };
const ROOTS = { method: 'roots/list' };
const idle = () => new AbortController().signal;

const owner = (ask: NonNullable<CallChannel['ask']>, more: Partial<OpenCall> = {}): OpenCall => ({
  principal: 'ann',
  channel: { ask },
  signal: idle(),
  ...more,
});

describe('a question of a server', () => {
  const hanging = (_question: unknown, signal: AbortSignal) =>
    new Promise<JsonObject>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });

  it('ends with the call that it belongs to', async () => {
    const call = new AbortController();
    const answer = answerQuestion(FORM, owner(hanging, { signal: call.signal }), idle());
    call.abort();
    expect(await answer).toEqual({ action: 'cancel' });
  });

  it('ends when the server takes it back', async () => {
    const question = new AbortController();
    const answer = answerQuestion(FORM, owner(hanging), question.signal);
    question.abort();
    expect(await answer).toEqual({ action: 'cancel' });
  });

  it('is answered with what the client said, or with nothing where that is no answer', async () => {
    const said = (value: unknown) => owner(async () => value as JsonObject);
    expect(await answerQuestion(FORM, said({ action: 'accept' }), idle())).toEqual({ action: 'accept' });
    for (const value of ['yes', null, undefined, ['accept']]) {
      expect(await answerQuestion(FORM, said(value), idle())).toEqual({ action: 'cancel' });
      expect(await answerQuestion(ROOTS, said(value), idle())).toEqual({ roots: [] });
      await expect(answerQuestion(SAMPLE, said(value), idle())).rejects.toMatchObject({
        name: 'QuestionRefused',
      });
    }
  });

  it('that no call is asked for reaches nobody', async () => {
    expect(await answerQuestion(FORM, undefined, idle())).toEqual({ action: 'cancel' });
    expect(await answerQuestion(ROOTS, undefined, idle())).toEqual({ roots: [] });
    await expect(answerQuestion(SAMPLE, undefined, idle())).rejects.toMatchObject({ code: -32601 });
  });

  it('to sample that the client fails at is refused with its words', async () => {
    const failing = owner(() => Promise.reject(new Error('The person said no.')));
    await expect(answerQuestion(SAMPLE, failing, idle())).rejects.toMatchObject({
      message: 'The person said no.',
      code: -32603,
    });
  });

  it('that no client could be sent is refused, and so is one in a way that MCP does not know', async () => {
    const asked: unknown[] = [];
    const client = owner(async (question) => {
      asked.push(question);
      return { action: 'accept' };
    });
    const more = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    const deep = { ...FORM, params: { ...FORM.params, more } };
    const unknown = { ...FORM, params: { ...FORM.params, mode: 'voice' } };
    for (const question of [deep, unknown])
      await expect(answerQuestion(question, client, idle())).rejects.toMatchObject({ code: -32602 });
    expect(asked).toEqual([]);
  });

  it('is put to no client that declared nothing of its kind', async () => {
    const asked: string[] = [];
    const put = (question: { method: string; params?: unknown }, clientCapabilities: JsonObject) => {
      const ask = async ({ method }: { method: string }) => {
        asked.push(method);
        return { action: 'accept' };
      };
      const channel: CallChannel = { ask, clientCapabilities };
      return answerQuestion(question, { ...owner(ask), channel }, idle()).catch(() => undefined);
    };
    const page = { method: 'elicitation/create', params: { mode: 'url', url: 'https://shop.example/' } };
    const withTools = { ...SAMPLE, params: { ...SAMPLE.params, tools: [] } };
    const withChoice = { ...SAMPLE, params: { ...SAMPLE.params, toolChoice: { mode: 'auto' } } };
    await put(FORM, { elicitation: { url: {} } });
    await put(FORM, { sampling: {} });
    await put(page, { elicitation: {} });
    await put(page, { elicitation: { form: {} } });
    await put(withTools, { sampling: {} });
    await put(withChoice, { sampling: {} });
    await put(SAMPLE, { elicitation: {} });
    await put(ROOTS, { elicitation: {} });
    expect(asked).toEqual([]);
    await put(FORM, { elicitation: {} });
    await put(FORM, { elicitation: { form: {}, url: {} } });
    await put(page, { elicitation: { url: {} } });
    await put(withTools, { sampling: { tools: {} } });
    await put(SAMPLE, { sampling: {} });
    await put(ROOTS, { roots: {} });
    expect(asked).toHaveLength(6);
  });

  it('of another kind is refused', async () => {
    const question = answerQuestion({ method: 'tools/call' }, owner(hanging), idle());
    await expect(question).rejects.toMatchObject({ code: -32601 });
  });
});
