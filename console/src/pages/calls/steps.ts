import type { CallStep } from '../../../../gateway/src/operations/index.ts';

/** A step as the waterfall draws it. */
export interface ShownStep {
  readonly step: CallStep;
  /** Its place in the story, which tells it from others of its name. */
  readonly index: number;
  /** How far it is indented: steps that are not shown leave no hole. */
  readonly level: number;
  /** Of the whole, per cent. */
  readonly left: number;
  readonly width: number;
}

export interface Waterfall {
  readonly shown: readonly ShownStep[];
  /** Layers that only let the call through, and how long they took for it together. */
  readonly quiet: { readonly count: number; readonly milliseconds: number };
  /** Length of the time axis, milliseconds. */
  readonly total: number;
}

/** A bar that is narrower is not seen. */
const NARROWEST = 0.6;
/** What took less, or less than this part of the call, and let it through, is nothing to look at. */
const QUIET_MS = 1;
const QUIET_PART = 0.02;

/** @param whole also the layers that only let the call through */
export function waterfall(
  steps: readonly CallStep[],
  durationMs: number | undefined,
  whole: boolean,
): Waterfall {
  const total = Math.max(
    durationMs ?? 0,
    ...steps.map(({ startMs, durationMs: took }) => startMs + took),
    0.01,
  );
  const quiet = steps.filter((step) => isQuiet(step, total));
  const kept = steps
    .map((step, index) => ({ step, index }))
    .filter(({ step }) => whole || !isQuiet(step, total));
  const levels = [...new Set(kept.map(({ step }) => step.depth))].sort((one, other) => one - other);
  return {
    total,
    quiet: { count: quiet.length, milliseconds: quiet.reduce((sum, step) => sum + ownOf(step), 0) },
    shown: kept.map(({ step, index }) => {
      const left = Math.min(100 - NARROWEST, (step.startMs / total) * 100);
      const width = Math.max(NARROWEST, Math.min(100 - left, (step.durationMs / total) * 100));
      return { step, index, level: levels.indexOf(step.depth), left, width };
    }),
  };
}

/** What a step took by itself, milliseconds. */
export function ownOf({ ownMs, durationMs }: CallStep): number {
  return ownMs ?? durationMs;
}

function isQuiet(step: CallStep, total: number): boolean {
  const own = ownOf(step);
  return (
    step.outcome === 'passed' && step.detail === undefined && (own < QUIET_MS || own < total * QUIET_PART)
  );
}

const WORDS: Readonly<Record<string, string>> = {
  record: 'Record the start',
  authorise: 'Authorise',
  shape: 'Shape the answer',
  advise: 'Advise',
  'validate arguments': 'Check arguments',
  taint: 'Taint',
  approve: 'Approval',
  person: 'Wait for a person',
  budget: 'Budget',
  'validate output': 'Check output',
  deadline: 'Deadline',
  execute: 'Carry out',
  answer: 'Answer',
  limit: 'Wait for a place',
  credentials: 'Credentials',
  rate: 'Wait for the rate limit',
  normalise: 'Put the answer in order',
};

/** `Attempt 2`, `Check arguments`; a name that is new here as it is. */
export function nameOf({ name, detail }: CallStep): string {
  if (name === 'attempt' && detail?.['attempt'] !== undefined) return `Attempt ${detail['attempt']}`;
  return WORDS[name] ?? name;
}

/** What a step tells beside its name, in words. */
export function detailOf({ name, detail = {} }: CallStep): string {
  const { attempt: _shown, status, failure, code, kind, times, waitedMs, because, ...others } = detail;
  return [
    status === undefined ? '' : `status ${status}`,
    failure === undefined ? '' : String(failure).replaceAll('_', ' '),
    code === undefined ? '' : String(code),
    kind === undefined ? '' : name === 'credentials' ? `${kind}` : `by ${kind}`,
    times === undefined ? '' : `${times} pages`,
    waitedMs === undefined ? '' : `after ${Math.round(Number(waitedMs))} ms`,
    because === undefined ? '' : `because of ${because}`,
    ...Object.entries(others)
      .filter(([member]) => member !== 'approval')
      .map(([member, value]) => `${member} ${value}`),
  ]
    .filter(Boolean)
    .join(', ');
}
