import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lintSkill } from '../../../src/cli/lint/lint-skill.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolcrib-lint-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function linted(files: Readonly<Record<string, string>>) {
  const folder = join(root, 'reader');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const { operations, findings } = await lintSkill(folder);
  return {
    operations,
    said: findings.map(
      ({ code, severity, location }) => `${severity} ${code} ${location?.slice(folder.length)}`,
    ),
  };
}

const SKILL = '---\nname: reader\ndescription: Reads.\n---\n';

it('finds in every manifest what is wrong, with its line', async () => {
  const { operations, said } = await linted({
    'SKILL.md': SKILL.replace('Reads.', 'Reads.\nlicence: MIT'),
    'run.py': 'print(1)',
    'tool-manifest.yaml':
      'tools:\n  - { name: aa, description: A., entry: run.py }\n  - name: aa\n    entry: run.py\n',
    'tools/more.yaml':
      'name: bb\ndescription: B.\nparameters: { properties: { q: {} } }\nentry: run.py\nargs: ["{{args.p}}"]\n',
    'tools/zz.yaml': '[',
  });
  expect(operations).toBe(4);
  expect(said).toEqual([
    'warning skill-key-unknown /SKILL.md:4',
    'error skill-unreadable /tools/zz.yaml:1',
    'error skill-tool-name /tool-manifest.yaml:3',
    'error skill-tool-template /tools/more.yaml:5',
    'warning skill-tool-input /tool-manifest.yaml:2',
  ]);
});

it.each([
  ['name: Reader_1\ndescription: d', ['error skill-name /SKILL.md:2', 'warning skill-folder /SKILL.md']],
  ['name: reader\ndescription: d\nlicense: [a]', ['error skill-license /SKILL.md:4']],
  ['name: reader\ndescription: ""', ['error skill-description /SKILL.md:3']],
  ['description: d', ['error skill-name /SKILL.md:2']],
])('holds %j against the specification', async (matter, said) => {
  expect((await linted({ 'SKILL.md': `---\n${matter}\n---\n` })).said).toEqual(said);
});

it('tells of scripts that no manifest makes tools of', async () => {
  const files = { 'SKILL.md': SKILL, 'scripts/read.py': 'print(1)', 'scripts/test_read.py': '' };
  expect((await linted(files)).said).toEqual(['info skill-scripts /scripts/read.py']);
  expect((await linted({ ...files, 'tool-manifest.yaml': 'tools: []\n' })).said).not.toContain(
    'info skill-scripts /scripts/read.py',
  );
});

// names that Windows itself cannot write
it.skipIf(process.platform === 'win32')(
  'finds names of files that keep a package from being imported',
  async () => {
    const { said } = await linted({
      'SKILL.md': SKILL,
      'notes/what?.md': '',
      'notes/aux.md': '',
      'notes/fine.md': '',
    });
    expect(said.toSorted()).toEqual([
      'error skill-file-name /notes/aux.md',
      'error skill-file-name /notes/what?.md',
    ]);
  },
);
