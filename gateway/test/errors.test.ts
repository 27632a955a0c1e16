import { describe, expect, it } from 'vitest';
import { asToolcribError, ERRORS, ToolcribError } from '../src/errors.ts';

describe('the error registry', () => {
  it.each(Object.entries(ERRORS))('%s says what to do next', (_code, row) => {
    expect(row.next).toMatch(/\.$/);
    expect(row.status).toBeGreaterThanOrEqual(400);
    expect(row.exit).toBeGreaterThan(0);
  });

  it('keeps foreign errors away from clients', () => {
    const error = asToolcribError(new TypeError('token=abc'));
    expect(error.code).toBe('internal');
    expect(error.message).not.toContain('abc');
  });

  it.each([
    ['ENOSPC', 'write', 'The disk is full (ENOSPC).'],
    ['EMFILE', 'open', 'Too many files are open (EMFILE).'],
  ])('tells of %s as what the machine lacks, without a path', (code, syscall, message) => {
    const error = Object.assign(new Error(`${code}: no more, ${syscall} '/secret'`), { code, syscall });
    expect(asToolcribError(error)).toMatchObject({ code: 'file_unusable', message });
  });

  it('leaves its own errors alone', () => {
    const error = new ToolcribError('usage', 'No.');
    expect(asToolcribError(error)).toBe(error);
  });
});
