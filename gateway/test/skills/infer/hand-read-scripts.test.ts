import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ScriptArgument } from '../../../src/operations/index.ts';
import { inferManifest } from '../../../src/skills/infer/index.ts';
import { skillOf } from './scripts.ts';

interface Proposed {
  readonly name: string;
  readonly input_schema: {
    readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly required?: readonly string[];
    readonly dependentRequired?: unknown;
  };
  readonly executor: { readonly args_template?: readonly ScriptArgument[]; readonly stdin_text?: string };
}

async function proposals(files: Readonly<Record<string, string>>): Promise<readonly Proposed[]> {
  const { text } = await inferManifest(skillOf(files));
  return (parse(text) as { tools: Proposed[] }).tools;
}

async function only(path: string, source: string): Promise<Proposed> {
  const [tool] = await proposals({ [path]: source });
  return tool!;
}

const python = (usage: string) => `import sys\nprint("Usage: ${usage}", sys.argv)\n`;

describe('a script that takes its arguments apart itself', () => {
  it('gets them in the order of its usage line, as it may look for each in its place', async () => {
    const scaffold = await only('scripts/scaffold.py', python('scaffold.py <name> --path <path>'));
    expect(scaffold.executor.args_template).toEqual(['{{args.name}}', '--path', '{{args.path}}']);
    const audit = await only('scripts/audit.py', python('python audit.py <folder> [--json]'));
    expect(audit.executor.args_template).toEqual(['{{args.folder}}', { flag: '--json', when: 'args.json' }]);
    const node = await only(
      'scripts/audit.mjs',
      "const [folder] = process.argv.slice(2);\nconst json = process.argv.includes('--json');\n",
    );
    expect(node.executor.args_template).toEqual(['{{args.folder}}', { flag: '--json', when: 'args.json' }]);
  });

  it('gets no flag in a place that is left out', async () => {
    const tool = await only(
      'scripts/smells.py',
      'import sys\nprint("Usage: smells.py [folder] [--output json|markdown]", sys.argv)\n',
    );
    expect(tool.executor.args_template).toEqual([['{{args.folder}}'], ['--output', '{{args.output}}']]);
    expect(tool.input_schema.dependentRequired).toEqual({ output: ['folder'] });
  });

  it('has the flags of a loop in JavaScript, whatever one line of help is about', async () => {
    const source = `#!/usr/bin/env node
function parseArgs() {
  const args = process.argv.slice(2);
  const found = { list: true };
  for (let i = 0; i < args.length; i++) {
    switch (args[i]) {
      case '--open':
      case '-o':
        found.open = true;
        break;
      case '--answer':
        found.to = args[++i];
        found.text = args[++i];
        break;
      case '--number':
        found.number = Number.parseInt(args[++i], 10);
        break;
      case '--help':
        help();
        break;
      default:
        if (args[i].startsWith('--since=')) found.since = args[i].split('=')[1];
    }
  }
  return found;
}
const options = parseArgs();
if (!options.text) console.error('Usage: reviews --answer <id> "message"');
`;
    const { input_schema: input, executor } = await only('scripts/reviews.js', source);
    expect(input.required).toBeUndefined();
    expect(input.properties['number']).toEqual({ type: 'integer' });
    expect(executor.args_template).toEqual([
      { flag: '--open', when: 'args.open' },
      ['--answer', '{{args.answer_1}}', '{{args.answer_2}}'],
      ['--number', '{{args.number}}'],
      ['--since={{args.since}}'],
    ]);
  });

  it('has the flags of a loop in Python', async () => {
    const source = `import sys
args = sys.argv[1:]
i = 0
while i < len(args):
    if args[i] in ("-v", "--verbose"):
        verbose = True
    elif args[i] == "-o" or args[i] == "--out":
        out = args[i + 1]
        i += 1
    elif args[i] == "--limit":
        limit = int(args[i + 1])
        i += 1
    i += 1
`;
    const { input_schema: input, executor } = await only('scripts/loop.py', source);
    expect(input.properties['limit']).toEqual({ type: 'integer' });
    expect(executor.args_template?.slice(-3)).toEqual([
      { flag: '--verbose', when: 'args.verbose' },
      ['--out', '{{args.out}}'],
      ['--limit', '{{args.limit}}'],
    ]);
  });

  it('needs no argument that one of its commands alone reads', async () => {
    const tool = await only(
      'scripts/things.py',
      'import sys\ncommand = sys.argv[1]\nif command == "add":\n    add(sys.argv[2])\nelif command == "list":\n    show()\n',
    );
    expect(tool.input_schema.required).toEqual(['command']);
    expect(tool.executor.args_template).toEqual(['{{args.command}}', ['{{args.argument_2}}']]);
  });

  it('takes all values of a flag, or none', async () => {
    const tool = await only(
      'scripts/ranges.py',
      'import argparse\np = argparse.ArgumentParser()\np.add_argument("--range", nargs=2)\np.parse_args()\n',
    );
    expect(tool.input_schema.dependentRequired).toEqual({ range_1: ['range_2'], range_2: ['range_1'] });
  });

  it('has flags of Python that are looked for anywhere, and none that is asked for in one place', async () => {
    const sought = await only(
      'scripts/sought.py',
      'import sys\nfolder = sys.argv[1]\njson = "--json" in sys.argv\nif "--out" in sys.argv:\n    out = sys.argv[sys.argv.index("--out") + 1]\n',
    );
    expect(sought.executor.args_template).toEqual([
      '{{args.folder}}',
      { flag: '--json', when: 'args.json' },
      ['--out', '{{args.out}}'],
    ]);
    const placed = await only(
      'scripts/placed.py',
      'import sys\nif sys.argv[2] == "--path":\n    print(sys.argv[1], sys.argv[3])\n',
    );
    expect(placed.executor.args_template).not.toContainEqual({ flag: '--path', when: 'args.path' });
  });
});

/** What a usage line says: `name` with `!` where it is required, and its choices. */
const USAGE: Readonly<Record<string, string>> = {
  'tasks.py <add|list|remove> <name>': 'add_list_remove!(add,list,remove) name!',
  'fetch.py <file|url> [--format json|text]': 'file_url! format(json,text)',
  'pack.py <path/to/folder> [output-folder]': 'path_to_folder! output_folder',
  'read.py <文件> [输出]': 'value! value_2',
  "count.py [section] 'your text here'": 'section your_text_here!',
  'page.py URL - fetches a page': 'URL!',
  'page.py URL   # fetches a page': 'URL!',
  'save.py FILE <<< TEXT': 'FILE!',
  'draw.py <prompt> [-o|--output FILE] [-q, --quiet] [n=2]': 'prompt! output quiet n',
  'show.py [--all | --id ID] <folder>': 'all id folder!',
  'load.py <json> | --file <path>': 'json file',
  'set.py <key>=<value>': 'key_value!',
  'python3 -m tool.py <folder>': 'folder!',
  'uv run tool.py <folder>': 'folder!',
};

describe('a usage line', () => {
  it.each(Object.entries(USAGE))('is read whole: %s', async (usage, expected) => {
    const { input_schema: input } = await only('scripts/x.py', python(usage));
    const found = Object.entries(input.properties).map(([name, { enum: choices }]) => {
      const mark = input.required?.includes(name) ? '!' : '';
      return `${name}${mark}${Array.isArray(choices) ? `(${choices.join(',')})` : ''}`;
    });
    expect(found.join(' ')).toBe(expected);
  });
});

describe('which scripts are tools', () => {
  it('takes those of folders called scripts, wherever they lie, but none of another skill', async () => {
    const { tools, skipped } = await inferManifest(
      skillOf({
        'ooxml/scripts/pack.sh': 'echo "$1"\n',
        'templates/form.sh': 'echo form\n',
        'hooks/start.sh': 'echo start\n',
        'skills/other/SKILL.md': '---\nname: other\ndescription: Another.\n---\n',
        'skills/other/scripts/other.sh': 'echo other\n',
      }),
    );
    expect(tools.map(({ entry }) => entry)).toEqual(['ooxml/scripts/pack.sh']);
    expect(skipped).toEqual([
      { path: 'hooks/start.sh and 1 more', reason: 'outside of a folder called scripts' },
    ]);
  });

  it('leaves out a module that refuses to be run', async () => {
    const source =
      'def f():\n    pass\n\nif __name__ == "__main__":\n    raise RuntimeError("not to be run")\n';
    expect(await proposals({ 'scripts/base.py': source })).toEqual([]);
  });

  it('takes no here-document for what a script reads', async () => {
    const source = 'cat > "$1/closed.json" << EOF\n{ "closed": true }\nEOF\n';
    const tool = await only('scripts/close.sh', source);
    expect(tool.executor.stdin_text).toBeUndefined();
    expect(Object.keys(tool.input_schema.properties)).toEqual(['argument_1']);
  });
});
