import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { skillTemplate } from '../../../src/cli/templates/skill.ts';
import { isToolcribError } from '../../../src/errors.ts';
import { compileSkill } from '../../../src/sources/skill/index.ts';
import fc from '../../properties.ts';
import { PLACE, packageOf, SKILL_MD } from './package.ts';

const KEYS = [
  ...[
    'name',
    'description',
    'input_schema',
    'parameters',
    'executor',
    'type',
    'entry',
    'script',
    'url',
    'endpoint',
  ],
  ...[
    'args',
    'args_template',
    'stdin_template',
    'headers',
    'body',
    'env',
    'timeout_sec',
    'retry',
    'access',
    'tools',
  ],
  ...[
    'runtime',
    'network',
    'idempotent',
    'method',
    'properties',
    'output_schema',
    'constructor',
    '__proto__',
    'title',
  ],
];
const leaf = fc.oneof(
  fc.constantFrom(
    'script',
    'http',
    'run.py',
    'https://a.test/{{args.q}}',
    '{{args.q}}',
    '{{',
    'GET',
    'object',
    'read',
  ),
  fc.string({ maxLength: 12 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { maxLength: 6 })
      .map((entries) => Object.fromEntries(entries)),
  ),
}));

async function neverCrashes(files: Record<string, string>) {
  try {
    const compiled = await compileSkill(packageOf(files), PLACE);
    for (const { invocation } of compiled.tools)
      expect(invocation.kind === 'script' ? 'run.py' : invocation.url).toMatch(/^run\.py$|^https?:\/\/[^{]/);
    JSON.stringify(compiled);
  } catch (error) {
    if (!isToolcribError(error) || error.code !== 'skill_invalid') throw error;
  }
}

describe('no input crashes the compiler', () => {
  it('whatever a manifest holds', async () => {
    await fc.assert(
      fc.asyncProperty(value, value, (tool, tools) =>
        neverCrashes({
          'SKILL.md': SKILL_MD,
          'run.py': '',
          'tool-manifest.yaml': stringify({ tools: [tool, tools] }),
          'tools/a.yaml': stringify(tools),
        }),
      ),
      { numRuns: 300 },
    );
  });

  it('whatever is written there', async () => {
    const text = fc.array(
      fc.oneof(
        fc.constantFrom(
          '---\n',
          'name: a\n',
          'description: d\n',
          'tools:\n',
          '  - ',
          '{',
          '}',
          '[',
          ']',
          ': ',
          '&a ',
          '*a',
          '<<: ',
        ),
        fc.constantFrom(
          '!!set ',
          '? ',
          '| \n',
          '"',
          "'",
          '\n',
          '#',
          '\t',
          '%YAML 1.1\n',
          '...\n',
          '\0',
          '\uFEFF',
        ),
        fc.string({ unit: 'binary', maxLength: 3 }),
      ),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(text, text, (skill, manifest) =>
        neverCrashes({ 'SKILL.md': skill.join(''), 'tool-manifest.yaml': manifest.join('') }),
      ),
      { numRuns: 300 },
    );
    await fc.assert(
      fc.asyncProperty(text, (manifest) =>
        neverCrashes({ 'SKILL.md': SKILL_MD, 'run.py': '', 'tool-manifest.yaml': manifest.join('') }),
      ),
      { numRuns: 300 },
    );
  });
});

it('compiles the skill of `toolcrib new` without a finding', async () => {
  const compiled = await compileSkill(packageOf(skillTemplate('count-words')), {
    folder: '/skills/count-words',
    root: '/skills',
  });
  expect(compiled).toMatchObject({ id: 'count-words', invalid: [], findings: [] });
  expect(compiled.tools).toMatchObject([
    {
      name: 'count_words.count',
      access: 'read',
      invocation: { interpreter: 'node', stdin: { text: '{{ args.text }}' } },
    },
  ]);
});
