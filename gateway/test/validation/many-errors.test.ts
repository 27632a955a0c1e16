import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/operations/index.ts';
import { createValidator } from '../../src/validation/validator.ts';

const MANY = 5000;
const texts = Array.from({ length: MANY }, (_, index) => `text ${index}`);
const integers = { type: 'array', items: { type: 'integer' } };
const strings = { type: 'array', items: { type: 'string' } };

describe('more errors than are kept', () => {
  const validator = createValidator();
  it.each<[string, boolean, JsonObject]>([
    ['in a branch that need not fit', true, { anyOf: [integers, strings] }],
    [
      'in a branch behind a reference',
      true,
      { anyOf: [{ $ref: '#/$defs/n' }, strings], $defs: { n: integers } },
    ],
    ['in one of several branches', true, { oneOf: [integers, strings, { ...integers, minItems: 1 }] }],
    ['of what must not fit', true, { not: integers }],
    ['of a condition', true, { if: integers, else: strings }],
    [
      'of each item, in a branch of its own',
      true,
      { items: { anyOf: [{ type: 'integer' }, { type: 'string' }] } },
    ],
    ['in every branch', false, { anyOf: [integers, { ...integers, minItems: 1 }] }],
    [
      'of references within references',
      false,
      {
        allOf: [{ $ref: '#/$defs/n' }],
        $defs: { n: { items: { $ref: '#/$defs/i' } }, i: { type: 'integer' } },
      },
    ],
    [
      'before a branch that does not fit',
      false,
      { allOf: [integers, { anyOf: [{ $ref: '#/$defs/n' }] }], $defs: { n: { maxItems: 1 } } },
    ],
  ])('%s', (_where, valid, schema) => {
    const outcome = validator.validate(
      { properties: { texts: schema }, $defs: schema['$defs'] ?? {} },
      { texts },
    );
    expect(outcome.valid).toBe(valid);
    if (!outcome.valid) expect(outcome.errors.length).toBeLessThanOrEqual(10);
  });

  it('leave nothing behind: the schema that is kept holds neither them nor the value', () => {
    const script = `
      const { createValidator } = await import(${JSON.stringify(import.meta.resolve('../../src/validation/validator.ts'))});
      const validator = createValidator();
      const schema = { properties: { items: { items: { required: ['a', 'b'] } } } };
      const held = async () => { await new Promise(setImmediate); gc(); return process.memoryUsage().heapUsed; };
      validator.validate(schema, { items: [{}] });
      const before = await held();
      validator.validate(schema, { items: Array.from({ length: 200_000 }, () => ({})) });
      console.log((await held()) - before);`;
    const options = ['--expose-gc', '--input-type=module', '--eval', script];
    const cwd = fileURLToPath(new URL('../..', import.meta.url));
    expect(Number(execFileSync(process.execPath, options, { cwd, encoding: 'utf8' }))).toBeLessThan(
      4_000_000,
    );
  });
});
