import { describe, expect, it } from 'vitest';
import { isRounded, roundedNumber } from '../../../src/operations/text/rounded-number.ts';

describe('a whole number that a double does not hold', () => {
  it.each([
    ['9007199254740993', true],
    ['-9007199254740993', true],
    // a double holds it, and writes it with other digits
    ['1152921504606846976', true],
    ['9007199254740991', false],
    ['9007199254740992', false],
    ['1000000000000000000', false],
    ['0.12345678901234567890', false],
    ['1e20', false],
    ['1e400', true],
    ['-1.5E+309', true],
    ['1e308', false],
    ['1e-400', false],
  ])('%s: %s', (digits, rounded) => {
    expect(isRounded(Number(digits), digits)).toBe(rounded);
    expect(roundedNumber(`{"a":[1,{"b":${digits}}]}`)).toBe(rounded ? digits : undefined);
  });

  it('is none where the digits are text', () => {
    expect(roundedNumber('{"id":"9007199254740993","9007199254740993":1}')).toBeUndefined();
  });
});
