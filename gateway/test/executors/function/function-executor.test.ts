import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ToolcribError } from '../../../src/errors.ts';
import { createFunctionExecutor } from '../../../src/executors/function/function-executor.ts';
import {
  type Call,
  DEFAULT_LIMITS,
  type JsonObject,
  LOCAL_PRINCIPAL,
} from '../../../src/operations/index.ts';
import {
  content,
  defineTool,
  type FunctionTool,
  inputRequired,
  output,
} from '../../../src/sources/function/define.ts';
import { describeFunctions } from '../../../src/sources/function/describe.ts';
import { createFunctionRegistry } from '../../../src/sources/function/registry.ts';

interface Options {
  readonly args?: JsonObject;
  readonly signal?: AbortSignal;
  readonly call?: Partial<Call>;
}

function execute(
  tool: Partial<FunctionTool>,
  { args = {}, signal = new AbortController().signal, call }: Options = {},
) {
  const source = { tools: [{ name: 't', description: 'd', handler: () => null, ...tool }] };
  const executor = createFunctionExecutor(createFunctionRegistry({ fns: source }, () => {}));
  const connection = { name: 'fns', source: 'fns', securitySchemes: {}, limits: DEFAULT_LIMITS };
  const deadline = Date.now() + 1000;
  return executor.execute(
    {
      id: 'abc',
      principal: LOCAL_PRINCIPAL,
      tool: 't',
      operation: describeFunctions('fns', source).operations[0]!,
      arguments: args,
      deadline,
      signal,
      channel: {},
      dryRun: false,
      depth: 0,
      ...call,
    },
    { connection, signal, deadline },
  );
}

const text = (value: string) => [{ type: 'text', text: value }];

test.each([
  ['an object', { a: 1 }, { content: text('{"a":1}'), structured: { a: 1 } }],
  ['a string', 'plain', { content: text('plain') }],
  ['a number', 42, { content: text('42') }],
  ['an array', [1], { content: text('[1]') }],
  ['nothing', undefined, { content: text('null') }],
])('%s becomes text, and structured content where it is an object', async (_name, value, expected) => {
  expect(await execute({ handler: () => value })).toEqual({ kind: 'value', ...expected });
});

test('a declared output that is no object comes under `result`', async () => {
  const tool = { output: { type: 'array' }, handler: () => [1, 2] };
  expect(await execute(tool)).toMatchObject({
    structured: { result: [1, 2] },
    content: text('{"result":[1,2]}'),
  });
  const ready = { output: z.number(), handler: () => output({ content: [], structured: 7 }) };
  expect(await execute(ready)).toMatchObject({ structured: { result: 7 } });
});

test('ready blocks pass through; an object that looks like them is only an object', async () => {
  expect(await execute({ handler: () => content({ type: 'text', text: 'x' }) })).toEqual({
    kind: 'value',
    content: text('x'),
  });
  const lookalike = { kind: 'content', content: 'x' };
  expect(await execute({ handler: () => lookalike })).toMatchObject({ structured: lookalike });
});

test('a request for input passes through', async () => {
  const requests = { q: { method: 'roots/list' } } as const;
  expect(await execute({ handler: () => inputRequired(requests, { step: 1 }) })).toEqual({
    kind: 'input_required',
    requests,
    state: { step: 1 },
  });
});

test('what a handler throws is a failed result with its message', async () => {
  const handler = () => {
    throw new TypeError('no such file');
  };
  expect(await execute({ handler })).toEqual({ kind: 'value', failed: true, content: text('no such file') });
});

test('a ToolcribError stays what it is', async () => {
  const handler = async () => {
    throw new ToolcribError('credentials_missing', 'No key.');
  };
  await expect(execute({ handler })).rejects.toMatchObject({ code: 'credentials_missing' });
});

test('a zod input is applied: defaults, transforms, refinements', async () => {
  const tool = defineTool({
    name: 't',
    description: 'd',
    input: z.object({
      n: z
        .number()
        .default(2)
        .refine((n) => n < 10, 'too many'),
    }),
    handler: ({ n }) => ({ doubled: n * 2 }),
  });
  expect(await execute(tool)).toMatchObject({ structured: { doubled: 4 } });
  await expect(execute(tool, { args: { n: 11 } })).rejects.toMatchObject({
    code: 'arguments_invalid',
    pointer: '/n',
  });
});

test('a handler gets the signal and the correlation id of its call', async () => {
  const handler = vi.fn(() => null);
  await execute({ handler });
  expect(handler).toHaveBeenCalledWith(
    {},
    expect.objectContaining({ id: 'abc', signal: expect.any(AbortSignal) }),
  );
});

test.each([
  ['a read that times out', 'read', new DOMException('', 'TimeoutError'), 'deadline_exceeded'],
  ['a write that times out', 'write', new DOMException('', 'TimeoutError'), 'outcome_unknown'],
  ['a cancelled call', 'write', new DOMException('', 'AbortError'), 'cancelled'],
] as const)(
  '%s ends with its signal, even when the handler never does',
  async (_name, access, reason, code) => {
    const controller = new AbortController();
    const handler = () => {
      queueMicrotask(() => controller.abort(reason));
      return new Promise<null>(() => {});
    };
    await expect(execute({ access, handler }, { signal: controller.signal })).rejects.toMatchObject({ code });
  },
);

test('a dry run describes the call and runs nothing', async () => {
  const handler = vi.fn(() => null);
  const planned = await execute({ handler }, { args: { a: 1 }, call: { dryRun: true } });
  expect(planned).toEqual({ kind: 'value', content: text('{"function":"t","arguments":{"a":1}}') });
  expect(handler).not.toHaveBeenCalled();
});
