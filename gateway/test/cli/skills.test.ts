import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { isolationInForce } from '../../src/sandbox/index.ts';
import { SKILL_MD, zip } from '../skills/import/archives.ts';
import { temporaryHome } from './command-run.ts';

const cli = temporaryHome();
const hasSandbox = process.env['TOOLCRIB_REQUIRE_SANDBOX'] === '1' || (await isolationInForce()).available;

const MANIFEST = `tools:
  - name: count_lines
    description: Counts the lines of a text.
    input_schema: { type: object, properties: { text: { type: string } }, required: [text] }
    executor: { type: script, entry: scripts/count.sh, args_template: ['{{args.text}}'] }
`;
const BROKEN = `${MANIFEST}  - name: count_words
    description: Counts words.
    executor: { type: script, entry: scripts/missing.sh }
`;
const PARTS = (manifest = MANIFEST, script = '#!/bin/sh\nwc -l\n') => [
  { name: 'line-counter/SKILL.md', content: SKILL_MD },
  { name: 'line-counter/tool-manifest.yaml', content: manifest },
  { name: 'line-counter/scripts/count.sh', content: script, mode: 0o100755 },
];
const TEACHING = 'sources:\n  teaching:\n    skills: [skills]\n';

/** A folder of its own with a configuration, and an archive to import. */
async function project(name: string, manifest?: string) {
  const cwd = cli.path(name);
  await mkdir(cwd, { recursive: true });
  await writeFile(cli.path(name, 'toolcrib.yaml'), TEACHING);
  await writeFile(cli.path(name, 'skill.zip'), zip(PARTS(manifest)));
  const run = async (...words: string[]) => cli.run(['skills', ...words], { cwd });
  const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).out);
  return { cwd, run, json, path: (...parts: string[]) => cli.path(name, ...parts) };
}

describe('toolcrib skills', () => {
  test('a state folder that cannot be written is told as that', async () => {
    const { run } = await project('unwritable');
    expect(await run('list', '--state-dir', 'toolcrib.yaml')).toMatchObject({
      exit: 73,
      err: expect.stringMatching(/^error file_unusable: What is known of the skills cannot be written/),
    });
  });

  test('list says which folders were left out, and why', async () => {
    const { run, json, path } = await project('left-out');
    await mkdir(path('skills', 'poems'), { recursive: true });
    await writeFile(path('skills', 'poems', 'SKILL.md'), '# poems\n---\nname: poems\n---\n');
    const { exit, out, err } = await run('list');
    expect([exit, out]).toEqual([0, '']);
    expect(err).toMatch(/^left out: It has to begin with YAML .*\(.*poems.SKILL\.md:1\)\n$/);
    expect(await json('list')).toMatchObject({ skills: [], unusable: [{ folder: path('skills', 'poems') }] });
  });

  test('list says why the last good version of a skill still serves', async () => {
    const { run, path } = await project('stale');
    await mkdir(path('skills', 'poems'), { recursive: true });
    const file = path('skills', 'poems', 'SKILL.md');
    await writeFile(file, '---\nname: poems\ndescription: Poems.\n---\n');
    expect(await run('list')).toMatchObject({ err: '', out: expect.stringMatching(/poems .* ok /) });
    await writeFile(file, '# poems\n');
    const { exit, out, err } = await run('list');
    expect([exit, out]).toEqual([0, expect.stringMatching(/poems .* stale /)]);
    expect(err).toMatch(/^stale poems: It has to begin with YAML .*\(.*poems.SKILL\.md:1\)\n$/);
  });

  test('a SKILL.md in another spelling is told of, by list and by lint', async () => {
    const { run, path } = await project('misspelt');
    await mkdir(path('skills', 'poems'), { recursive: true });
    await writeFile(path('skills', 'poems', 'skill.md'), '---\nname: poems\ndescription: Poems.\n---\n');
    expect((await run('list')).err).toMatch(
      /^left out: Its skill\.md is not read: the file is called SKILL\.md\. \(.*poems\)\n$/,
    );
    expect(await run('lint', 'skills/poems')).toMatchObject({
      exit: 64,
      err: expect.stringContaining('Then skill.md is called SKILL.md.'),
    });
  });

  test('lint takes a file of a skill for the skill', async () => {
    const { run, path } = await project('by-file');
    await mkdir(path('skills', 'poems'), { recursive: true });
    await writeFile(path('skills', 'poems', 'SKILL.md'), '---\nname: poems\ndescription: Poems.\n---\n');
    await writeFile(path('skills', 'poems', 'tool-manifest.yaml'), 'tools: poems\n');
    for (const file of ['SKILL.md', 'tool-manifest.yaml'])
      expect(await run('lint', `skills/poems/${file}`)).toMatchObject({
        exit: 65,
        out: expect.stringContaining('poems: 1 tool, 1 error,'),
      });
  });

  test('names of other sources are those of the catalog that was compiled last, without a lock, too', async () => {
    const { cwd, run, json, path } = await project('shadowed');
    const shop = { paths: { '/lines': { get: { operationId: 'count_lines', responses: { 200: {} } } } } };
    const document = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, ...shop };
    await writeFile(path('shop.json'), JSON.stringify(document));
    await writeFile(path('toolcrib.yaml'), `${TEACHING}  shop: { openapi: ./shop.json, prefix: none }\n`);
    await run('import', 'skill.zip');
    expect(await cli.run(['compile'], { cwd })).toMatchObject({ exit: 0 });
    const report = () => readFile(path('skills', 'line-counter', 'dynamic_tools.report.json'), 'utf8');
    const compiled = await report();
    expect(JSON.parse(compiled)).toMatchObject({ compiled_ok: 0, shadowed: [{ name: 'count_lines' }] });
    expect(await json('list')).toMatchObject({ skills: [{ shadowed: ['count_lines'] }] });
    expect(await report()).toBe(compiled);
    expect(await json('import', 'skill.zip')).toMatchObject({ compiled_ok: 0, shadowed_tools: 1 });
  });

  test('what was read of a skill lies beside it after the same is imported again', async () => {
    const { run, path } = await project('again');
    for (const _ of ['first', 'again']) {
      expect(await run('import', 'skill.zip')).toMatchObject({ exit: 0 });
      for (const name of ['dynamic_tools.json', 'dynamic_tools.lock.json', 'dynamic_tools.report.json'])
        expect(existsSync(path('skills', 'line-counter', name)), name).toBe(true);
    }
  });

  test('import, list, show, versions, restore, remove', async () => {
    const { run, json, path } = await project('whole');
    const imported = await run('import', 'skill.zip');
    expect(imported).toMatchObject({ exit: 0, err: '' });
    expect(imported.out).toMatch(/^line-counter sha256:[0-9a-f]{12}: 1 tool\nIsolation of scripts: /);
    expect(await readFile(path('skills', 'line-counter', 'SKILL.md'), 'utf8')).toBe(SKILL_MD);

    await writeFile(path('skill.zip'), zip(PARTS(MANIFEST, '#!/bin/sh\nwc -l | tr -d " "\n')));
    const again = await json('import', 'skill.zip');
    expect(again).toMatchObject({ compiled_ok: 1, invalid_tools: 0, shadowed_tools: 0 });
    const [{ version, previous }] = again.skills;
    expect(version).not.toBe(previous);

    expect(await json('list')).toMatchObject({
      skills: [{ id: 'line-counter', source: 'teaching', version, tools: ['count_lines'], invalid: [] }],
    });
    const shown = await run('show', 'line-counter');
    expect(shown.out).toContain('tool count_lines: write, script');
    expect((await json('versions', 'line-counter')).versions).toMatchObject([
      { version, current: true },
      { version: previous, current: false },
    ]);

    const restored = await run('restore', 'line-counter', previous.slice(7, 20));
    expect(restored).toMatchObject({ exit: 0 });
    expect(await readFile(path('skills', 'line-counter', 'scripts', 'count.sh'), 'utf8')).toBe(
      '#!/bin/sh\nwc -l\n',
    );

    expect((await run('remove', 'line-counter')).out).toBe('line-counter is removed.\n');
    expect(existsSync(path('skills', 'line-counter'))).toBe(false);
    expect((await run('restore', 'line-counter', version)).exit).toBe(0);
    expect(existsSync(path('skills', 'line-counter'))).toBe(true);
    await run('remove', 'line-counter');
    expect(await run('show', 'line-counter')).toMatchObject({
      exit: 64,
      err: expect.stringContaining('skill_unknown'),
    });
  });

  test('an import of scripts without a manifest says what makes tools of them', async () => {
    const { run, json, path } = await project('without-manifest');
    await writeFile(path('skill.zip'), zip(PARTS().filter(({ name }) => !name.endsWith('.yaml'))));
    expect((await run('import', 'skill.zip')).err).toBe(
      `line-counter has 1 script and no tool-manifest.yaml: toolcrib skills infer ${path('skills', 'line-counter')} proposes one.\n`,
    );
    expect(await json('import', 'skill.zip')).toMatchObject({
      skills: [{ id: 'line-counter', compiled_ok: 0 }],
    });
  });

  test('import and restore are recorded in the configured store, as by a gateway; a look is not', async () => {
    const { cwd, run, json, path } = await project('recorded', BROKEN);
    const events = async () => JSON.parse((await cli.run(['events', '--json'], { cwd })).out).events;
    await writeFile(path('toolcrib.yaml'), `store: sqlite:./own.db\n${TEACHING}`);
    await run('list');
    expect(existsSync(path('own.db'))).toBe(false);
    await run('import', 'skill.zip');
    const about = { source: 'teaching', skill_id: 'line-counter' };
    const imported = {
      ...about,
      type: 'dynamic_tool.compile',
      status: 'partial',
      error_code: 'skill_invalid',
    };
    expect(await events()).toMatchObject([imported]);
    await writeFile(path('skill.zip'), zip(PARTS()));
    await run('import', 'skill.zip');
    const [, { version }] = (await json('versions', 'line-counter')).versions;
    await run('restore', 'line-counter', version);
    expect(await events()).toMatchObject([
      imported,
      { ...about, type: 'dynamic_tool.compile', status: 'ok' },
      imported,
    ]);
    await writeFile(path('toolcrib.yaml'), `store: none\n${TEACHING}`);
    expect((await run('import', 'skill.zip')).exit).toBe(0);
  });

  test('what is invalid is said with its line, and costs nothing else; a good skill stays', async () => {
    const { run, path } = await project('invalid', BROKEN);
    const first = await run('import', 'skill.zip');
    expect(first.exit).toBe(0);
    expect(first.out).toMatch(
      /: 1 tool\n {2}invalid tool-manifest\.yaml:8 count_words: .*scripts\/missing\.sh/,
    );
    await writeFile(path('skill.zip'), zip(PARTS()));
    expect((await run('import', 'skill.zip')).exit).toBe(0);
    await writeFile(path('skill.zip'), zip(PARTS(BROKEN)));
    expect(await run('import', 'skill.zip')).toMatchObject({
      exit: 65,
      err: expect.stringContaining('skill_import_refused'),
    });
    expect((await run('import', 'skill.zip', '--force')).exit).toBe(0);
  });

  test('one of several is chosen', async () => {
    const { json, path } = await project('several');
    const skill = (name: string) => ({
      name: `s/${name}/SKILL.md`,
      content: SKILL_MD.replace('line-counter', name),
    });
    await writeFile(path('skill.zip'), zip([skill('one'), skill('two'), skill('three')]));
    const { skills } = await json('import', 'skill.zip', '--only', 'one', '--only', 'three');
    expect(skills.map(({ id }: { id: string }) => id)).toEqual(['one', 'three']);
  });

  test('without a configuration the usual folders are taken, and the lines to add are said', async () => {
    const cwd = cli.path('bare');
    await mkdir(cwd);
    await writeFile(cli.path('bare', 'SKILL.md'), SKILL_MD);
    const { exit, err } = await cli.run(['skills', 'import', 'SKILL.md'], { cwd });
    expect([exit, err]).toEqual([0, expect.stringContaining('sources:\n  skills:\n    skills: {}')]);
    expect(existsSync(cli.path('bare', 'teacher_skills', 'line-counter', 'SKILL.md'))).toBe(true);
  });

  test('of several sources one is named', async () => {
    const { run, path } = await project('two');
    await writeFile(path('toolcrib.yaml'), 'sources:\n  a: { skills: [a] }\n  b: { skills: [b] }\n');
    expect(await run('import', 'skill.zip')).toMatchObject({
      exit: 64,
      err: expect.stringContaining('a, b'),
    });
    expect((await run('import', 'skill.zip', '--source', 'b')).exit).toBe(0);
    expect(existsSync(path('b', 'line-counter'))).toBe(true);
    expect((await run('list')).out).toContain('line-counter');
    expect(await run('list', '--source', 'c')).toMatchObject({
      exit: 64,
      err: expect.stringContaining('source_unknown'),
    });
  });

  test('addresses go through the door', async () => {
    const { run } = await project('door');
    for (const [address, code] of [
      ['https://10.0.0.1/a.zip', 'egress_blocked'],
      ['git@github.com:o/r.git', 'archive_refused'],
    ] as const)
      expect(await run('import', address)).toMatchObject({ err: expect.stringContaining(code) });
  });

  test('lint', async () => {
    const { run, json, path } = await project('linted', BROKEN);
    await run('import', 'skill.zip');
    expect((await run('lint', path('skills', 'line-counter'))).exit).toBe(65);
    const { files } = await json('lint', path('skills'));
    expect(files).toMatchObject([{ kind: 'skill' }]);
  });
});

test('an import that is refused tells the place as it is in the package', async () => {
  const { run, path } = await project('refused');
  await mkdir(path('nameless', 'one'), { recursive: true });
  await writeFile(path('nameless', 'one', 'SKILL.md'), '---\ndescription: d\n---\n');
  const place = async (folder: string) => (await run('import', folder)).err.split('\n')[1];
  expect(await place('nameless/one')).toBe('  at:   SKILL.md:2');
  expect(await place('nameless')).toBe('  at:   one/SKILL.md:2');
});

test('skills lint of a folder that is not there does not speak of manifests', async () => {
  const { exit, err } = await cli.run(['skills', 'lint', 'poemz']);
  expect([exit, err]).toEqual([
    66,
    expect.stringMatching(/^error source_unreadable: .*poemz: There is no such folder\./),
  ]);
});

describe('toolcrib skills infer', () => {
  const SCRIPT = `#!/usr/bin/env python3
"""Counts words of a text."""
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--text", required=True, help="the text")
if __name__ == "__main__":
    print(len(parser.parse_args().text.split()))
`;
  async function skill(name: string) {
    const folder = cli.path('infer', name);
    await mkdir(`${folder}/scripts`, { recursive: true });
    await writeFile(`${folder}/SKILL.md`, SKILL_MD.replace('line-counter', name));
    await writeFile(`${folder}/scripts/words.py`, SCRIPT);
    return { folder, run: (...words: string[]) => cli.run(['skills', 'infer', folder, ...words]) };
  }

  test('shows a proposal, keeps it for correction, puts the corrected one in force', async () => {
    const { folder, run } = await skill('words');
    const shown = await run();
    expect([shown.exit, existsSync(`${folder}/tool-manifest.proposed.yaml`)]).toEqual([0, false]);
    expect(shown.out).toContain('{{args.text}}');
    await run('--write');
    const proposed = await readFile(`${folder}/tool-manifest.proposed.yaml`, 'utf8');
    await writeFile(`${folder}/tool-manifest.proposed.yaml`, `# read by a person\n${proposed}`);
    const refused = await run('--accept');
    expect([refused.exit, existsSync(`${folder}/tool-manifest.yaml`)]).toEqual([64, false]);
    expect((await run('--accept', '--yes')).exit).toBe(0);
    expect(await readFile(`${folder}/tool-manifest.yaml`, 'utf8')).toBe(`# read by a person\n${proposed}`);
    expect(existsSync(`${folder}/tool-manifest.proposed.yaml`)).toBe(false);
    expect((await cli.run(['skills', 'lint', folder])).exit).toBe(0);
    expect(await run()).toMatchObject({ exit: 64, err: expect.stringContaining('has a manifest already') });
  });

  test.skipIf(!hasSandbox)('runs scripts with --help where it is asked to, isolated', async () => {
    const { folder, run } = await skill('helped');
    const marks = `${cli.path('marks')}`;
    // its text does not say what it prints
    const script = [
      'import sys',
      'try:',
      `    open(${JSON.stringify(marks)}, "w").write("was here")`,
      'except OSError:',
      '    pass',
      'flag = "--" + "tuohs"[::-1]',
      'lines = ["u" + "sage: words.py [-h] [--times N] " + flag + " TEXT", "", "options:", "  -h, --help    show this"]',
      'if __name__ == "__main__" and "--help" in sys.argv:',
      '    print(chr(10).join(lines + ["  --times N     how often", "  " + flag + " TEXT  the text"]))',
    ];
    await writeFile(`${folder}/scripts/words.py`, script.join('\n'));
    expect((await run()).out).not.toContain('--shout');
    expect((await run('--run-help')).out).toContain('--shout');
    expect(existsSync(marks)).toBe(false);
  });

  test('says what comes next by commands that can be run as they stand', async () => {
    const { folder } = await skill('next');
    const next = async (...words: string[]) =>
      (await cli.run(['skills', 'infer', folder, ...words], { env: { npm_command: 'exec' } })).err;
    expect(await next('--write')).toContain(`; then: npx toolcrib skills infer ${folder} --accept\n`);
    expect(await next('--accept', '--yes')).toContain(`Check it: npx toolcrib skills lint ${folder}\n`);
  });

  test('a person is asked', async () => {
    const { folder } = await skill('asked');
    const accept = (answer: boolean) => cli.run(['skills', 'infer', folder, '--accept'], { answer });
    expect((await accept(false)).err).toContain('Nothing was written.');
    expect(existsSync(`${folder}/tool-manifest.yaml`)).toBe(false);
    await accept(true);
    expect(existsSync(`${folder}/tool-manifest.yaml`)).toBe(true);
  });

  test('a proposal without tools is in the way of none', async () => {
    const { folder, run } = await skill('mute');
    await writeFile(`${folder}/scripts/words.py`, 'def words(text):\n    return text.split()\n');
    expect(await run('--accept', '--yes')).toMatchObject({
      exit: 64,
      err: expect.stringContaining('nothing to accept'),
    });
    expect(existsSync(`${folder}/tool-manifest.yaml`)).toBe(false);
  });

  test('a folder without SKILL.md is no skill', async () => {
    expect(await cli.run(['skills', 'infer', cli.home])).toMatchObject({
      exit: 64,
      err: expect.stringContaining('Name the folder of one skill'),
    });
    expect((await cli.run(['skills', 'infer', 'nowhere'])).exit).toBe(66);
  });
});
