import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { absolutePath } from '../../config/index.ts';
import { ToolcribError } from '../../errors.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { isDeviceName } from '../../operations/text/device-name.ts';
import { runnable } from '../command-line.ts';
import type { Template } from '../templates/template.ts';
import { json, type Terminal } from '../terminal/terminal.ts';

export interface NewOptions {
  /** Folder in which it is made; default: the working directory. */
  readonly dir?: string;
  readonly json?: boolean;
}

interface Scaffold {
  readonly name: RegExp;
  readonly rule: string;
  /** One file rather than a folder. */
  readonly plain?: true;
  load(): Promise<Template>;
}

const SCAFFOLDS: Readonly<Record<string, Scaffold>> = {
  tool: {
    name: /^[a-z][a-z0-9_]{0,62}$/,
    rule: 'small letters, digits and "_", beginning with a letter',
    load: async () => (await import('../templates/tool.ts')).toolTemplate,
  },
  skill: {
    name: /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/,
    rule: 'small letters, digits and single "-"',
    load: async () => (await import('../templates/skill.ts')).skillTemplate,
  },
  manifest: {
    name: /^[a-z][a-z0-9-]{0,31}$/,
    rule: 'small letters, digits and "-", beginning with a letter',
    plain: true,
    load: async () => (await import('../templates/manifest.ts')).manifestTemplate,
  },
  source: {
    name: /^[a-z][a-z0-9-]{0,31}$/,
    rule: 'small letters, digits and "-", beginning with a letter',
    load: async () => (await import('../templates/source.ts')).sourceTemplate,
  },
};

/**
 * Writes what `toolcrib lint` has no word against. Throws `file_conflict` before anything of it is written,
 * `file_unusable` with nothing of it left.
 */
export async function scaffold(
  kind: string,
  name: string,
  options: NewOptions,
  terminal: Terminal,
): Promise<number> {
  const { out, cwd, env } = terminal;
  const known = Object.hasOwn(SCAFFOLDS, kind) ? SCAFFOLDS[kind] : undefined;
  if (known === undefined)
    throw new ToolcribError(
      'usage',
      `There is no scaffold of a ${kind}; there is: ${Object.keys(SCAFFOLDS).join(', ')}.`,
    );
  if (!known.name.test(name))
    throw new ToolcribError('usage', `"${name}" cannot be the name of a ${kind}: it has ${known.rule}.`);
  if (isDeviceName(name))
    throw new ToolcribError(
      'usage',
      `"${name}" cannot be the name of a ${kind}: Windows keeps it for a device.`,
    );
  const parent = options.dir === undefined ? cwd : absolutePath(options.dir, cwd, env);
  const folder = known.plain ? parent : join(parent, name);
  const template = await known.load();
  const files = Object.entries(template(name)).map(([path, text]) => [join(folder, path), text] as const);
  const target = known.plain ? files[0]![0] : folder;
  if (existsSync(target))
    throw new ToolcribError('file_conflict', `${target} is there already: nothing was written.`, {
      location: target,
      next: 'Choose another name or folder, or remove what is there.',
    });
  try {
    for (const [file, text] of files) {
      await makeFolder(dirname(file), 0o777);
      await writeFile(file, text, { flag: 'wx' });
    }
  } catch (error) {
    // what is written half would be in the way of the next try; what somebody else made meanwhile stays
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      await rm(target, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
  if (options.json) out(json({ kind, name, files: files.map(([file]) => file) }));
  else {
    for (const [file] of files) out(file);
    const tests = kind === 'tool' || kind === 'source' ? ['--run-tests'] : [];
    out(`Check it: ${runnable(terminal, 'lint', target, ...tests)}`);
  }
  return 0;
}
