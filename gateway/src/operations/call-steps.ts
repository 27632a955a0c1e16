/**
 * How a step went. `passed`: it let the call through, whatever became of it further in; `answered`: by itself;
 * `refused`: it ended the call before going on; `failed`: while it worked.
 */
export type StepOutcome = 'passed' | 'answered' | 'refused' | 'failed';

/** What a step tells beside its times: codes, ids, names of kinds and counts; never arguments, texts of services or secrets. */
export type StepDetail = Readonly<Record<string, string | number>>;

/** One thing that the gateway did for a call: a layer of the router, a wait, an attempt at a request. */
export interface CallStep {
  /** `authorise`, `approve`, `execute` …; within `execute`: `limit`, `credentials`, `attempt`, `rate`, `normalise`. */
  readonly name: string;
  /** How far within the others: the steps behind it with a larger one, up to the next that is as large, are parts of it. */
  readonly depth: number;
  /** After the call began, milliseconds. */
  readonly startMs: number;
  readonly durationMs: number;
  /** Of that, what its parts did not take; absent: all. */
  readonly ownMs?: number;
  readonly outcome: StepOutcome;
  readonly detail?: StepDetail;
}

/** A step that has begun. */
export interface OpenStep {
  /** @param code of the error that it ended with */
  end(code?: string, detail?: StepDetail): void;
}

/** Notes what is done for one call while it is done. Times are of `performance.now()`. */
export interface CallSteps {
  /** A layer begins. `core`: the innermost one, which what follows is a part of. */
  enter(name: string, depth: number, core: boolean): OpenStep;
  /**
   * Something that the layer which was entered last did, ended now; without one, what was done before all of them.
   * @param started when it began
   * @param within parts of a part: 1
   */
  note(name: string, started: number, outcome: StepOutcome, detail?: StepDetail, within?: number): void;
}
