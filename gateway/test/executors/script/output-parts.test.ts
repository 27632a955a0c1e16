import { describe, expect, it } from 'vitest';
import { collectOutput } from '../../../src/executors/script/collected-output.ts';
import {
  environmentProblem,
  programPath,
  scriptEnvironment,
} from '../../../src/executors/script/script-environment.ts';
import { readLines } from '../../../src/executors/script/stderr-lines.ts';
import fc from '../../properties.ts';

describe('collected output', () => {
  it('is the beginning of what arrived, however it was cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40_000 }), { maxLength: 12 }),
        fc.nat(60_000),
        (chunks, most) => {
          const output = collectOutput(most);
          for (const chunk of chunks) output.push(Buffer.from(chunk));
          const all = Buffer.concat(chunks);
          const decoder = new TextDecoder();
          expect(output.text()).toBe(decoder.decode(all.subarray(0, most), { stream: all.length > most }));
          expect(output.isCut).toBe(all.length > most);
          expect(output.seen).toBe(all.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('does not end within a character', () => {
    const output = collectOutput(5);
    output.push(Buffer.from('ab€€'));
    expect(output.text()).toBe('ab€');
    expect(output.isWhole()).toBe(false);
  });

  it('is whole only as UTF-8', () => {
    const output = collectOutput(5);
    output.push(Buffer.from([0x22, 0xff, 0x22]));
    expect(output.isWhole()).toBe(false);
    expect(output.text()).toBe('"\ufffd"');
  });

  it('a byte at a time takes no more room than its limit', () => {
    const output = collectOutput(100_000);
    for (let at = 0; at < 300_000; at++) output.push(Buffer.from([0x61]));
    expect(output.text()).toHaveLength(100_000);
  });
});

describe('lines of stderr', () => {
  const linesOf = (chunks: readonly (string | Uint8Array)[]) => {
    const lines: string[] = [];
    const reader = readLines((line) => lines.push(line));
    for (const chunk of chunks) reader.push(Buffer.from(chunk as string));
    reader.end();
    return lines;
  };

  it('are the same however they arrive', () => {
    expect(linesOf(['on', 'e\ntw', 'o\n', '\n', 'three'])).toEqual(['one', 'two', 'three']);
    const euro = Buffer.from('a€b\n');
    expect(linesOf([euro.subarray(0, 2), euro.subarray(2, 3), euro.subarray(3)])).toEqual(['a€b']);
  });

  it('are clean, short and not too many', () => {
    expect(linesOf(['\u001b[31mred\u001b[0m\r\n', '\u202eback\u0007\n'])).toEqual(['red', 'back']);
    expect(linesOf(['x'.repeat(5000), 'y'.repeat(5000), '\nnext\n'])).toEqual(['x'.repeat(200), 'next']);
    expect(linesOf(['line\n'.repeat(500)])).toHaveLength(100);
  });

  it('take any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 8 }), (chunks) => {
        const lines = linesOf(chunks);
        expect(lines.length).toBeLessThanOrEqual(100);
        for (const line of lines) expect(line).toMatch(/^[^\u0000-\u001f\u007f-\u009f]{1,200}$/);
      }),
    );
  });
});

describe('the environment of a script', () => {
  it('holds what is on the list and what it was given', () => {
    const ours = {
      PATH: '/bin:relative::/usr/bin',
      LANG: 'C',
      SECRET: 'x',
      LD_PRELOAD: '/x.so',
      NODE_OPTIONS: '-x',
    };
    expect(scriptEnvironment({ GIVEN: '1', LANG: 'de' }, ours)).toEqual({
      PATH: '/bin:/usr/bin',
      LANG: 'de',
      PYTHONDONTWRITEBYTECODE: '1',
      GIVEN: '1',
    });
    expect(programPath({})).toMatch(/^\//);
  });

  it.each([
    ['', 'a'],
    ['A=B', 'a'],
    ['A\0', 'a'],
    ['A', '\0'],
  ])('has no variable %j=%j', (name, value) => {
    expect(environmentProblem({ [name]: value })).toMatch(/no name|NUL/);
  });
});
