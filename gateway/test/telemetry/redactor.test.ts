import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/telemetry/redactor.ts';

it('takes out what was added, from then on', () => {
  const redactor = createRedactor();
  expect(redactor.redact('hunter22')).toBe('hunter22');
  redactor.add('hunter22');
  expect(redactor.redact({ m: 'it was hunter22' })).toEqual({ m: 'it was [redacted]' });
});

it('leaves out secrets that are too short to be told from text', () => {
  const redactor = createRedactor();
  for (const short of ['', 'a', 'abc']) redactor.add(short);
  expect(redactor.redact('abc')).toBe('abc');
});

it('is bounded: the secret used longest ago is forgotten', () => {
  const redactor = createRedactor({ capacity: 2 });
  redactor.add('first-one');
  redactor.add('second-one');
  redactor.add('first-one');
  redactor.add('third-one');
  expect(redactor.redact('first-one second-one third-one')).toBe('[redacted] second-one [redacted]');
});

describe('what was harmless before', () => {
  it('is a secret as soon as it becomes one', () => {
    const redactor = createRedactor();
    expect(redactor.redact({ note: 'open sesame' })).toEqual({ note: 'open sesame' });
    redactor.add('open sesame');
    expect(redactor.redact({ note: 'open sesame' })).toEqual({ note: '[redacted]' });
  });

  it('as a number is still looked at as a text', () => {
    const redactor = createRedactor();
    const card = '4111111111111111';
    const alone = createRedactor().redact(card);
    redactor.redact(Number(card));
    expect(redactor.redact(card)).toBe(alone);
  });
});
