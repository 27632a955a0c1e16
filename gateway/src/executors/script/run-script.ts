import { isToolcribError } from '../../errors.ts';
import { parseJson } from '../../results/parse-json.ts';
import {
  askIsolatedToEnd,
  askRunToEnd,
  endRun,
  endsWithUs,
  forgetRun,
  readIsolatedStatus,
  signalGroup,
} from '../../sandbox/index.ts';
import { type CollectedOutput, collectOutput } from './collected-output.ts';
import type { ScriptClass, ScriptOutcome, ScriptRun } from './script-run.ts';
import { type StartedScript, startScript } from './start-script.ts';
import { readLines } from './stderr-lines.ts';
import { removeWorkFolder } from './work-folders.ts';

/** Milliseconds between SIGTERM and SIGKILL, and until nobody waits any longer for what was killed. */
const GRACE_MS = 500;
const GIVE_UP_MS = 700;
/** For what is still in the pipes of a program that ended; something may hold them for ever. */
const DRAIN_MS = 200;
/** Dropped output of one stream, bytes, after which a program that floods is ended. */
const MOST_DROPPED = 64 * 1024 * 1024;
const MOST_STATUS = 4_096;

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Runs a program without a shell, in its own process group, and answers when it and what it started is gone: at the
 * latest about a second after its time is up, whatever holds its pipes. Never rejects. What can escape where there is
 * no isolation: see `sandbox/run-traces.ts`.
 */
export async function runScript(request: ScriptRun): Promise<ScriptOutcome> {
  const since = performance.now();
  const stdout = collectOutput(request.maxOutputBytes);
  const stderr = collectOutput(request.maxOutputBytes);
  const answer = (className: ScriptClass, rest: Partial<ScriptOutcome> = {}): ScriptOutcome => ({
    class: className,
    ...outputOf(className, request, stdout, stderr),
    ...rest,
    durationMs: performance.now() - since,
  });
  if (request.signal.aborted) return answer('cancelled');
  const started = await startScript(request).catch(whyNot);
  if ('problem' in started) return answer('spawn_failed', { problem: started.problem });
  const { child, work, traces } = started;
  const release = child.pid === undefined ? undefined : endsWithUs(child.pid, work);
  try {
    const { exit, stopped, problem, status } = await followed(started, request, stdout, stderr);
    const ended = {
      ...(exit?.signal ? { signal: exit.signal } : {}),
      ...(exit === undefined || exit.code === null ? {} : { exitCode: exit.code }),
    };
    if (problem !== undefined) return answer('spawn_failed', { problem });
    if (stopped !== undefined) return answer(stopped, ended);
    if (exit?.signal) return answer('killed', ended);
    if (started.isIsolated && !readIsolatedStatus(status).hasRun) {
      const said = stderr.text();
      if (said.startsWith('bwrap: ')) return answer('spawn_failed', { problem: firstLine(said.slice(7)) });
    }
    return answer(exit?.code === 0 ? 'ok' : 'exit_nonzero', ended);
  } finally {
    release?.();
    if (traces !== undefined) forgetRun(traces);
    if (work !== undefined) void removeWorkFolder(work);
  }
}

interface Followed {
  readonly exit: Exit | undefined;
  readonly stopped: 'timeout' | 'output_limit' | 'cancelled' | undefined;
  readonly problem: string | undefined;
  /** What bwrap said about itself. */
  readonly status: string;
}

/** From start to end. Every way out goes through `settle`, and a timer stands behind every wait. */
function followed(
  { child, traces, isIsolated }: StartedScript,
  request: ScriptRun,
  stdout: CollectedOutput,
  stderr: CollectedOutput,
): Promise<Followed> {
  const { stdin, timeoutMs, maxOutputBytes, signal, onLine, conceal } = request;
  const { promise, resolve } = Promise.withResolvers<Followed>();
  const lines =
    onLine === undefined ? undefined : readLines(onLine, (text) => conceal?.(text, 'stderr') ?? text);
  const timers = new Set<NodeJS.Timeout>();
  let exit: Exit | undefined;
  let stopped: Followed['stopped'];
  let problem: string | undefined;
  let status = '';
  let isClosed = false;
  let isKilling = false;
  let isSettled = false;

  const after = (ms: number, act: () => void) => void timers.add(setTimeout(act, ms));
  const settle = () => {
    if (isSettled) return;
    isSettled = true;
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    for (const pipe of child.stdio) pipe?.destroy();
    lines?.end();
    resolve({ exit, stopped, problem, status });
  };
  /** Kills what is left of it, and settles when that is done. */
  const kill = () => {
    const { pid } = child;
    if (isKilling || pid === undefined) return;
    isKilling = true;
    if (isIsolated) {
      after(GIVE_UP_MS, settle);
      signalGroup(pid, 'SIGKILL');
      if (isClosed) settle();
      return;
    }
    const late = Promise.withResolvers<void>();
    const looked = Promise.withResolvers<void>();
    after(GIVE_UP_MS, late.resolve);
    void endRun(pid, traces, isClosed, looked.resolve).then(() => {
      if (isClosed) settle();
    });
    // who answers before it was looked may end before, and nobody is killed
    void Promise.all([late.promise, looked.promise]).then(settle);
  };
  const stop = (why: NonNullable<Followed['stopped']>) => {
    if (stopped !== undefined || isSettled) return;
    stopped = why;
    const { pid } = child;
    if (why === 'output_limit' || exit !== undefined || pid === undefined) return kill();
    after(GRACE_MS, kill);
    const { init } = readIsolatedStatus(status);
    if (!isIsolated) void askRunToEnd(pid, traces);
    else if (init === undefined) kill();
    else askIsolatedToEnd(init);
  };
  const onAbort = () => stop('cancelled');

  child.on('error', (error: NodeJS.ErrnoException) => {
    if (child.pid !== undefined) return;
    problem = error.code === 'ENOENT' ? 'the program or its folder is missing' : `${error.code ?? 'unknown'}`;
    settle();
  });
  child.on('exit', (code, name) => {
    exit = { code, signal: name };
    after(DRAIN_MS, kill);
  });
  child.on('close', () => {
    isClosed = true;
    if (!isKilling) kill();
    else if (isIsolated) settle();
    else settleOnceKilled();
  });
  /** The pipes closed while processes were hunted, perhaps because of it. */
  const settleOnceKilled = () => {
    const { pid } = child;
    if (pid !== undefined) void endRun(pid, traces, true).then(settle);
  };

  child.stdout!.on('data', (chunk: Buffer) => {
    stdout.push(chunk);
    if (stdout.isCut) stop('output_limit');
  });
  child.stderr!.on('data', (chunk: Buffer) => {
    stderr.push(chunk);
    lines?.push(chunk);
    if (stderr.seen > maxOutputBytes + MOST_DROPPED) stop('output_limit');
  });
  child.stdio[4]?.on('data', (chunk: Buffer) => {
    if (status.length < MOST_STATUS) status += chunk.toString('latin1');
  });
  for (const pipe of child.stdio) pipe?.on('error', () => undefined);
  child.stdin?.end(stdin);
  if (child.pid !== undefined) after(timeoutMs, () => exit === undefined && stop('timeout'));
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return promise;
}

function outputOf(
  className: ScriptClass,
  { conceal = (text) => text }: ScriptRun,
  stdout: CollectedOutput,
  stderr: CollectedOutput,
): Pick<ScriptOutcome, 'stdout' | 'stderr' | 'replaced' | 'stdoutCut' | 'stderrCut' | 'json' | 'exactJson'> {
  const text = conceal(stdout.text(), 'stdout');
  // what was ended from outside may have had more to say
  const isSaid = className === 'ok' || className === 'exit_nonzero';
  const isWhole = stdout.isWhole();
  const parsed = isSaid && isWhole ? parseJson(text) : undefined;
  return {
    stdout: text,
    stderr: conceal(stderr.text(), 'stderr'),
    ...(isWhole || stdout.isCut ? {} : { replaced: true as const }),
    stdoutCut: stdout.isCut,
    stderrCut: stderr.isCut,
    ...(parsed === undefined ? {} : { json: parsed.value }),
    ...(parsed?.rounded ? { exactJson: parsed.text } : {}),
  };
}

/** No folder can be made, or a path is none that can be isolated. */
function whyNot(error: unknown): { readonly problem: string } {
  const { code } = error as NodeJS.ErrnoException;
  return { problem: isToolcribError(error) ? error.message : `it cannot be started: ${code ?? 'unknown'}` };
}

function firstLine(text: string): string {
  return text.slice(0, 300).split('\n', 1)[0]!;
}
