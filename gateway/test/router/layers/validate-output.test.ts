import { describe, expect, it, test } from 'vitest';
import type { Call, CompletedResult, Json, JsonSchema } from '../../../src/operations/index.ts';
import { toldFailure } from '../../../src/results/told-failure.ts';
import { validateOutputLayer } from '../../../src/router/layers/validate-output.ts';
import { createValidator } from '../../../src/validation/validator.ts';

const output = { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] };
const call = { operation: { output } } as unknown as Call;

test.each<[what: string, structured: Json, breaks: boolean]>([
  ['fits the schema that clients were shown', { code: 'DEPRECATED' }, false],
  ['breaks it', { code: 7 }, true],
  ['only lacks what the schema of the document asks for', { message: 'gone' }, false],
])('what a failed call says that %s is marked so', async (_what, structured, breaks) => {
  const { required: _promise, ...shown } = output;
  const layer = validateOutputLayer(
    createValidator(),
    () => false,
    () => shown,
  );
  const failed: CompletedResult = {
    kind: 'completed',
    content: [{ type: 'text', text: 'It failed.' }],
    structured,
    error: { code: 'tool_failed', message: 'It failed.' },
  };
  expect(await layer(call, async () => failed)).toEqual(
    breaks ? { ...failed, breaksPublished: true } : failed,
  );
});

test.each<[what: string, structured: Json, dryRun: boolean, breaks: boolean]>([
  ['a text in place of JSON', 'a,b', false, true],
  ['nothing', {}, false, false],
  ['a request that was not sent', { code: 7 }, true, false],
])(
  '%s to which no schema applies is marked where clients would refuse it, without a warning',
  async (_what, structured, dryRun, breaks) => {
    const { required: _promise, ...shown } = output;
    const layer = validateOutputLayer(
      createValidator(),
      () => false,
      () => shown,
    );
    const content = [{ type: 'text' as const, text: 'a,b' }];
    const result: CompletedResult = { kind: 'completed', content, structured, outputApplies: false };
    expect(await layer({ ...call, dryRun }, async () => result)).toEqual(
      breaks ? { ...result, breaksPublished: true } : result,
    );
  },
);

test.each([true, false])(
  'a text alone, as a script may answer, is told of like any other misfit (strict: %s)',
  async (strict) => {
    const layer = validateOutputLayer(
      createValidator(),
      () => strict,
      () => output,
    );
    const said = { type: 'text' as const, text: 'two lines' };
    const result: CompletedResult = { kind: 'completed', content: [said] };
    const misfit = 'The answer does not fit its output schema: it is no JSON object';
    expect(await layer(call, async () => result)).toMatchObject(
      strict
        ? { content: [said, {}], error: { code: 'output_invalid' } }
        : { content: [said, { text: `Note: ${misfit}` }], warnings: [misfit], breaksPublished: true },
    );
    expect(await layer({ ...call, dryRun: true }, async () => result)).toEqual(result);
    const failed: CompletedResult = { ...result, error: { code: 'script_failed', message: 'No.' } };
    expect(await layer(call, async () => failed)).toEqual(failed);
    // also where nothing but the schema is an answer
    const exact = { ...call, operation: { ...call.operation, strictOutput: true } };
    expect(await layer(exact, async () => failed)).toEqual(failed);
  },
);

test.each<Json>(['a,b', {}])(
  'in strict mode %j in place of JSON is a breach that keeps what was said',
  async (structured) => {
    const layer = validateOutputLayer(
      createValidator(),
      () => true,
      () => output,
    );
    const said = { type: 'text' as const, text: 'Done: the service answered 204 No Content.' };
    const result: CompletedResult = { kind: 'completed', content: [said], structured, outputApplies: false };
    const refused = await layer(call, async () => result);
    expect(refused).toMatchObject({
      error: { code: 'output_invalid' },
      content: [said, { text: expect.stringMatching(/^output_invalid: /) }],
    });
    expect(refused).not.toHaveProperty('structured');
  },
);

test.each<[what: string, strict: boolean, operation: object]>([
  ['by default the caller gets it with a warning', false, {}],
  ['in strict mode it is withheld', true, {}],
  ['of an operation that is strict by itself it is withheld', false, { strictOutput: true }],
])('an answer that does not fit: %s', async (_what, strict, operation) => {
  const layer = validateOutputLayer(
    createValidator(),
    () => strict,
    () => undefined,
  );
  const said = { type: 'text' as const, text: '{"code":7}' };
  const result: CompletedResult = { kind: 'completed', content: [said], structured: { code: 7 } };
  const misfit = expect.stringMatching(/^The answer does not fit its output schema: \/code /);
  const answered = await layer(
    { operation: { output, ...operation } } as unknown as Call,
    async () => result,
  );
  if (strict || 'strictOutput' in operation) {
    expect(answered).toMatchObject({ error: { code: 'output_invalid', message: misfit } });
    expect(answered).not.toHaveProperty('structured');
  } else {
    const note = { type: 'text', text: expect.stringMatching(/^Note: The answer does not fit/) };
    expect(answered).toEqual({ ...result, content: [said, note], warnings: [misfit] });
  }
});

describe('an answer that is withheld', () => {
  const layer = validateOutputLayer(
    createValidator(),
    () => true,
    () => undefined,
    toldFailure,
  );
  const answer = async (access: string, structured: Json) =>
    (await layer({ operation: { output, access } } as unknown as Call, async () => ({
      kind: 'completed',
      content: [{ type: 'text', text: '{}' }],
      structured,
    }))) as CompletedResult;

  it('is no reason to write again: the caller is told that the call was carried out', async () => {
    const { error, content } = await answer('write', { code: 7 });
    expect(error?.next).toMatch(/^The call was carried out/);
    expect(content).toEqual([{ type: 'text', text: `output_invalid: ${error?.message}\n${error?.next}` }]);
    expect((await answer('read', { code: 7 })).error).not.toHaveProperty('next');
  });

  it('leaves its reason behind where it says nothing but that it failed', async () => {
    expect((await answer('read', { error: 'no order B' })).error?.message).toMatch(
      /property "code" is required.*\. It says: no order B$/,
    );
    expect((await answer('read', { error: 'no order B', size: 7 })).error?.message).not.toContain('B');
  });
});

describe('an answer that fits more than one branch of a oneOf', () => {
  const size = { oneOf: [{ type: 'integer' }, { type: 'number' }, { type: 'string' }] };
  const output = { type: 'object', properties: { size, name: { type: 'string' } } } as const;
  const shown = { type: 'object', properties: { size: {}, name: {} } };
  const answer = async (structured: Json, strict: boolean, published: JsonSchema = shown) => {
    const layer = validateOutputLayer(
      createValidator(),
      () => strict,
      () => published,
    );
    const call = { operation: { output } } as unknown as Call;
    const given: CompletedResult = { kind: 'completed', content: [{ type: 'text', text: '{}' }], structured };
    return (await layer(call, async () => given)) as CompletedResult;
  };

  it('comes without a note, since nobody could make it fit one', async () => {
    expect(await answer({ size: 1 }, false)).not.toHaveProperty('warnings');
  });

  it('comes with one of what else does not fit', async () => {
    const { warnings } = await answer({ size: 1, name: 2 }, false);
    expect(warnings).toEqual([expect.stringMatching(/^(?!.*more than one).*"name" must be string/)]);
  });

  it('is refused where answers are held to their schema', async () => {
    expect((await answer({ size: 1 }, true)).error).toMatchObject({ code: 'output_invalid' });
  });

  it('is told where clients were shown the schema itself, and would refuse it', async () => {
    const result = await answer({ size: 1 }, false, output);
    expect(result).toMatchObject({
      breaksPublished: true,
      warnings: [expect.stringContaining('more than one')],
    });
  });
});

describe('an answer whose members the caller chose', () => {
  const output = {
    type: 'object',
    properties: { id: { type: 'integer' }, title: { type: 'string' } },
    required: ['id', 'title'],
  };
  const shown = { type: 'object', properties: { id: {}, title: {} } };
  const answer = async (name: string, structured: Json, { strict = false, asked = true } = {}) => {
    const layer = validateOutputLayer(
      createValidator(),
      () => strict,
      () => shown,
    );
    const invocation = { kind: 'http', bindings: [{ in: 'query', name, arg: 'chosen' }] };
    const call = {
      operation: { output, invocation },
      arguments: asked ? { chosen: 'id' } : {},
    } as unknown as Call;
    const given: CompletedResult = { kind: 'completed', content: [{ type: 'text', text: '{}' }], structured };
    return (await layer(call, async () => given)) as CompletedResult;
  };

  it.each(['fields', 'fields[articles]', '$select', 'opt_fields', 'includeFields'])(
    'comes without a note that others are missing (%s)',
    async (name) => {
      expect(await answer(name, { id: 1 })).not.toHaveProperty('warnings');
    },
  );

  it.each(['search', 'selected', 'battlefields'])(
    'is told of as ever by any other parameter (%s)',
    async (name) => {
      expect((await answer(name, { id: 1 })).warnings).toEqual([expect.stringContaining('title')]);
    },
  );

  it('is told of as ever where the caller chose nothing', async () => {
    expect((await answer('fields', { id: 1 }, { asked: false })).warnings).toHaveLength(1);
  });

  it('is told what is of another type', async () => {
    expect((await answer('fields', { id: 'one' })).warnings).toEqual([
      expect.stringMatching(/^(?!.*title).*integer/),
    ]);
  });

  it('is refused where answers are held to their schema', async () => {
    expect((await answer('fields', { id: 1 }, { strict: true })).error).toMatchObject({
      code: 'output_invalid',
    });
  });
});
