import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { constants, copyFile, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readIfPresent, writeAtomically } from '../../../catalog/lock-files.ts';
import { ToolcribError } from '../../../errors.ts';
import type { SkillPackageFiles } from '../../../sources/skill/index.ts';
import { assertThere } from '../../assert-there.ts';
import { BrokenOff } from '../../broken-off.ts';
import { runnable } from '../../command-line.ts';
import { json, type Terminal } from '../../terminal/terminal.ts';

export interface InferOptions {
  /** Runs scripts with `--help`, too, isolated. */
  readonly runHelp?: boolean;
  readonly write?: boolean;
  readonly accept?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const MANIFESTS = ['tool-manifest.yaml', 'tool-manifest.yml'];
const PROPOSED = 'tool-manifest.proposed.yaml';

/**
 * Proposes a manifest for a skill that has none. Nothing is in force before a person accepts it: a proposal that was
 * written and corrected, or else the one that is shown.
 */
export async function infer(named: string, options: InferOptions, terminal: Terminal): Promise<number> {
  const folder = resolve(terminal.cwd, named);
  assertThere(folder);
  if (!existsSync(join(folder, 'SKILL.md')))
    throw new ToolcribError('usage', `There is no SKILL.md in ${folder}.`, {
      location: folder,
      next: 'Name the folder of one skill: its SKILL.md lies in it.',
    });
  const existing = MANIFESTS.map((name) => join(folder, name)).find((file) => existsSync(file));
  if (existing !== undefined)
    throw new ToolcribError('usage', 'The skill has a manifest already.', {
      location: existing,
      next: 'Check it: toolcrib skills lint DIR.',
    });
  const proposed = join(folder, PROPOSED);
  const reviewed = options.accept ? await readIfPresent(proposed) : undefined;
  const { text, ...rest } = reviewed === undefined ? await propose(folder, options) : { text: reviewed };
  if (options.json) terminal.out(json({ manifest: text, ...rest }));
  else terminal.out(text.trimEnd());
  if (options.accept && 'tools' in rest && rest.tools.length === 0)
    throw new ToolcribError('usage', 'There is nothing to accept: no tool was found in the scripts.', {
      location: folder,
      next: `Write its tools into ${MANIFESTS[0]} by hand; what comments say above was seen of its scripts.`,
    });
  if (options.accept)
    return accept({ folder, proposed, text, isReviewed: reviewed !== undefined }, options, terminal);
  if (options.write) {
    await writeAtomically(proposed, text);
    const next = runnable(terminal, 'skills', 'infer', named, '--accept');
    terminal.note(`Written to ${proposed}. Read and correct it; then: ${next}`);
  } else terminal.note('Not in force. --write keeps it for correction, --accept makes it the manifest.');
  return 0;
}

async function propose(folder: string, { runHelp = false }: InferOptions) {
  const { inferManifest } = await import('../../../skills/infer/index.ts');
  const skill = await packageIn(folder);
  if (!runHelp) return inferManifest(skill);
  const [{ helpRuns }, { stopSignal }] = await Promise.all([
    import('./help-runs.ts'),
    import('../../stop-signal.ts'),
  ]);
  using stop = stopSignal();
  const executables = new Set(skill.files.flatMap(({ path, executable }) => (executable ? [path] : [])));
  return inferManifest(skill, { help: await helpRuns(folder, executables, stop.signal) });
}

async function accept(
  {
    folder,
    proposed,
    text,
    isReviewed,
  }: { folder: string; proposed: string; text: string; isReviewed: boolean },
  { yes = false }: InferOptions,
  terminal: Terminal,
): Promise<number> {
  const target = join(folder, MANIFESTS[0]!);
  if (!yes) {
    if (!terminal.interactive)
      throw new ToolcribError('usage', 'Nobody is there to accept the proposal.', {
        next: 'Read it, then say --yes as well.',
      });
    const agreed = await terminal.confirm('Make this the manifest of the skill?');
    if (agreed === undefined)
      throw new BrokenOff('Nothing was written.', 'Run the command again when it is wanted.');
    if (!agreed) {
      terminal.note('Nothing was written.');
      return 0;
    }
  }
  if (!isReviewed) await writeAtomically(proposed, text);
  // never over a manifest that appeared meanwhile
  await copyFile(proposed, target, constants.COPYFILE_EXCL);
  await rm(proposed);
  terminal.note(`${target} is in force. Check it: ${runnable(terminal, 'skills', 'lint', folder)}`);
  return 0;
}

async function packageIn(folder: string): Promise<SkillPackageFiles> {
  const { listPackage } = await import('../../../skills/frozen/listing.ts');
  const { files } = listPackage(folder, realpathSync(folder));
  const read = (path: string) => readFile(join(folder, path));
  const hashed = files.map(async ({ path, bytes, executable }) => ({
    path,
    bytes,
    sha256: createHash('sha256')
      .update(await read(path))
      .digest('hex'),
    ...(executable ? ({ executable } as const) : {}),
  }));
  return { files: await Promise.all(hashed), read };
}
