import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();
const at = (name: string) => crib.path('word_count', name);

/** Writes a file of the package again. */
async function edit(name: string, change: (text: string) => string) {
  const text = await readFile(at(name), 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(at(name), changed);
}

const contract = (change: (contract: Record<string, unknown>) => void) =>
  edit('tool.schema.json', (text) => {
    const value = JSON.parse(text);
    change(value);
    return JSON.stringify(value, null, 2);
  });

async function findings(...options: string[]) {
  const { exit, out } = await crib.run(['lint', 'word_count', '--json', ...options]);
  const [one] = JSON.parse(out).files as [{ findings: Array<Record<string, string>>; examples: number }];
  return {
    exit,
    examples: one.examples,
    said: one.findings.map(({ code, severity, location }) => `${severity} ${code} ${location}`),
    messages: one.findings.map(({ message }) => message),
  };
}

beforeEach(async () => {
  await rm(crib.path('word_count'), { recursive: true, force: true });
  await crib.run(['new', 'tool', 'word_count']);
});

describe('toolcrib lint of a tool package', () => {
  it.each([
    ['tool.md', 'There is no tool.md: purpose, inputs, outputs and examples.'],
    ['tool.schema.json', 'There is no tool.schema.json: name, schemas, access, budget and timeout.'],
    ['tool.ts', 'There is no tool.ts or tool.mts or tool.mjs or tool.js: the code.'],
    ['tool.test.ts', 'There is no tool.test.ts: its tests; any *.test.ts or *.test.mjs will do.'],
  ])('misses %s', async (name, message) => {
    await rm(at(name));
    const { exit, said, messages } = await findings();
    expect(exit).toBe(65);
    expect(said).toContain(`error package-file-missing ${crib.path('word_count')}:1`);
    expect(messages).toContain(message);
  });

  it.each(['budget', 'timeoutMs', 'access', 'output', 'description'])(
    'refuses a contract without %s',
    async (member) => {
      await contract((one) => delete one[member]);
      const { exit, said, messages } = await findings();
      expect(exit).toBe(65);
      expect(said).toContain(`error contract-invalid ${at('tool.schema.json')}:1`);
      expect(messages.join()).toMatch(new RegExp(`"${member}" is missing|^${member}: Expected`));
    },
  );

  it('names the line of what a contract says wrong', async () => {
    await contract((one) => {
      one['budget'] = { per: 'run' };
    });
    const line = (await readFile(at('tool.schema.json'), 'utf8'))
      .split('\n')
      .findIndex((one) => one.includes('"budget"'));
    expect((await findings()).said).toEqual([`error contract-invalid ${at('tool.schema.json')}:${line + 1}`]);
  });

  it('compares what the code says with the contract', async () => {
    await contract((one) => {
      one['timeoutMs'] = 100;
      one['description'] = 'Something else.';
    });
    const { exit, messages } = await findings();
    expect(exit).toBe(65);
    expect(messages).toEqual([
      'The code of word_count says another description than tool.schema.json.',
      'The code of word_count says another timeoutMs than tool.schema.json.',
    ]);
  });

  it.each<[string, string, (text: string) => string]>([
    ['guide-title', ':1', (text) => text.replace('# word_count', '# Words')],
    ['guide-section-missing', ':1', (text) => text.replace('## Purpose', '## Why')],
    ['guide-property-missing', ':6', (text) => text.replace('- `text`: the text', '- a text')],
    ['guide-property-missing', ':9', (text) => text.replace('- `words`: how', '- How')],
    ['example-missing', ':12', (text) => text.slice(0, text.indexOf('### Two words'))],
    ['example-unreadable', ':16', (text) => text.replace('{ "text": "two words" }', '{ text }')],
    ['example-differs', ':16', (text) => text.replace('"words": 2', '"words": 3')],
    ['example-differs', ':24', (text) => text.replace('arguments_invalid', 'tool_failed')],
    ['example-failed', ':16', (text) => text.replace('"two words"', '7')],
  ])('finds %s in tool.md, at %s', async (code, line, change) => {
    await edit('tool.md', change);
    const { exit, said } = await findings();
    expect(exit).toBe(65);
    expect(said).toContain(`error ${code} ${at('tool.md')}${line}`);
  });

  it('says how tool.md has to begin', async () => {
    await edit('tool.md', (text) => text.replace('# word_count', '# Words'));
    expect((await findings()).messages).toEqual([
      'It has to begin with "# word_count", the name in tool.schema.json.',
    ]);
  });

  it('calls the tool through the router: its output schema is enforced', async () => {
    await edit('tool.ts', (text) =>
      text.replace('({ words: text', '({ words: String(text').replace(').length })', ').length) }) as never'),
    );
    const { exit, said, messages } = await findings();
    expect(exit).toBe(65);
    expect(said).toContain(`error example-failed ${at('tool.md')}:16`);
    expect(messages.join()).toContain('output_invalid');
  });

  it('takes any answer that fits the schema where an example names none', async () => {
    await edit('tool.md', (text) => text.replace('```json output\n{ "words": 2 }\n```\n', ''));
    expect(await findings()).toEqual({ exit: 0, examples: 2, said: [], messages: [] });
  });

  it('warns of what a model cannot know', async () => {
    const open = (one: Record<string, unknown>) => {
      const input = one['input'] as Record<string, unknown>;
      delete input['additionalProperties'];
      input['properties'] = { text: { type: 'string' } };
    };
    await contract(open);
    const { exit, said } = await findings();
    expect(exit).toBe(65);
    expect(said.filter((one) => one.startsWith('warning')).map((one) => one.split(' ')[1])).toEqual([
      'property-undescribed',
      'input-open',
    ]);
  });

  it('says why code cannot be loaded', async () => {
    await writeFile(at('tool.ts'), 'export const tool = 1;\n');
    expect((await findings()).messages[0]).toContain('has no tool as its default export');
    await writeFile(at('tool.ts'), "import './nowhere.ts';\n");
    expect((await findings()).messages[0]).toContain('cannot be loaded');
  });

  it('runs the tests where it is asked to, and shows what fails', async () => {
    await edit('tool.test.ts', (text) => text.replace('{ words: 0 }', '{ words: 1 }'));
    expect((await findings()).exit).toBe(0);
    const { exit, said, messages } = await findings('--run-tests');
    expect(exit).toBe(65);
    expect(said).toEqual([`error tests-failed ${at('tool.test.ts')}:1`]);
    expect(messages[0]).toContain('an empty text has none');
  });

  it('takes a zod schema whose JSON Schema is the contract’s', async () => {
    const code = await readFile(at('tool.ts'), 'utf8');
    const start = code.indexOf('  input: {');
    const end = code.indexOf('  output: {');
    const zod = "  input: z.strictObject({ text: z.string().describe('What to count the words of.') }),\n";
    await writeFile(
      at('tool.ts'),
      `import { z } from 'zod';\n${code.slice(0, start)}${zod}${code.slice(end)}`,
    );
    expect(await findings()).toEqual({ exit: 0, examples: 2, said: [], messages: [] });
  });
});

describe('toolcrib lint of folders', () => {
  it('goes through a folder of packages', async () => {
    await crib.run(['new', 'tool', 'one', '--dir', 'many']);
    await crib.run(['new', 'skill', 'two', '--dir', 'many']);
    const { exit, out } = await crib.run(['lint', './many']);
    expect(exit).toBe(0);
    expect(out.split('\n').map((line) => line.split(':')[0])).toEqual(['one', 'two', '']);
  });

  it('says what it looked for where there is nothing', async () => {
    await mkdir(crib.path('empty'));
    const { exit, err } = await crib.run(['lint', './empty']);
    expect(exit).toBe(64);
    expect(err).toContain('neither a tool package');
  });

  it.each<[string, string, string, string]>([
    ['skill-name', 'SKILL.md', 'name: count-words', 'name: Count_Words'],
    ['skill-description', 'SKILL.md', /description: .*/.source, 'description: ""'],
    ['skill-front-matter', 'SKILL.md', '---\nname', 'name'],
    ['skill-tool-executor', 'tool-manifest.yaml', 'scripts/count.mjs', '../../etc/passwd'],
    ['skill-tool-executor', 'tool-manifest.yaml', 'scripts/count.mjs', 'scripts/gone.mjs'],
    ['skill-tool-input', 'tool-manifest.yaml', 'type: object', 'type: string'],
    ['skill-tool-name', 'tool-manifest.yaml', 'count_words.count', '"-"'],
  ])('finds %s in %s', async (code, name, from, to) => {
    await rm(crib.path('count-words'), { recursive: true, force: true });
    await crib.run(['new', 'skill', 'count-words']);
    const file = join(crib.path('count-words'), name);
    await writeFile(file, (await readFile(file, 'utf8')).replace(new RegExp(from), to));
    const { exit, out } = await crib.run(['lint', 'count-words']);
    expect(exit).toBe(65);
    expect(out).toContain(`error ${code}:`);
    expect(out).toContain(`at: ${file}:`);
  });

  it('holds a source kind to its interface', async () => {
    await crib.run(['new', 'source', 'listed']);
    const file = crib.path('listed', 'source.ts');
    await writeFile(file, (await readFile(file, 'utf8')).replace("kind: 'listed'", "kind: 'Listed!'"));
    const { exit, out } = await crib.run(['lint', 'listed']);
    expect(exit).toBe(65);
    expect(out).toContain('error source-invalid: kind is the key in the configuration');
  });
});
