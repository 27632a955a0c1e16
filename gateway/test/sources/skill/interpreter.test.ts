import { describe, expect, it } from 'vitest';
import { interpreterOf } from '../../../src/sources/skill/interpreter.ts';

const of = (path: string, head = '', executable = false) =>
  interpreterOf({ path, executable, head: async () => head });

describe('what runs a script', () => {
  it.each([
    ['a.py', '', 'python3'],
    ['a.PY', '#!/bin/sh', 'python3'],
    ['a.js', '', 'node'],
    ['a.mjs', '', 'node'],
    ['a.cjs', '', 'node'],
    ['a.ts', '', 'node'],
    ['a.mts', '', 'node'],
    ['a.sh', '', 'sh'],
    ['a.sh', '#!/bin/sh\n', 'sh'],
    ['a.sh', '#!/bin/bash -e\n', 'bash'],
    ['a.sh', '#!/usr/bin/env bash\n', 'bash'],
    ['a.bash', '', 'bash'],
    ['a', '#!/usr/bin/env python3\n', 'python3'],
    ['a', '#! /usr/bin/python3.12 -u\r\n', 'python3'],
    ['a', '#!/usr/bin/env -S FLAG=1 node --no-warnings\n', 'node'],
    ['a.rb', '#!/bin/dash', 'sh'],
    ['.py', '#!/bin/bash', 'bash'],
  ])('of %s with %j is %s', async (path, head, expected) => {
    expect(await of(path, head)).toBe(expected);
  });

  it('is itself where it has a run bit and nothing else is known', async () => {
    expect(await of('bin/tool', '\x7fELF', true)).toBe('itself');
    expect(await of('a.rb', '#!/usr/bin/env ruby', true)).toBe('itself');
  });

  it.each([
    ['a.rb', '#!/usr/bin/env ruby', 'entry a.rb has a "#!" line for ruby and no run bit: set it (chmod +x).'],
    ['tool', '\x7fELF', /^entry tool has neither an extension .* nor a run bit/],
    ['a', '#!', /^entry a has neither/],
    ['a', `#!${' '.repeat(300)}/bin/sh`, /^entry a has neither/],
  ])('of %s with %j is nothing, with the reason', async (path, head, problem) => {
    expect(await of(path, head)).toEqual({
      problem: typeof problem === 'string' ? problem : expect.stringMatching(problem),
    });
  });

  it('is not looked for in a file that its name tells of', async () => {
    const head = async () => {
      throw new Error('read');
    };
    expect(await interpreterOf({ path: 'a.py', executable: false, head })).toBe('python3');
  });
});
