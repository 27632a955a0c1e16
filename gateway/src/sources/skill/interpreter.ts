import type { ScriptInterpreter } from '../../operations/index.ts';

const BY_EXTENSION: Readonly<Record<string, ScriptInterpreter>> = {
  bash: 'bash',
  py: 'python3',
  js: 'node',
  mjs: 'node',
  cjs: 'node',
  ts: 'node',
  mts: 'node',
  cts: 'node',
};

export interface ScriptStart {
  /** Within the package. */
  readonly path: string;
  /** Its run bit is set. */
  readonly executable: boolean;
  /** The beginning of its content; asked for where the name says too little. */
  readonly head: () => Promise<string>;
}

/**
 * What runs a script: by its extension, else by its `#!` line, else it runs itself where it has a run bit.
 *
 * @returns the interpreter, `itself`, or why it cannot be run, in one sentence
 */
export async function interpreterOf({
  path,
  executable,
  head,
}: ScriptStart): Promise<ScriptInterpreter | 'itself' | { readonly problem: string }> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const extension = dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
  const known = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
  if (known !== undefined) return known;
  const program = shebangProgram(await head());
  const interpreter = program === undefined ? undefined : interpreterCalled(program);
  if (extension === 'sh') return interpreter === 'bash' ? 'bash' : 'sh';
  if (interpreter !== undefined) return interpreter;
  if (executable) return 'itself';
  const why =
    program === undefined
      ? 'neither an extension (.sh, .py, .js, .mjs, .ts, …), nor a "#!" line, nor a run bit: nothing says how it is run'
      : `a "#!" line for ${program.slice(0, 64)} and no run bit: set it (chmod +x)`;
  return { problem: `entry ${path} has ${why}.` };
}

/** The program of `#!/usr/bin/env -S X …` or `#!/path/X …`. */
export function shebangProgram(head: string): string | undefined {
  const [line = ''] = head.slice(0, 256).split('\n', 1);
  if (!line.startsWith('#!')) return undefined;
  const words = line.slice(2).trim().split(/\s+/);
  const first = baseName(words[0] ?? '');
  if (first !== 'env') return first === '' ? undefined : first;
  // options of env and variables that it sets
  const named = words.slice(1).find((word) => !word.startsWith('-') && !word.includes('='));
  return named === undefined ? undefined : baseName(named);
}

function interpreterCalled(program: string): ScriptInterpreter | undefined {
  if (program === 'sh' || program === 'dash') return 'sh';
  if (program === 'bash' || program === 'node') return program;
  if (program === 'nodejs') return 'node';
  return /^python(?:3(?:\.\d+)?)?$/.test(program) ? 'python3' : undefined;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
