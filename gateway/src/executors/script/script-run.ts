import type { Json } from '../../operations/index.ts';

/** One start of a program. */
export interface ScriptRun {
  /** Absolute, or a name that is looked for in the `PATH` of the environment. */
  readonly program: string;
  /** Each item is one argument; there is no shell. */
  readonly args: readonly string[];
  /** Working folder, absolute. */
  readonly cwd: string;
  /** Added to the little that every program gets: see `scriptEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  /** Written, then closed. Absent: there is nothing to read. */
  readonly stdin?: string;
  readonly timeoutMs: number;
  /** Of each stream, bytes. More on stdout ends the run; more on stderr is read and dropped. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  /** Called for each line of stderr, cleaned and cut, a hundred at most. */
  readonly onLine?: (line: string) => void;
  /** Takes out of every text what nobody may see. */
  readonly conceal?: (text: string, from: 'stdout' | 'stderr') => string;
  readonly isolation: ScriptIsolation;
}

/** What the program can reach; `none`: what this process can. */
export type ScriptIsolation =
  | 'none'
  | {
      readonly network: boolean;
      /** Absolute, beside the working folder and the system. */
      readonly read: readonly string[];
      readonly write: readonly string[];
    };

/**
 * `ok`: exit code 0. `killed`: by a signal that was not ours. `output_limit`: it wrote more than allowed and was ended.
 * `spawn_failed`: nothing of it ran. `cancelled`: whoever asked for it went away.
 */
export type ScriptClass =
  | 'ok'
  | 'exit_nonzero'
  | 'timeout'
  | 'output_limit'
  | 'spawn_failed'
  | 'killed'
  | 'cancelled';

export interface ScriptOutcome {
  readonly class: ScriptClass;
  readonly exitCode?: number;
  readonly signal?: NodeJS.Signals;
  /** What was kept of it. Bytes that are no UTF-8 are replaced. */
  readonly stdout: string;
  readonly stderr: string;
  /** Some bytes of stdout are no UTF-8. */
  readonly replaced?: true;
  /** Of stdout, where it is whole, UTF-8, JSON (RFC 8259) and nothing else. */
  readonly json?: Json;
  /** Text of `json` where a number of it does not fit a double. */
  readonly exactJson?: string;
  readonly stdoutCut: boolean;
  readonly stderrCut: boolean;
  /** Why it could not be started. */
  readonly problem?: string;
  readonly durationMs: number;
}
