import { spawn } from 'node:child_process';
import { ToolcribError } from '../errors.ts';
import type { SecretCommand } from '../operations/index.ts';
import { printable } from '../operations/text/printable.ts';
import { endProcess, type ProcessCommand, windowsCommand } from '../sandbox/index.ts';
import { expiryOf, jwtPayload } from './jwt-payload.ts';
import { SharedFlights } from './shared-flight.ts';
import { usableUntil } from './token-lifetime.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How long the program may take, milliseconds: some ask their person first. */
const LIMIT_MS = 60_000;
/** Of a secret; a certificate with its chain is one. */
const MAX_BYTES = 256 * 1024;
/** How long a secret is used that does not say so itself, milliseconds: such programs renew tokens minutes before they end. */
const KEPT_MS = 5 * 60_000;
/** Milliseconds in which a program that has ended may still be read. */
const DRAIN_MS = 500;
/** Characters of what a program says of its failure. */
const LAST_WORDS = 200;

/** Where there is no such program. */
export const INSTALL_PROGRAM =
  'Install it, or name it by its absolute path: the PATH of this process counts.';

/** What programs printed: once for all that wait for it in a process, and kept in memory alone. */
const KEPT = new WeakMap<Environment, SharedFlights<string>>();

/**
 * What the program prints, without space around it; the same for five minutes or, of a JWT, until a minute before its
 * `exp`. Throws `credentials_missing` where it cannot be started, fails, or does not end within a minute.
 */
export function programSecret(
  secret: SecretCommand,
  place: string,
  env: Environment,
  signal: AbortSignal,
): Promise<string> {
  return keptFor(env).get(keyOf(secret), signal, async (asked) => {
    const value = await printedBy(
      secret,
      place,
      env,
      AbortSignal.any([asked, AbortSignal.timeout(LIMIT_MS)]),
    );
    const now = Date.now();
    const expires = expiryOf(jwtPayload(value) ?? {});
    return { value, usableUntil: expires === undefined ? now + KEPT_MS : usableUntil(now, expires - now) };
  });
}

/** The service refused it: the next call runs the program again. True where a repeated call would be its first. */
export function forgetProgramSecret(secret: SecretCommand, value: string, env: Environment): boolean {
  return keptFor(env).forgetValue(keyOf(secret), value);
}

function keptFor(env: Environment): SharedFlights<string> {
  let kept = KEPT.get(env);
  if (kept === undefined) {
    kept = new SharedFlights(() => Date.now());
    KEPT.set(env, kept);
  }
  return kept;
}

function keyOf({ command, folder }: SecretCommand): string {
  return JSON.stringify([command, folder]);
}

async function printedBy(
  { command: [program = '', ...args], folder }: SecretCommand,
  place: string,
  env: Environment,
  signal: AbortSignal,
): Promise<string> {
  const subject = `The program ${printable(program)}, named by ${place},`;
  const failed = (
    why: string,
    next = 'Run it in a terminal, as the user that Toolcrib runs as.',
    cause?: unknown,
  ) => new ToolcribError('credentials_missing', `${subject} ${why}`, { next, cause });
  const plain: ProcessCommand = {
    command: program,
    args,
    env: Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    ...(folder === undefined ? {} : { cwd: folder }),
  };
  const started =
    process.platform === 'win32'
      ? await windowsCommand(plain, (why, next) => failed(`cannot be run: ${why}`, next))
      : plain;
  const { code, stdout, stderr, tooLong } = await run(started, signal).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw failed('is not there.', INSTALL_PROGRAM, error);
      throw failed(`cannot be run: ${error.message}.`, undefined, error);
    },
  );
  if (signal.aborted) throw failed(`did not end within ${LIMIT_MS / 1000} s.`);
  if (tooLong) throw failed(`printed more than ${MAX_BYTES / 1024} KiB: that is no secret.`);
  if (code !== 0) throw failed(`ended with ${code === null ? 'a signal' : `code ${code}`}${saying(stderr)}`);
  const value = stdout.trim();
  if (value === '') throw failed(`printed nothing${saying(stderr)}`);
  return value;
}

/** Of its complaint the last line, which says it; what it printed on standard output is never told. */
function saying(stderr: string): string {
  const last = stderr.trim().split('\n').at(-1)!.trim();
  return last === '' ? '.' : `: ${printable(last, LAST_WORDS)}`;
}

interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly tooLong: boolean;
}

/** Without a shell, a terminal or standard input, in its own process group. Rejects where it cannot be started. */
function run(
  { command, args, env, cwd, verbatim = false }: ProcessCommand,
  signal: AbortSignal,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: false,
      windowsVerbatimArguments: verbatim,
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const { stdout, stderr } = child;
    const texts = { stdout: '', stderr: '' };
    let tooLong = false;
    let drain: NodeJS.Timeout | undefined;
    const end = () => void endProcess(child, true);
    for (const [name, stream] of Object.entries({ stdout, stderr })) {
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        texts[name as keyof typeof texts] += piece;
        if (texts[name as keyof typeof texts].length <= MAX_BYTES) return;
        tooLong = true;
        end();
      });
    }
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    child.once('error', (error) => {
      signal.removeEventListener('abort', end);
      reject(error);
    });
    child.once('exit', () => {
      // what it left running may hold its pipes
      drain = setTimeout(() => {
        stdout?.destroy();
        stderr?.destroy();
      }, DRAIN_MS);
    });
    child.once('close', (code) => {
      clearTimeout(drain);
      signal.removeEventListener('abort', end);
      resolve({ code, ...texts, tooLong });
    });
  });
}
