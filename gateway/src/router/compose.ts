import { isToolcribError } from '../errors.ts';
import type { Call, OpenStep, Result, StepDetail } from '../operations/index.ts';

export type Next = (call: Call) => Promise<Result>;

/** One check or service around a call. Calls `next` once (shaping: once a page), or answers by itself. */
export type Layer = (call: Call, next: Next) => Promise<Result>;

/** A layer whose time and outcome stand in the story of the call. */
export interface NamedLayer {
  readonly name: string;
  readonly layer: Layer;
}

/**
 * The onion: the first layer is the outermost. What has a name is a step of every call that has a recorder
 * (`call.facts.steps`).
 * @param coreName what the core is called among the steps; absent: it is none
 */
export function compose(layers: ReadonlyArray<Layer | NamedLayer>, core: Next, coreName?: string): Next {
  let depth = layers.filter((layer) => typeof layer !== 'function').length;
  const innermost = coreName === undefined ? core : asStep(coreName, depth, core, true);
  return layers.reduceRight<Next>((next, layer) => {
    if (typeof layer === 'function') return (call) => layer(call, next);
    depth--;
    return asStep(layer.name, depth, (call) => layer.layer(call, next), false);
  }, innermost);
}

function asStep(name: string, depth: number, run: Next, core: boolean): Next {
  return (call) => {
    const steps = call.facts?.steps;
    if (steps === undefined) return run(call);
    const step = steps.enter(name, depth, core);
    let answer: Promise<Result>;
    try {
      answer = run(call);
    } catch (error) {
      throw ended(step, error);
    }
    return answer.then(
      (result) => {
        if (result.kind === 'completed' && result.error !== undefined) {
          step.end(result.error.code, detailOf(result.error));
        } else step.end();
        return result;
      },
      (error: unknown) => {
        throw ended(step, error);
      },
    );
  };
}

function ended(step: OpenStep, error: unknown): unknown {
  step.end(isToolcribError(error) ? error.code : 'internal', detailOf(error));
  return error;
}

/** Members of an error's details that say which of several refused. */
const TELLING = ['approval', 'budget', 'connection', 'until', 'retryAfterMs', 'attempts'] as const;

function detailOf(error: unknown): StepDetail | undefined {
  const details = (error as { readonly details?: Readonly<Record<string, unknown>> } | undefined)?.details;
  if (details === undefined) return undefined;
  const told: Record<string, string | number> = {};
  for (const name of TELLING) {
    const value = details[name];
    if (typeof value === 'string' || typeof value === 'number') told[name] = value;
  }
  return told;
}
