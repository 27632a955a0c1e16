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
  readonly executor: {
    readonly entry: string;
    readonly args_template?: readonly ScriptArgument[];
    readonly stdin_text?: string;
  };
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
  join_pages: 'title range_1 range_2 out! pages! notes',
  keep_servers: 'server! port! timeout command',
  ledger_add_entry: 'profile file! verbose amount! note',
  ledger_report: 'profile file! verbose month all between_1 between_2',
  notes_add: 'store! text!',
  notes_find_all: 'store! word!',
  number: 'text!',
  pack: 'level files! skip',
  rename: 'from! to! force',
  review_checks: 'repo review! max_lines format json',
  shrink: 'width size! no_keep dry_run source! targets',
  slug: 'separator upper title!',
  split_pages: 'input_pdf! output_directory!',
  squeeze: 'text!',
  start_project: 'name! kind',
  stock_count: 'unit shelf!',
  stock_move: 'quiet from! to!',
  tags: 'text! limit',
  thumbs: 'size out! quiet pictures!',
  total: 'numbers! places',
  weather_alerts: 'region! all',
  weather_now: 'unit days! place!',
  wrap: 'width keep text!',
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
      'notes/x.py: outside of a folder called scripts',
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
    const filled =
      'import sys\na = sys.argv[1] if len(sys.argv) > 1 else "one"\nb = sys.argv[2] if len(sys.argv) > 2 else "two"\n';
    const both = (await proposals({ 'scripts/two.py': filled })).get('two')!;
    // the last one is the script's own to fill: it may read the place otherwise for another first argument
    expect(argumentsOf(both)).toEqual(["{{args.a|default:'one'}}", ['{{args.b}}']]);
    expect(argumentsOf(tools.get('start_project')!)).toEqual(['{{args.name}}', ['{{args.kind}}']]);
  });

  it('gives every value of what takes several: by its place, behind a flag each, behind one flag', () => {
    expect(argumentsOf(tools.get('shrink')!)?.slice(-2)).toEqual([
      '{{args.source}}',
      { each: 'args.targets' },
    ]);
    expect(argumentsOf(tools.get('join_pages')!)).toEqual([
      { each: 'args.title', flag: '--title' },
      ['--range', '{{args.range_1}}', '{{args.range_2}}'],
      '--out',
      '{{args.out}}',
      { each: 'args.pages' },
      // whatever follows would be one of its values
      { flag: '--notes', when: 'args.notes' },
      { each: 'args.notes' },
    ]);
    expect(argumentsOf(tools.get('pack')!)).toEqual([
      ['--level', '{{args.level}}'],
      { each: 'args.files' },
      { flag: '--skip', when: 'args.skip' },
      { each: 'args.skip' },
    ]);
    const { pages, notes, title } = tools.get('join_pages')!.input_schema.properties;
    expect([pages?.['items'], pages?.['minItems']]).toEqual([{ type: 'string', pattern: '^[^-]' }, 1]);
    expect([notes, title?.['items']]).toEqual([
      { type: 'array', items: { type: 'integer' }, description: 'numbers of notes to keep' },
      { type: 'string' },
    ]);
    expect(tools.get('pack')!.input_schema.properties['skip']).toMatchObject({
      items: { type: 'string', pattern: '^[^-]' },
    });
    expect(tools.get('wrap')!.input_schema.properties['keep']).toMatchObject({ items: { pattern: '^[^-]' } });
  });

  it('lets flags stand in the command that a script runs, but not as its first word', () => {
    expect(tools.get('keep_servers')!.input_schema.properties['command']).toMatchObject({
      type: 'array',
      prefixItems: [{ type: 'string', pattern: '^[^-]' }],
      items: { type: 'string' },
    });
  });

  const REST: Readonly<Record<string, readonly [string, string, string]>> = {
    'a slice of sys.argv': ['a.py', 'import sys\nout = sys.argv[1]\nfiles = sys.argv[2:]\n', 'out! files'],
    'all of sys.argv': ['a.py', 'import sys\nfor name in sys.argv[1:]:\n    print(name)\n', 'arguments'],
    'a slice that is counted on': [
      'a.py',
      'import sys\nargs = sys.argv[2:]\nb = args[0]\na = sys.argv[1]\n',
      'a! b!',
    ],
    'a rest of process.argv': [
      'a.mjs',
      '#!x\nconst [out, ...files] = process.argv.slice(2);\n',
      'out! files',
    ],
    'a slice of process.argv': [
      'a.mjs',
      '#!x\nconst out = process.argv[2];\nconst args = process.argv.slice(3);\n',
      'out! arguments',
    ],
    'what a shell has left': [
      'a.sh',
      'out="$1"\nshift\nfor f in "$@"; do cat "$f"; done > "$out"\n',
      'out! arguments',
    ],
    'a usage line': ['a.sh', '# usage: a.sh <out> <file> [file ...]\ncat\n', 'out! file! text'],
    'a flag of a usage line': [
      'a.sh',
      '# usage: a.sh [--file F ...] [-n N]...\ncase "$1" in\n  -n) n=$2 ;;\nesac\n',
      'n',
    ],
  };
  it.each(Object.entries(REST))('finds %s', async (_, [name, script, expected]) => {
    const [tool] = (await proposals({ [`scripts/${name}`]: script })).values();
    const { properties, required = [] } = tool!.input_schema;
    expect(Object.keys(properties).map((key) => (required.includes(key) ? `${key}!` : key))).toEqual(
      expected.split(' '),
    );
    for (const [key, { type }] of Object.entries(properties))
      expect(type).toBe(/^(?:files?|arguments|n)$/.test(key) ? 'array' : 'string');
    const { text } = await inferManifest(skillOf({ [`scripts/${name}`]: script }));
    expect((await compiled(text, { [`scripts/${name}`]: script })).invalid).toEqual([]);
  });

  it('gives a filter its text on standard input, which is needed where nothing else is read', () => {
    for (const name of ['squeeze', 'wrap', 'number']) {
      const { executor, input_schema: schema } = tools.get(name)!;
      expect([executor.stdin_text, schema.properties['text']?.['type']]).toEqual(['{{args.text}}', 'string']);
      expect(executor.args_template).toBeDefined();
    }
    for (const name of ['total', 'deploy', 'shrink'])
      expect(tools.get(name)!.executor.stdin_text).toBeUndefined();
  });

  const INPUT: Readonly<Record<string, readonly [string, string, string | undefined]>> = {
    'a file or standard input': [
      'a.py',
      'import sys, argparse\np = argparse.ArgumentParser()\np.add_argument("--file", type=argparse.FileType(), default=sys.stdin)\np.parse_args()\n',
      '{{args.text|default:}}',
    ],
    'a name that is taken': [
      'a.mjs',
      '#!x\nconst text = process.argv[2] ?? require("fs").readFileSync(0, "utf8");\n',
      '{{args.input_text|default:}}',
    ],
    'a module that offers to read it': [
      'a.py',
      'import sys\ndef read():\n    return sys.stdin.read()\n',
      undefined,
    ],
    'what only asks whether somebody is there': [
      'a.py',
      'import sys\nif __name__ == "__main__":\n    print(sys.stdin.isatty())\n',
      undefined,
    ],
    'what is passed on': [
      'a.py',
      'import subprocess, sys\nif __name__ == "__main__":\n    subprocess.run(["x"], stdin=sys.stdin)\n',
      undefined,
    ],
    'what another file is read with': [
      'a.sh',
      'while read -r l; do\n  for x in $l; do\n    echo "$x"\n  done\ndone < list\n',
      undefined,
    ],
    'what a program writes': ['a.sh', 'ls | while read -r l; do\n  echo "$l"\ndone\n', undefined],
    'all of it in a variable': ['a.sh', 'input=$(cat)\necho "$input" | wc -l\n', '{{args.text}}'],
    'a file of a shell': ['a.sh', 'cat "$1" | wc -l\n', undefined],
    'an export': ['a.mjs', 'export const read = () => process.stdin.read();\n', undefined],
  };
  it.each(Object.entries(INPUT))('tells apart %s', async (_, [name, script, expected]) => {
    const [tool] = (await proposals({ [`scripts/${name}`]: script })).values();
    expect(tool?.executor.stdin_text).toBe(expected);
  });

  it('leaves standard input to a person where subcommands share it', async () => {
    const script = `import sys, argparse
p = argparse.ArgumentParser()
s = p.add_subparsers()
s.add_parser("up")
s.add_parser("down")
p.add_argument("--tags", nargs="*")
p.parse_args()
sys.stdin.read()
`;
    const { tools: found, text } = await inferManifest(skillOf({ 'scripts/x.py': script }));
    expect(text).not.toContain('stdin_text:');
    for (const { doubts } of found)
      expect(doubts).toEqual(
        expect.arrayContaining([
          'tags: takes what follows it, maybe the subcommand, for one of its values',
          'reads its standard input in line 8: add stdin_text where it needs it',
        ]),
      );
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
    expect(doubts.get('join_pages')).toEqual([
      'range_1: may be given several times, of which the tool gives one',
    ]);
    expect(doubts.get('shrink')).toEqual([]);
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
  it('knows what takes several values', async () => {
    const help = `usage: tool.py [-h] [--keep KEEP [KEEP ...]] [--skip SKIP] page [page ...]

positional arguments:
  page                  what to read

options:
  --keep KEEP [KEEP ...]
                        what stays
  --skip SKIP           what goes
`;
    const { text } = await inferManifest(skillOf({ 'scripts/tool.py': module }), { help: async () => help });
    const [tool] = (parse(text) as { tools: Proposed[] }).tools;
    expect(argumentsOf(tool!)).toEqual([
      ['--skip', '{{args.skip}}'],
      { each: 'args.page' },
      { flag: '--keep', when: 'args.keep' },
      { each: 'args.keep' },
    ]);
    expect(tool!.input_schema.required).toEqual(['page']);
  });

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
