import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ScriptArgument } from '../../../src/operations/index.ts';
import { inferManifest } from '../../../src/skills/infer/index.ts';
import { compileSkill } from '../../../src/sources/skill/index.ts';
import { fixtures, skillOf } from './scripts.ts';

interface Proposed {
  readonly name: string;
  readonly description: string;
  readonly access: string;
  readonly input_schema: {
    readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly required?: readonly string[];
    readonly dependentRequired?: unknown;
  };
  readonly executor: { readonly entry: string; readonly args_template?: readonly ScriptArgument[] };
}

const scripts = fixtures();
const compiled = (manifest: string, files = scripts) =>
  compileSkill(skillOf({ ...files, 'tool-manifest.yaml': manifest }), {
    folder: '/skills/example',
    root: '/skills',
  });

async function proposals(files: Readonly<Record<string, string>>): Promise<Map<string, Proposed>> {
  const { text } = await inferManifest(skillOf(files));
  const { tools } = parse(text) as { tools: Proposed[] };
  return new Map(tools.map((tool) => [tool.name, tool]));
}
const argumentsOf = ({ executor }: Proposed) => executor.args_template;

/** By hand: what every script of the fixtures takes, `!` for what must be given. */
const EXPECTED: Readonly<Record<string, string>> = {
  check_frame: 'source! limit',
  convert: 'from! limit no_header to source! target',
  deploy: 'target! branch dry_run folder!',
  greet_bye: 'tone names!',
  greet_hello: 'count loud title name!',
  keep_servers: 'server! port! timeout command',
  ledger_add_entry: 'profile file! verbose amount! note',
  ledger_report: 'profile file! verbose month all between_1 between_2',
  notes_add: 'store! text!',
  notes_find_all: 'store! word!',
  rename: 'force from! to!',
  review_checks: 'repo review! max_lines format json',
  shrink: 'width size! no_keep dry_run source! targets',
  slug: 'separator upper title!',
  split_pages: 'input_pdf! output_directory!',
  start_project: 'name! kind',
  stock_count: 'unit shelf!',
  stock_move: 'quiet from! to!',
  tags: 'text! limit',
  thumbs: 'size out! quiet pictures!',
  total: 'numbers! places',
  weather_alerts: 'region! all',
  weather_now: 'unit days! place!',
};

describe('a manifest proposed from scripts', async () => {
  const tools = await proposals(scripts);

  it('has a tool for every entry point and every subcommand', () => {
    expect([...tools.keys()].toSorted()).toEqual(Object.keys(EXPECTED));
  });

  it.each(Object.entries(EXPECTED))('finds the arguments of %s', (name, expected) => {
    const { properties, required = [] } = tools.get(name)!.input_schema;
    const found = Object.keys(properties).map((key) => (required.includes(key) ? `${key}!` : key));
    expect(found).toEqual(expected.split(' '));
  });

  it('compiles, every tool and without a finding', async () => {
    const { text } = await inferManifest(skillOf(scripts));
    const skill = await compiled(text);
    expect(skill.invalid).toEqual([]);
    expect(skill.tools).toHaveLength(Object.keys(EXPECTED).length);
    expect(skill.findings).toEqual([]);
    for (const { access, idempotent } of skill.tools) expect([access, idempotent]).toEqual(['write', false]);
  });

  it('leaves out modules, tests and other languages, and says why', async () => {
    const { skipped } = await inferManifest(
      skillOf({
        ...scripts,
        'scripts/test_x.py': 'import sys\nsys.argv[1]',
        'scripts/x.rb': 'ARGV',
        'notes/x.py': '',
      }),
    );
    expect(skipped.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'scripts/shapes.py: a module: no main guard and no arguments',
      'scripts/test_x.py: a test, or part of a package',
      'scripts/x.rb: its language is not read',
    ]);
  });

  it('leaves an optional argument out whole, and a switch unless it is true', () => {
    expect(argumentsOf(tools.get('review_checks')!)).toEqual([
      ['--repo', '{{args.repo}}'],
      '--review',
      '{{args.review}}',
      ['--max-lines', '{{args.max_lines}}'],
      ['--format', '{{args.format}}'],
      { flag: '--json', when: 'args.json' },
    ]);
  });

  it('gives flags of a group before its subcommand, and flags before what has none', () => {
    expect(argumentsOf(tools.get('ledger_report')!)).toEqual([
      ['--profile', '{{args.profile}}'],
      'report',
      '--file',
      '{{args.file}}',
      { flag: '--verbose', when: 'args.verbose' },
      ['--month', '{{args.month}}'],
      { flag: '--all', when: 'args.all' },
      ['--between', '{{args.between_1}}', '{{args.between_2}}'],
    ]);
  });

  it('knows types, choices and defaults', () => {
    const { format, max_lines: lines } = tools.get('review_checks')!.input_schema.properties;
    expect(format).toEqual({ type: 'string', enum: ['text', 'json'], default: 'text' });
    expect(lines).toEqual({ type: 'integer', description: 'lines of an excerpt', default: 160 });
  });

  it('never lets a value stand where it would be taken for a flag', () => {
    expect(tools.get('convert')!.input_schema.properties['source']).toMatchObject({ pattern: '^[^-]' });
    expect(argumentsOf(tools.get('weather_now')!)).toContain('--days={{args.days}}');
  });

  it('does not move a later argument into the place of one that is not given', async () => {
    const text =
      'import sys\na = sys.argv[1] if len(sys.argv) > 1 else None\nb = sys.argv[2] if len(sys.argv) > 2 else None\n';
    const tool = (await proposals({ 'scripts/two.py': text })).get('two')!;
    expect(tool.input_schema.dependentRequired).toEqual({ b: ['a'] });
    expect(argumentsOf(tool)).toEqual([['{{args.a}}'], ['{{args.b}}']]);
    expect(argumentsOf(tools.get('start_project')!)).toEqual([
      '{{args.name}}',
      "{{args.kind|default:'web'}}",
    ]);
  });

  it('gives a script that reads JSON its arguments on standard input', () => {
    expect(argumentsOf(tools.get('total')!)).toBeUndefined();
    expect(argumentsOf(tools.get('tags')!)).toBeUndefined();
  });

  it('describes tools by what scripts say about themselves', () => {
    const said = Object.fromEntries([...tools].map(([name, { description }]) => [name, description]));
    expect(said).toMatchObject({
      deploy: 'Publishes a folder to a host.',
      greet_bye: 'Say goodbye.',
      ledger_add_entry: 'Write one line.',
      shrink: 'Make pictures smaller.',
      slug: 'Makes a slug of a title.',
      split_pages: 'Split a document into one file a page.',
    });
  });

  it('names what a person must decide: secrets, the network, several values, no description', async () => {
    const { text, tools: inferred } = await inferManifest(skillOf(scripts));
    expect(text).toContain('# network: true    (runs curl, line 28)');
    expect(text).toContain('# env: { DEPLOY_TOKEN: "{{secrets.DEPLOY_TOKEN}}" }');
    expect(text).toContain('# --max-lines, line 25');
    const doubts = new Map(inferred.map((tool) => [tool.name, tool.doubts]));
    expect(doubts.get('shrink')).toEqual(['targets: takes several values, of which the tool gives one']);
    expect(doubts.get('rename')).toEqual(['the script does not say what it does: write a description']);
    expect(doubts.get('slug')).toEqual([]);
  });

  it('tells two scripts of one name apart', async () => {
    const argv = 'import sys\nx = sys.argv[1]\n';
    expect([
      ...(await proposals({ 'scripts/run.py': argv, 'scripts/office/run.py': argv, 'run.py': argv })).keys(),
    ]).toEqual(['run', 'office_run', 'run_2']);
  });
});

describe('with the output of --help', () => {
  const HELP = {
    argparse: `usage: tool.py [-h] --name NAME [--level {low,high}] [--quiet] source [target]

Does things.

positional arguments:
  source                what to read
  target                where to write

options:
  -h, --help            show this help message and exit
  --name NAME, -n NAME  the name of it, which may be
                        rather long
  --level {low,high}    how much (default: low)
  --quiet
`,
    click: `Usage: tool.py [OPTIONS] SOURCE [TARGET]

  Does things.

Options:
  --name TEXT          the name  [required]
  --level [low|high]   how much  [default: low]
  --quiet              nothing is said
  --help               Show this message and exit.
`,
    commander: `Usage: tool [options] <source> [target]

Does things

Arguments:
  source           what to read
  target           where to write

Options:
  -V, --version    output the version number
  -n, --name <name>  the name
  --level <level>  how much (choices: "low", "high", default: "low")
  --quiet          nothing is said
  -h, --help       display help for command
`,
  };
  const module = 'import sys\nif __name__ == "__main__":\n    run()\n';

  it.each(Object.entries(HELP))('reads what %s prints', async (kind, help) => {
    const asked: string[] = [];
    const { text, tools } = await inferManifest(
      skillOf({ 'scripts/tool.py': module, 'scripts/lib.py': 'X = 1\n' }),
      {
        help: (entry) => {
          asked.push(entry);
          return Promise.resolve(help);
        },
      },
    );
    expect(asked).toEqual(['scripts/tool.py']);
    expect(tools).toMatchObject([{ how: '--help', arguments: 5 }]);
    const [tool] = (parse(text) as { tools: Proposed[] }).tools;
    const { properties, required } = tool!.input_schema;
    expect(Object.keys(properties)).toEqual(['name', 'level', 'quiet', 'source', 'target']);
    expect(required).toEqual(kind === 'commander' ? ['source'] : ['name', 'source']);
    expect(properties['level']).toMatchObject({ type: 'string', default: 'low' });
    expect(properties['quiet']).toMatchObject({ type: 'boolean' });
    expect((await compiled(text, { 'scripts/tool.py': module })).invalid).toEqual([]);
  });
});
