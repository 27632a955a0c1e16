import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { skillTemplate } from '../../../src/cli/templates/skill.ts';
import { ALIASES, EXECUTOR_KEYS, TOOL_KEYS } from '../../../src/sources/skill/tool-members.ts';

const published = new URL('../../../schemas/tool-manifest.schema.json', import.meta.url);

describe('schemas/tool-manifest.schema.json', () => {
  it('takes what is compiled, and refuses what is not', async () => {
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(await readFile(published, 'utf8')));
    const takes = (value: unknown) => validate(value) === true;
    expect(takes(parse(skillTemplate('count-words')['tool-manifest.yaml']!))).toBe(true);
    expect(
      takes([
        { name: 'aa', entry: 'a.py', args: ['x', ['--y', '{{args.y}}'], { flag: '-z', when: 'args.z' }] },
      ]),
    ).toBe(true);
    const args = (item: object) =>
      takes([{ name: 'aa', entry: 'a.py', args: [item], stdin_text: '{{args.t}}' }]);
    expect(args({ each: 'args.files' })).toBe(true);
    expect(args({ each: 'args.files', flag: '--file' })).toBe(true);
    expect(args({ flag: '--file' })).toBe(false);
    expect(args({ each: 'args.files', when: 'args.x' })).toBe(false);
    expect(takes([{ name: 'aa', entry: 'a.py', stdin_text: { a: 1 } }])).toBe(false);
    expect(takes({ name: 'aa', endpoint: 'https://a.test', body: { a: [1] }, headers: { b: 'c' } })).toBe(
      true,
    );
    expect(takes({ tools: [{ name: 'aa', timeout_sec: 601 }] })).toBe(false);
    expect(takes({ tools: [{ name: 'a b' }] })).toBe(false);
    expect(takes({ tools: [{ name: 'aa', retry: { max_attempts: 7 } }] })).toBe(false);
    expect(takes({ tools: [{ name: 'aa', excutor: {} }] })).toBe(false);
  });

  it('knows exactly the keys that the compiler knows', async () => {
    const all = JSON.parse(await readFile(published, 'utf8')) as object;
    const keys = new Set<string>();
    const collect = (value: unknown): void => {
      if (value === null || typeof value !== 'object') return;
      const { properties } = value as { properties?: object };
      if (properties !== undefined && Object.hasOwn(properties, 'endpoint'))
        for (const key of Object.keys(properties)) keys.add(key);
      for (const one of Object.values(value)) collect(one);
    };
    collect(all);
    const known = new Set([...TOOL_KEYS, ...EXECUTOR_KEYS, ...Object.keys(ALIASES), '$schema']);
    expect([...keys].sort()).toEqual([...known].sort());
  });
});
