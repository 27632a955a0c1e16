import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import { fileError } from '../../files/file-error.ts';
import type { DynamicToolEvent } from '../../operations/index.ts';
import type { CompiledSkill } from '../../sources/skill/snapshot.ts';
import type { WrittenArtifacts } from '../artifacts.ts';
import type { SkillCompiler } from '../compiler.ts';
import type { FrozenCopies } from '../frozen/frozen-copies.ts';
import { isUntouched, listPackage, type PackageListing } from '../frozen/listing.ts';
import { type SettledPackage, settledPackage } from '../frozen/settled-package.ts';
import { LONGEST_PAUSE_MS, PATIENCE_MS, RESTLESS_TRIES } from '../limits.ts';
import type { FoundFolder } from './discover.ts';
import type { IndexedFolder } from './index-file.ts';
import type { JudgedFolder, SkillFailure } from './precedence.ts';

/** What is known of one folder; changed by `judgeFolder` alone. */
export interface FolderState extends JudgedFolder {
  readonly found: FoundFolder;
  /** What was judged; undefined: nothing yet, or it could not be listed. */
  listing?: PackageListing | undefined;
  compiled?: CompiledSkill;
  failure?: SkillFailure | undefined;
  /** How often in turn it did not come to rest. */
  restless?: number;
  /** Not looked at before, milliseconds since the epoch. */
  retryAt?: number | undefined;
  /** It is being read: what is changed now is still noticed. */
  reading: boolean;
  artifacts?: WrittenArtifacts | undefined;
}

export interface JudgeParts {
  readonly source: string;
  readonly copies: FrozenCopies;
  readonly compiler: SkillCompiler;
  readonly now: () => number;
  readonly note: (event: DynamicToolEvent) => void;
  readonly report: (error: unknown, what: string) => void;
}

/** Something may differ from what was judged; that only a folder's time differs is taken note of. */
export function isDue(state: FolderState, now: number): boolean {
  const { listing, found, retryAt } = state;
  if (retryAt !== undefined && retryAt > now) return false;
  if (listing === undefined) return true;
  if (isUntouched(listing)) return false;
  try {
    const next = listPackage(found.real, found.realRoot);
    if (!isAlike(listing, next)) return true;
    state.listing = next;
    return false;
  } catch {
    return true;
  }
}

interface JudgeOptions {
  /** What an earlier process made of it. */
  readonly indexed?: IndexedFolder | undefined;
  /** It was just imported: compiled anew, and nobody else writes there. */
  readonly imported?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Reads a folder where it differs from what was judged, and says whether anything became different by that. What cannot
 * be used leaves the last good version in place. Rejects only by the signal.
 */
export async function judgeFolder(
  state: FolderState,
  parts: JudgeParts,
  options: JudgeOptions,
): Promise<boolean> {
  state.reading = true;
  try {
    return await judge(state, parts, options);
  } finally {
    state.reading = false;
  }
}

async function judge(state: FolderState, parts: JudgeParts, options: JudgeOptions): Promise<boolean> {
  const { found } = state;
  const { copies, now, report } = parts;
  const { imported = false, signal } = options;
  const indexed = options.indexed?.compiled.root === found.root ? options.indexed : undefined;
  const started = performance.now();
  const isFirst = state.compiled === undefined && indexed === undefined;
  const noteEnd = (skill: string, fields: Pick<DynamicToolEvent, 'status' | 'error_code' | 'message'>) =>
    parts.note({
      type: isFirst || imported ? 'dynamic_tool.compile' : 'dynamic_tool.reload',
      source: parts.source,
      skill_id: skill,
      latency_ms: Math.round(performance.now() - started),
      ...fields,
    });
  const fail = (error: unknown, pauseMs?: number): boolean => {
    const failure = failureOf(error);
    const same = state.failure?.message === failure.message && state.failure.location === failure.location;
    state.failure = failure;
    state.retryAt = pauseMs === undefined ? undefined : now() + pauseMs;
    if (same) return false;
    const code = isToolcribError(error) ? error.code : 'internal';
    noteEnd(state.compiled?.id ?? nameOf(found), {
      status: 'failed',
      error_code: code,
      message: failure.message,
    });
    return true;
  };

  let settled: SettledPackage | undefined;
  try {
    const listing = listPackage(found.real, found.realRoot);
    if (state.listing?.fingerprint === listing.fingerprint && isSameRefused(state.listing, listing)) {
      // folders came or went, which nothing is made from
      state.listing = listing;
      return false;
    }
    if (state.compiled === undefined && indexed !== undefined && copies.has(indexed.compiled.version)) {
      state.compiled = indexed.compiled;
      state.artifacts = indexed.artifacts;
      if (indexed.fingerprint === listing.fingerprint) {
        state.listing = listing;
        return true;
      }
    }
    const { real: folder, realRoot } = found;
    const { stage, discard } = copies;
    settled = await settledPackage({ folder, realRoot, stage, discard, signal, still: imported });
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    state.listing = undefined;
    const error = fileError(thrown) ?? thrown;
    if (!isToolcribError(error)) report(error, `the skill in ${found.folder} could not be copied`);
    return fail(error, PATIENCE_MS);
  }
  if (settled === undefined) {
    const before = state.restless ?? 0;
    const pauseMs = Math.min(PATIENCE_MS * 2 ** before, LONGEST_PAUSE_MS);
    state.restless = before + 1;
    state.listing = undefined;
    // what went on before goes on: a change under way is no failure of it
    if (state.compiled !== undefined && state.restless < RESTLESS_TRIES) {
      state.retryAt = now() + pauseMs;
      return false;
    }
    return fail(
      new ToolcribError('skill_invalid', 'It is being changed; it is read once it has come to rest.'),
      pauseMs,
    );
  }
  state.restless = 0;

  try {
    const compiled = await adopt(state, settled, parts);
    if (!imported) refuseUnreadable(compiled, state.compiled);
    const hadFailure = state.failure !== undefined;
    const isSame = state.compiled === compiled;
    state.compiled = compiled;
    state.listing = settled.listing;
    state.failure = undefined;
    state.retryAt = undefined;
    if (!isSame || imported) noteEnd(compiled.id, statusOf(compiled));
    return hadFailure || !isSame;
  } catch (error) {
    await copies.discard(settled.copy).catch(() => undefined);
    const isKnown = isToolcribError(error);
    if (!isKnown) report(error, `the skill in ${found.folder} could not be compiled`);
    // the same content has the same fault: it is read again when it changes
    state.listing = isKnown ? settled.listing : undefined;
    return fail(error, isKnown ? undefined : PATIENCE_MS);
  }
}

/** The compiled skill of a copy that now stands under its version; the one known already where content is the same. */
async function adopt(
  state: FolderState,
  { listing, files, copy }: SettledPackage,
  { copies, compiler }: JudgeParts,
): Promise<CompiledSkill> {
  const { folder, root } = state.found;
  const version = await compiler.versionOf(files);
  const known = state.compiled;
  const isKnown =
    known?.version === version && listing.refused.length === 0 && known.findings.every(isOfCompiler);
  const compiled = isKnown
    ? known
    : await compiler.compile(files, (path) => readFile(join(copy, path)), { folder, root });
  const { id, tools } = compiled;
  await copies.keep(copy, { id, version, tools: tools.length, files });
  if (isKnown || listing.refused.length === 0) return compiled;
  return { ...compiled, findings: [...compiled.findings, ...listing.refused] };
}

/** A manifest that is no longer one takes no tools away: it is being edited, most likely. Throws `skill_invalid`. */
function refuseUnreadable({ invalid }: CompiledSkill, before: CompiledSkill | undefined): void {
  const unreadable = invalid.find(({ code }) => code === 'skill-unreadable');
  if (unreadable === undefined || before === undefined || before.tools.length === 0) return;
  const { place, error } = unreadable;
  throw new ToolcribError('skill_invalid', error, { location: join(before.folder, place) });
}

const isOfCompiler = ({ code }: { readonly code: string }) => code !== 'skill-file-refused';

function statusOf({
  tools,
  invalid,
}: CompiledSkill): Pick<DynamicToolEvent, 'status' | 'error_code' | 'message'> {
  const [first] = invalid;
  if (first === undefined) return { status: 'ok' };
  const { place, name, error } = first;
  const more = invalid.length > 1 ? ` And ${invalid.length - 1} more.` : '';
  const message = `${place}${name === undefined ? '' : `, tool ${name}`}: ${error}${more}`;
  return { status: tools.length > 0 ? 'partial' : 'failed', error_code: 'skill_invalid', message };
}

function failureOf(error: unknown): SkillFailure {
  if (isToolcribError(error))
    return {
      message: error.message,
      ...(error.location === undefined ? {} : { location: error.location }),
    };
  const { code } = error as NodeJS.ErrnoException;
  return { message: `It could not be read (${code ?? 'unexpected fault'}).` };
}

const isAlike = (a: PackageListing, b: PackageListing) =>
  a.fingerprint === b.fingerprint &&
  isSameRefused(a, b) &&
  a.directories.length === b.directories.length &&
  a.directories.every(({ path }, at) => path === b.directories[at]?.path);

const isSameRefused = (a: PackageListing, b: PackageListing) =>
  a.refused.length === b.refused.length &&
  a.refused.every(({ message }, at) => b.refused[at]?.message === message);

const nameOf = ({ folder }: FoundFolder) => folder.split(/[/\\]/).at(-1) || folder;
