import { expect, test, vi } from 'vitest';
import type { CompletionQuestion } from '../../../src/operations/index.ts';
import { content, type FunctionSource, inputRequired } from '../../../src/sources/function/define.ts';
import { createFunctionRegistry } from '../../../src/sources/function/registry.ts';

const source: FunctionSource = {
  resources: [
    { uri: 'test://a', name: 'a', read: () => ({ mimeType: 'text/plain', text: 'exact' }) },
    { uri: 'test://blocks', name: 'b', read: () => content({ type: 'text', text: 'block' }) },
    { uri: 'test://asks', name: 'c', read: () => inputRequired({ roots: { method: 'roots/list' } }, 1) },
    {
      uri: 'test://broken',
      name: 'd',
      read: () => {
        throw new Error('disk is full');
      },
    },
  ],
  resourceTemplates: [
    {
      uriTemplate: 'test://{id}',
      name: 'byId',
      read: (uri, { id }) => ({ text: `${uri} ${id}` }),
      complete: (_variable, value) => [`${value}1`],
    },
  ],
  prompts: [
    {
      name: 'greet',
      description: 'Greets',
      arguments: [{ name: 'who', required: true }],
      get: ({ who }) => [{ role: 'user', content: { type: 'text', text: `Hello ${who}` } }],
      complete: (_argument, _value, { language }) => [language === 'de' ? 'Welt' : 'world'],
    },
    { name: 'silent', get: () => content({ type: 'text', text: 'x' }) },
  ],
};
const registry = createFunctionRegistry({ one: source }, () => {});

test.each([
  ['an exact address before a template', 'test://a', { kind: 'resource', contents: { text: 'exact' } }],
  ['a template with its variables', 'test://42', { kind: 'resource', contents: { text: 'test://42 42' } }],
  ['a text block', 'test://blocks', { kind: 'resource', contents: { text: 'block' } }],
  [
    'a question',
    'test://asks',
    { kind: 'input_required', requests: { roots: { method: 'roots/list' } }, state: 1 },
  ],
])('reads %s', async (_name, uri, expected) => {
  expect(await registry.readResource(uri, {})).toMatchObject(expected);
});

test.each([
  ['an unknown address', () => registry.readResource('other://x', {}), 'resource_unknown', /other:\/\/x/],
  [
    'a reader that fails',
    () => registry.readResource('test://broken', {}),
    'upstream_failed',
    /disk is full/,
  ],
  ['an unknown prompt', () => registry.getPrompt('nope', {}, {}), 'prompt_unknown', /nope/],
  ['a missing argument', () => registry.getPrompt('greet', {}, {}), 'arguments_invalid', /who/],
  [
    'completion of an unknown prompt',
    () => registry.complete({ reference: { prompt: 'nope' }, argument: 'a', value: '' }),
    'prompt_unknown',
    /nope/,
  ],
  [
    'completion of an unknown template',
    () => registry.complete({ reference: { template: 'x' }, argument: 'a', value: '' }),
    'resource_unknown',
    /x/,
  ],
])('%s is an error', async (_name, run, code, message) => {
  await expect(run()).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

test('a prompt answers with messages; blocks become messages of the user', async () => {
  expect(await registry.getPrompt('greet', { who: 'you' }, {})).toEqual({
    kind: 'prompt',
    description: 'Greets',
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello you' } }],
  });
  expect(await registry.getPrompt('silent', {}, {})).toMatchObject({ messages: [{ role: 'user' }] });
});

test('completions come from the prompt or the template, by what is chosen already', async () => {
  const complete = (
    reference: CompletionQuestion['reference'],
    value: string,
    chosen?: Record<string, string>,
  ) => registry.complete({ reference, argument: 'x', value, ...(chosen && { chosen }) });
  const none = { values: [], total: 0 };
  expect(await complete({ prompt: 'greet' }, 'w')).toEqual({ values: ['world'], total: 1 });
  expect(await complete({ prompt: 'greet' }, 'w', { language: 'de' })).toEqual({
    values: ['Welt'],
    total: 1,
  });
  expect(await complete({ template: 'test://{id}' }, '4')).toEqual({ values: ['41'], total: 1 });
  expect(await complete({ prompt: 'silent' }, '')).toEqual(none);
  expect(await complete({ template: 'test://a' }, '')).toEqual(none);
});

test('of two sources with one name the first keeps it', async () => {
  const named = (text: string): FunctionSource => ({
    prompts: [{ name: 'p', get: () => [{ role: 'user', content: { type: 'text', text } }] }],
  });
  const both = createFunctionRegistry({ first: named('first'), second: named('second') }, () => {});
  expect(await both.getPrompt('p', {}, {})).toMatchObject({ messages: [{ content: { text: 'first' } }] });
});

test('notices carry the name of their source', () => {
  const notify = vi.fn();
  createFunctionRegistry({ one: source }, notify).context('one', {}).notify({ resource: 'test://a' });
  expect(notify).toHaveBeenCalledWith({ resource: 'test://a' }, 'one');
});

test('a capability is there only when the client declared it as an object', () => {
  const context = (sampling: unknown) =>
    registry.context('one', { channel: { clientCapabilities: { sampling } as never } });
  expect(() => context({}).requireCapability('sampling')).not.toThrow();
  for (const declared of [undefined, null, true, []]) {
    expect(() => context(declared).requireCapability('sampling')).toThrow(/capability sampling/);
  }
});
