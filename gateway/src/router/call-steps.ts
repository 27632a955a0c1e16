import type { CallStep, CallSteps, OpenStep, StepDetail, StepOutcome } from '../operations/index.ts';

/** Steps of one event: the first half and the last one of a longer story. */
const MOST = 40;
/** Steps that one call may hold in memory; further ones are only counted. */
const HELD = 1000;
/** Characters of one text of a detail. */
const TEXT = 120;
/** Characters that are looked at: a secret that begins in what is shown ends in it. */
const LOOKED_AT = 2000;

/** A call's recorder with its result. */
export interface CallRecorder extends CallSteps {
  /** What was noted so far, for the end event of the call. */
  told(redact?: (text: string) => string): {
    readonly steps: readonly CallStep[];
    readonly stepsLeftOut?: number;
  };
}

/**
 * One object a step, two looks at the clock, and the arithmetic once at the end: hundreds of calls a second pay for it.
 * @param began when the call began, in `performance.now()`
 */
export function createCallRecorder(began: number): CallRecorder {
  const steps: Step[] = [];
  let uncounted = 0;
  /** Depth of what the layer that was entered last does. */
  let inner = 0;
  const add = (step: Step): Step => {
    if (steps.length < HELD) steps.push(step);
    else uncounted++;
    return step;
  };
  return {
    enter(name, depth, core) {
      inner = depth + 1;
      return add(new Step(name, depth, core ? 'core' : 'layer', performance.now()));
    },
    note(name, started, outcome, detail, within = 0) {
      const step = add(new Step(name, inner + within, 'note', started));
      step.until = performance.now();
      step.outcome = outcome;
      step.detail = detail;
    },
    told(redact = (text) => text) {
      const whole = nested(steps, performance.now());
      const shown = whole.length <= MOST ? whole : [...whole.slice(0, MOST / 2), ...whole.slice(-MOST / 2)];
      const leftOut = whole.length - shown.length + uncounted;
      return {
        steps: shown.map((step) => step.told(began, redact)),
        ...(leftOut === 0 ? {} : { stepsLeftOut: leftOut }),
      };
    },
  };
}

class Step implements OpenStep {
  readonly name: string;
  readonly depth: number;
  readonly kind: 'layer' | 'core' | 'note';
  readonly from: number;
  /** Undefined while it goes on. */
  until: number | undefined;
  /** Milliseconds of its parts. */
  parts = 0;
  hasParts = false;
  /** The layer below it: how often it was entered, and how it ended last. */
  entered = 0;
  below: Step | undefined;
  code: string | undefined;
  outcome: StepOutcome | undefined;
  detail: StepDetail | undefined;

  constructor(name: string, depth: number, kind: Step['kind'], from: number) {
    this.name = name;
    this.depth = depth;
    this.kind = kind;
    this.from = from;
  }

  end(code?: string, detail?: StepDetail): void {
    this.until = performance.now();
    this.code = code;
    this.detail = detail;
  }

  told(began: number, redact: (text: string) => string): CallStep {
    const { name, depth } = this;
    const startMs = hundredths(this.from - began);
    const durationMs = hundredths(this.until! - this.from);
    const outcome = this.outcome ?? this.#outcome();
    const detail = this.#detail(redact);
    const step: CallStep = this.hasParts
      ? { name, depth, startMs, durationMs, ownMs: Math.max(0, hundredths(durationMs - this.parts)), outcome }
      : { name, depth, startMs, durationMs, outcome };
    return detail === undefined ? step : { ...step, detail };
  }

  #outcome(): StepOutcome {
    if (this.kind === 'core') return this.code === undefined ? 'answered' : 'failed';
    if (this.entered === 0) return this.code === undefined ? 'answered' : 'refused';
    return this.code !== undefined && this.below?.code === undefined ? 'failed' : 'passed';
  }

  #detail(redact: (text: string) => string): StepDetail | undefined {
    if (this.detail === undefined && this.code === undefined && this.entered <= 1) return undefined;
    const detail: Record<string, string | number> = {};
    // an error that came from further in is told there
    const told = this.kind === 'note' || (this.code !== undefined && this.#outcome() !== 'passed');
    if (told && this.code !== undefined) detail['code'] = this.code;
    // a shaped answer is put together from several pages
    if (this.entered > 1) detail['times'] = this.entered;
    for (const [name, value] of told ? Object.entries(this.detail ?? {}) : []) {
      detail[name] = typeof value === 'string' ? redact(value.slice(0, LOOKED_AT)).slice(0, TEXT) : value;
    }
    return Object.keys(detail).length === 0 ? undefined : detail;
  }
}

/** In the order in which they began, each with the time of its parts. */
function nested(noted: readonly Step[], now: number): readonly Step[] {
  const steps = [...noted].sort((one, other) => one.from - other.from || one.depth - other.depth);
  const open: Step[] = [];
  for (const step of steps) {
    step.parts = 0;
    step.entered = 0;
    step.hasParts = false;
    step.until ??= now;
    while (open.length > 0 && open.at(-1)!.depth >= step.depth) open.pop();
    const parent = open.at(-1);
    if (parent !== undefined) {
      parent.parts += step.until - step.from;
      parent.hasParts = true;
      if (step.kind !== 'note') {
        parent.entered++;
        parent.below = step;
      }
    }
    open.push(step);
  }
  return steps;
}

function hundredths(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
