import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isToolcribError } from '../../../src/errors.ts';
import { compileSkill, readFrontMatter } from '../../../src/sources/skill/index.ts';
import { packageOf } from './package.ts';

const read = (matter: string) => readFrontMatter(`---\n${matter}\n---\n# Text\n`, '/s/SKILL.md');
const said = async (matter: string) =>
  (await read(matter)).findings.map(({ code, severity, location }) => `${severity} ${code} ${location}`);

it('reads every field of the specification', async () => {
  expect(
    await read(`name: pdf-forms
description: >
  Fills forms.
  Use it for PDF.
license: Apache-2.0
compatibility: Needs qpdf
metadata: { short-description: Forms }
allowed-tools: Bash(git add:*) Read  Write`),
  ).toEqual({
    name: 'pdf-forms',
    description: 'Fills forms. Use it for PDF.',
    license: 'Apache-2.0',
    compatibility: 'Needs qpdf',
    metadata: { 'short-description': 'Forms' },
    allowedTools: ['Bash(git add:*)', 'Read', 'Write'],
    frontMatter: {
      name: 'pdf-forms',
      description: 'Fills forms. Use it for PDF.\n',
      license: 'Apache-2.0',
      compatibility: 'Needs qpdf',
      metadata: { 'short-description': 'Forms' },
      'allowed-tools': 'Bash(git add:*) Read  Write',
    },
    findings: [],
  });
});

describe('what real skills break is a warning', () => {
  it.each([
    ['name: Pdf_Forms\ndescription: d', 'skill-name', 2],
    [`name: a\ndescription: ${'d'.repeat(1068)}`, 'skill-description', 3],
    ['name: a\ndescription: d\nlicense: [MIT]', 'skill-license', 4],
    [`name: a\ndescription: d\ncompatibility: ${'c'.repeat(501)}`, 'skill-compatibility', 4],
    ['name: a\ndescription: d\nmetadata: { n: 1 }', 'skill-metadata', 4],
    ['name: a\ndescription: d\nmetadata: text', 'skill-metadata', 4],
    ['name: a\ndescription: d\nallowed-tools: [Read, Write]', 'skill-allowed-tools', 4],
    ['name: a\ndescription: d\nrequires: x', 'skill-key-unknown', 4],
    ['name: a\ndescription: Use this: it helps', 'skill-front-matter', 3],
  ])('%j', async (matter, code, line) => {
    expect(await said(matter)).toEqual([`warning ${code} /s/SKILL.md:${line}`]);
  });

  it('says where tools stand that a skill has in its front matter, of a list of names it says nothing', async () => {
    const words = async (tools: string) =>
      (await read(`name: a\ndescription: d\ntools: ${tools}`)).findings.map(({ message }) => message);
    expect(await words('[{ name: list, executor: { type: script, path: list.py } }]')).toEqual([
      expect.stringContaining('tool-manifest.yaml, beside SKILL.md.'),
    ]);
    expect(await words('[Read, Write]')).toEqual([expect.not.stringContaining('tool-manifest')]);
  });

  it('makes an id of a name that is none', async () => {
    expect((await read('name: My  Skill!\ndescription: d')).name).toBe('my-skill');
    expect((await read('name: ../../etc\ndescription: d')).name).toBe('etc');
    expect((await read('name: 7\ndescription: d')).name).toBe('7');
  });

  it('reads a list of tools, and metadata that is no text', async () => {
    const matter = await read(
      'name: a\ndescription: d\nallowed-tools: [Read, 7]\nmetadata: { n: 1, t: [x] }',
    );
    expect(matter.allowedTools).toEqual(['Read']);
    expect(matter.metadata).toEqual({ n: '1', t: '["x"]' });
  });

  it('reads line by line what is no YAML', async () => {
    expect(await read('name: "a"\ndescription: Use this: for {things\nlicense: MIT')).toMatchObject({
      name: 'a',
      description: 'Use this: for {things',
      license: 'MIT',
    });
  });
});

describe('fails without a usable SKILL.md', () => {
  it.each([
    ['# no front matter', 'skill-front-matter', ':1'],
    ['---\nname: a\ndescription: d\n', 'skill-front-matter', ':1'],
    ['---\n- a\n---\n', 'skill-front-matter', ':2'],
    ['---\ndescription: d\n---\n', 'skill-name', ':2'],
    ['---\nname: "!!"\ndescription: d\n---\n', 'skill-name', ':2'],
    ['---\nname: [a]\ndescription: d\n---\n', 'skill-name', ':2'],
    ['---\nname: a\n---\n', 'skill-description', ':2'],
    ['---\nname: a\ndescription: "  "\n---\n', 'skill-description', ':3'],
    [`---\nname: a\ndescription: |\n${'  x\n'.repeat(30_000)}---\n`, 'skill-front-matter', ':1'],
  ])('%j', async (text, finding, line) => {
    const error = await readFrontMatter(text, '/s/SKILL.md').catch((thrown: unknown) => thrown);
    expect(isToolcribError(error) && [error.code, error.details, error.location]).toEqual([
      'skill_invalid',
      { finding },
      `/s/SKILL.md${line}`,
    ]);
  });

  it.each([
    ['# skills/poems/SKILL.md\n---\nname: a\n---\n', 'its first line is "# skills/poems/SKILL.md".'],
    ['\n---\nname: a\n---\n', 'its first line is empty.'],
    ['---\nname: a\n', 'the second one is missing'],
  ])('says what stands where the front matter should: %j', async (text, says) => {
    const error = await readFrontMatter(text, '/s/SKILL.md').catch((thrown: unknown) => thrown);
    expect((error as Error).message).toContain(`It has to begin with YAML between two lines "---"; ${says}`);
  });

  it.each([
    ['name', '\tname: a\ndescription: d', 2, 'Tabs are not allowed as indentation'],
    ['name', 'description: d\nname: !!', 3, ''],
    ['name', 'description: "d\n  name: a', 4, 'Missing closing "quote'],
    ['description', 'name: a\ndescription: >\n  d\nlicense: {', 6, ''],
  ])('says what is wrong with YAML where no %s can be read: %j', async (key, matter, line, reason) => {
    const error = await read(matter).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'skill_invalid',
      details: { finding: 'skill-front-matter' },
      location: `/s/SKILL.md:${line}`,
    });
    expect((error as Error).message).toMatch(
      /^The front matter is no valid YAML \(.+\), and no \w+ can be read/,
    );
    expect((error as Error).message).toContain(`no ${key} can be read from it.`);
    expect((error as Error).message).toContain(reason);
  });

  it('reads an alias that stands within itself line by line', async () => {
    const { name, findings } = await read('name: a\ndescription: d\nmetadata: &m { again: *m }');
    expect(name).toBe('a');
    expect(findings[0]?.message).toContain('(An alias stands within what it stands for)');
  });

  it.each([
    ['nothing', {}, 'There is no SKILL.md.'],
    ['another spelling', { 'skill.md': 'x' }, 'There is no SKILL.md, but a skill.md: rename it.'],
    ['no UTF-8', { 'SKILL.md': Uint8Array.of(0xff, 0x2d) }, 'SKILL.md is no UTF-8 text.'],
    ['too much', { 'SKILL.md': 'x'.repeat(1_100_000) }, 'SKILL.md has at most 1048576 bytes.'],
  ])('%s', async (_what, files, message) => {
    await expect(compileSkill(packageOf(files), { folder: '/s', root: '/' })).rejects.toMatchObject({
      code: 'skill_invalid',
      message,
      location: '/s/SKILL.md',
    });
  });
});

it('takes the end of a line of any system, and a byte order mark', async () => {
  const text = '\uFEFF---\r\nname: a\r\ndescription: d\r\n---\r\nText';
  expect(await readFrontMatter(text, 'SKILL.md')).toMatchObject({
    name: 'a',
    description: 'd',
    findings: [],
  });
});

it('warns where the folder is called otherwise', async () => {
  const skill = packageOf({ 'SKILL.md': '---\nname: reader\ndescription: d\n---\n' });
  const { id, findings } = await compileSkill(skill, { folder: '/skills/template', root: '/skills' });
  expect(id).toBe('reader');
  expect(findings.map(({ code, severity }) => [code, severity])).toEqual([['skill-folder', 'warning']]);
});

const published = fileURLToPath(new URL('../../../../../shared/data/skills', import.meta.url));
const folders = existsSync(published)
  ? readdirSync(published).filter((name) => existsSync(join(published, name, 'SKILL.md')))
  : [];

describe.skipIf(folders.length === 0)('published skills', () => {
  it.each(folders.length === 0 ? ['none'] : folders)('reads %s without a finding', async (name) => {
    const text = readFileSync(join(published, name, 'SKILL.md'), 'utf8');
    const compiled = await compileSkill(packageOf({ 'SKILL.md': text }), {
      folder: join(published, name),
      root: published,
    });
    expect(compiled).toMatchObject({ id: name, tools: [], invalid: [], findings: [] });
  });
});
