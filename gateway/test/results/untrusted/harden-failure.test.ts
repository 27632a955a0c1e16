import { expect, it } from 'vitest';
import { type ErrorPlace, ToolcribError } from '../../../src/errors.ts';
import type { UntrustedRule } from '../../../src/operations/index.ts';
import { hardenFailure } from '../../../src/results/untrusted/harden-failure.ts';

const RULE: UntrustedRule = { label: true, clean: true, markdown: 'defang', hosts: [] };
const IMAGE = '![x](https://c.example/?d)';
const SHOWN = '(image: x, from c.example)';
const hardened = (message: string, place: ErrorPlace = {}, rule: Partial<UntrustedRule> = {}) =>
  hardenFailure(new ToolcribError('upstream_failed', message, place), 'wiki', {
    ...RULE,
    ...rule,
  }) as ToolcribError;
const labelOf = ({ meta }: ToolcribError) => meta?.['toolcrib/untrusted'];
const LABEL = { untrusted: true, source: 'wiki', origin: 'wiki' };

it('says the same of a failure, without what nobody sees and without links that load', () => {
  const place = {
    pointer: '/a',
    location: 'file:1',
    status: 500,
    next: 'Wait.',
    text: `Says ${IMAGE}`,
    details: { rpc: -1, data: { 'k\u200b': 'v\u202e' } },
  };
  const error = hardened(`Said ${IMAGE}`, place);
  expect(error).toMatchObject({
    ...place,
    code: 'upstream_failed',
    message: `Said ${SHOWN}`,
    text: `Says ${SHOWN}`,
    details: { rpc: -1, data: { k: 'v' } },
  });
  expect(labelOf(error)).toEqual({ ...LABEL, changed: true });
  expect(error.cause).toBeInstanceOf(ToolcribError);
});

it.each<[string, ErrorPlace, boolean]>([
  ['plain', { details: { a: 1 } }, false],
  ['plain', {}, false],
  ['plain', { text: 'plain too' }, false],
  ['plain', { details: { a: '\u202e' } }, true],
  ['plain', { text: IMAGE }, true],
  [IMAGE, {}, true],
])(
  'the label of %s with %j says whether something is not shown as it came: %s',
  (message, place, changed) => {
    const error = hardened(message, place);
    expect(labelOf(error)).toEqual(changed ? { ...LABEL, changed: true } : LABEL);
    if (!changed) expect(error).toMatchObject({ message, ...place });
    expect('details' in place).toBe(error.details !== undefined);
    expect('text' in place).toBe(error.text !== undefined);
  },
);

it('labels and cleans nothing where the rule says so', () => {
  expect(hardened('x', {}, { label: false }).meta).toBeUndefined();
  const kept = { details: { a: '\u202e' } };
  expect(hardened(IMAGE, kept, { clean: false, markdown: 'keep' })).toMatchObject({
    message: IMAGE,
    ...kept,
  });
});

it('leaves a fault of the program to whoever takes its text away', () => {
  const fault = new TypeError('of ours');
  expect(hardenFailure(fault, 'wiki', RULE)).toBe(fault);
});
