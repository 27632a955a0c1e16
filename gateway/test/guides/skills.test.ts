import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SKILL_ROOTS } from '../../src/config/settings/skills.ts';
import { MOST_OUTPUT } from '../../src/executors/script/script-answer.ts';
import { isObject, type Json, SKILL_LIMITS } from '../../src/operations/index.ts';
import { CONTEXT_NAMES } from '../../src/templates/scope.ts';
import { temporaryHome } from '../cli/command-run.ts';

const crib = temporaryHome();

/** Every name that a JSON Schema declares. */
function keysOf(schema: Json): Set<string> {
  if (Array.isArray(schema)) return new Set(schema.flatMap((one) => [...keysOf(one)]));
  if (!isObject(schema)) return new Set();
  const { properties = {}, ...rest } = schema;
  const named = isObject(properties) ? Object.entries(properties) : [];
  const own = named.flatMap(([key, value]) => (key.startsWith('$') ? [] : [key, ...keysOf(value)]));
  return new Set([...own, ...Object.values(rest).flatMap((value) => [...keysOf(value)])]);
}

describe('docs/skills.md', async () => {
  const text = await readFile(new URL('../../../docs/skills.md', import.meta.url), 'utf8');
  /** `file`: named in the first line as a comment, or in the line above where the file has to be literal. */
  const blocks = [...text.matchAll(/^(?:`(\S+\.\w+)`.*:\n)?```(\w+)\n(.*?)^```$/gms)].map(
    ([, above, language, body = '']) => {
      const [comment = '', named] = /^(?:#|\/\/) (\S+\.\w+)\n/.exec(body) ?? [];
      return { language, body: body.slice(comment.length), file: above ?? named };
    },
  );

  it('shows a skill that lint has nothing to say about, and that is served', async () => {
    let commands = 0;
    for (const [index, { language, body, file }] of blocks.entries()) {
      if (file !== undefined) {
        await mkdir(dirname(crib.path(file)), { recursive: true });
        await writeFile(crib.path(file), body);
      }
      if (language !== 'sh') continue;
      const { exit, out, err } = await crib.run(body.trim().split(' ').slice(1));
      expect(err, body).not.toMatch(/^error/m);
      expect(exit, body).toBe(0);
      const answer = blocks[index + 1];
      expect(out).toContain(answer?.language === 'text' ? answer.body.trim() : 'poems');
      commands++;
    }
    expect(commands).toBe(2);
  });

  it('names every key of the manifest, with its alias', async () => {
    const schema = await readFile(
      new URL('../../schemas/tool-manifest.schema.json', import.meta.url),
      'utf8',
    );
    const keys = keysOf(JSON.parse(schema) as Json);
    for (const key of ['parameters', 'stdin_template', 'max_attempts']) expect([...keys]).toContain(key);
    const words = new Set(text.match(/[a-z_]+/g));
    expect([...keys].filter((key) => !words.has(key))).toEqual([]);
  });

  it('names limits, folders and context as they are', () => {
    const {
      timeoutMs,
      maxTimeoutMs,
      attempts,
      maxAttempts,
      backoffMs,
      maxBackoffMs,
      outputCharacters,
      httpBytes,
    } = SKILL_LIMITS;
    const counted = (value: number) => value.toLocaleString('en');
    for (const row of [
      `| one attempt | ${timeoutMs / 1000} s | ${maxTimeoutMs / 1000} s |`,
      `| attempts | ${attempts} | ${maxAttempts} |`,
      `| ${backoffMs} ms | ${counted(maxBackoffMs)} ms each |`,
      `| characters of output | ${counted(outputCharacters)} |`,
      `| bytes of standard output; a script that writes more is ended | ${counted(MOST_OUTPUT)} |`,
      `| bytes of an HTTP answer | ${counted(httpBytes)} |`,
    ])
      expect(text).toContain(row);
    const [one, two, three] = DEFAULT_SKILL_ROOTS;
    expect(text).toContain(`\`${one}\`, \`${two}\` and \`${three}\``);
    for (const name of CONTEXT_NAMES) expect(text).toContain(`\`${name}\``);
  });
});
