import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonSchema } from '../../../src/operations/index.ts';
import { describeNodes, fence, http, webhook } from './describing.ts';

const describeOne = async (parameters: JsonObject, output?: JsonSchema) => {
  const notes = output === undefined ? undefined : fence('toolcrib-output', JSON.stringify(output));
  const { operations } = await describeNodes([
    webhook({ path: 'a', httpMethod: 'POST', ...parameters }, { notes }),
  ]);
  return operations[0]!;
};
const NUMBER: JsonSchema = {
  type: 'object',
  properties: { number: { type: 'integer' } },
  required: ['number'],
};

describe('what a response mode promises', () => {
  it('onReceived only says that the workflow was started', async () => {
    const operation = await describeOne({}, NUMBER);
    expect(operation.output).toEqual({ type: 'object', properties: { message: { type: 'string' } } });
    expect(operation).not.toHaveProperty('strictOutput');
    expect(operation.description).toMatch(
      /returns at once: the answer says that it was started, not what came of it\.$/,
    );
  });

  it.each([{ responseData: 'Thanks' }, { noResponseBody: true }])(
    'onReceived with %j promises nothing',
    async (options) => {
      expect(await describeOne({ options })).not.toHaveProperty('output');
    },
  );

  it.each(['lastNode', 'responseNode'])(
    '%s gives what is declared, and holds the workflow to it',
    async (responseMode) => {
      expect(await describeOne({ responseMode }, NUMBER)).toMatchObject({
        output: NUMBER,
        strictOutput: true,
      });
      expect(await describeOne({ responseMode })).not.toHaveProperty('output');
    },
  );

  it('a declared list is published under `result`, its definitions at the root', async () => {
    const $defs = { Line: { type: 'string' } };
    const list: JsonSchema = { type: 'array', items: { $ref: '#/$defs/Line' } };
    const operation = await describeOne(
      { responseMode: 'lastNode', responseData: 'allEntries' },
      { ...list, $defs },
    );
    expect(operation).toMatchObject({
      output: { type: 'object', properties: { result: list }, required: ['result'], $defs },
      strictOutput: true,
    });
    expect(http(operation).wrapsResult).toBe(true);
  });

  it('all entries are a list even where nothing is declared', async () => {
    const operation = await describeOne({ responseMode: 'lastNode', responseData: 'allEntries' });
    expect(http(operation).wrapsResult).toBe(true);
    expect(operation.output).toMatchObject({ properties: { result: { type: 'array' } } });
    expect(operation).not.toHaveProperty('strictOutput');
  });

  it.each<[string, JsonObject, RegExp]>([
    ['a file', { responseMode: 'lastNode', responseData: 'firstEntryBinary' }, /a file/],
    ['no data', { responseMode: 'lastNode', responseData: 'noData' }, /without data/],
    ['a stream', { responseMode: 'streaming' }, /stream of JSON lines/],
    ['headers alone', { responseMode: 'lastNode', httpMethod: 'HEAD' }, /headers alone/],
  ])('%s has no schema, whatever is declared', async (_what, parameters, note) => {
    const operation = await describeOne(parameters, NUMBER);
    expect(operation).not.toHaveProperty('output');
    expect(operation).not.toHaveProperty('strictOutput');
    expect(operation.description).toMatch(note);
  });
});
