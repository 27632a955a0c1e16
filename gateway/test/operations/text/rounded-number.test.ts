import { describe, expect, it } from 'vitest';
import { isRounded, losesDigits, roundedNumber } from '../../../src/operations/text/rounded-number.ts';

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

describe('a number with more digits than a double has', () => {
  it.each([
    ['123456789.123456789012345678', true],
    ['-0.1234567890123456789', true],
    ['12345678901234.567', true],
    ['100.0000000000000000001', true],
    ['1.2345678901234567891e+30', true],
    [`0.${'3'.repeat(101)}`, true],
    // zeros as databases fill a column with
    ['1.100000000000000000', false],
    ['0.30000000000000004', false],
    // written of a double with more digits than it has
    ['0.10000000000000000555', false],
    ['3.14159265358979311600', false],
    ['1503435956.000247', false],
    ['5e-324', false],
    ['9007199254740993', true],
  ])('%s: %s', (digits, isLost) => {
    expect(losesDigits(Number(digits), digits)).toBe(isLost);
    expect(roundedNumber(`[{"b":${digits}}]`, losesDigits)).toBe(isLost ? digits : undefined);
  });
});
