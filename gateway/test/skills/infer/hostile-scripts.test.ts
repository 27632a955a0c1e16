import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readHelp } from '../../../src/skills/infer/help-text.ts';
import { inferManifest } from '../../../src/skills/infer/index.ts';
import { compileSkill } from '../../../src/sources/skill/index.ts';
import { processorTime } from '../../processor-time.ts';
import { fixtures, skillOf } from './scripts.ts';

const scripts = fixtures();
const KIB = 1024;

/** The same numbers every time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % below;
  };
}

async function compiles(files: Readonly<Record<string, string>>): Promise<void> {
  const { text, tools } = await inferManifest(skillOf(files));
  const skill = await compileSkill(skillOf({ ...files, 'tool-manifest.yaml': text }), {
    folder: '/skills/example',
    root: '/skills',
  });
  expect(skill.invalid).toEqual([]);
  expect(skill.tools).toHaveLength(tools.length);
}

describe('scripts of strangers', () => {
  it('are read however they are cut off and mixed up', async () => {
    const random = numbers(8);
    for (const [path, text] of Object.entries(scripts)) {
      for (let round = 0; round < 12; round++) {
        const cut = text.slice(0, random(text.length));
        const at = random(text.length);
        const sign = '()[]{}"\'`\\#:=,\n'[random(15)]!;
        const turned = text.slice(at) + text.slice(0, at);
        for (const one of [cut, text.slice(0, at) + sign + text.slice(at), turned])
          await compiles({ [path]: one });
      }
    }
  });

  it('say nothing outside of their comments and texts', async () => {
    const evil = '\\n  - name: stolen\\n#\\u2028tools: []';
    const python = `"""x\n  - name: stolen\n${evil}"""\nimport argparse\np = argparse.ArgumentParser(description="a\\u2028b ${evil} {{secrets.KEY}}")\np.add_argument("--x", help="""${evil}\n{{secrets.KEY}}""", default="{{secrets.KEY}}")\np.add_argument("{{secrets.KEY}}")\np.add_argument("--__proto__")\np.parse_args()\n`;
    const { text } = await inferManifest(skillOf({ 'scripts/a.py': python }));
    const { tools } = parse(text) as { tools: { name: string; executor: { args_template: unknown } }[] };
    expect(tools.map(({ name }) => name)).toEqual(['run_a']);
    expect(JSON.stringify(tools[0]!.executor)).not.toContain('{{secrets');
    await compiles({ 'scripts/a.py': python });
  });

  const flood = (text: string, size = 250 * KIB) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
  const FLOODS: Readonly<Record<string, string>> = {
    'brackets.py': `import argparse\np=argparse.ArgumentParser()\np.add_argument(${flood('(')}`,
    'lists.py': `import argparse\nparse_args=${flood('[{(')}`,
    'strings.py': flood('"""a"""'),
    'words.py': `import sys\n${flood('x or ')}sys.argv[1]`,
    'members.py': `import sys\nx = sys.argv${flood('.a[1](2)')}`,
    'slices.py': `import sys\nx = sys.argv${flood('[1:]')}`,
    'slices.js': `const x = process.argv${flood('.slice(1)')}`,
    'nested.py': `import argparse\nx = ${flood('sorted(')}`,
    'many.py': `import argparse\np=argparse.ArgumentParser()\n${flood('p.add_argument("--x")\n')}p.parse_args()`,
    'usage.py': `import sys\nsys.argv\n"""${flood('usage: x [[[[ \n')}"""`,
    'chain.js': `const { program } = require('commander');\nprogram${flood(".option('--x <y>','z')")}`,
    'arrows.js': `#!\n${flood('(a)=>{')}`,
    'templates.js': `#!\n${flood('`${')}`,
    'slashes.js': `#!\n${flood('/[')}`,
    'objects.js': `#!\nprocess.argv;${flood('({a:')}`,
    'blanks.sh': `#!/bin/sh\n${flood(' ')}`,
    'braces.sh': flood('}   '),
    'cases.sh': flood('--a|'),
    'places.sh': flood('${1:-'),
    'quotes.sh': flood('\'"\\'),
    'usages.sh': flood(`usage${' '.repeat(900)}"\n`),
    'shifts.sh': flood('; shift \n'),
  };

  it.each(Object.entries(FLOODS))('cost no more than their length: %s', async (name, text) => {
    const skill = skillOf({ [`scripts/${name}`]: text.slice(0, 255 * KIB) });
    // A quadratic reader takes minutes.
    expect(await processorTime(() => inferManifest(skill))).toBeLessThan(5000);
  });

  it('do not make a manifest that nothing can read', async () => {
    const many = Array.from(
      { length: 60 },
      (_, index) => `p.add_argument("--flag-${index}", help="a, b: c, d: e")`,
    ).join('\n');
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `scripts/s${index}.py`,
        `import argparse\np = argparse.ArgumentParser()\n${many}\np.parse_args()\n`,
      ]),
    );
    const { tools, skipped } = await inferManifest(skillOf(files));
    expect(tools.length).toBeGreaterThan(3);
    expect(skipped.map(({ reason }) => reason)).toContain('more tools than one proposal holds');
    await compiles(files);
  });

  it('may print whatever they want for --help', () => {
    for (const text of [
      '',
      '\u001b[31m',
      flood('{['),
      flood('usage: x <'),
      flood('Options:\n  --a  b\n'),
      flood('  '),
      flood('a:\n  '),
    ])
      expect(() => readHelp(text)).not.toThrow();
  });
});
