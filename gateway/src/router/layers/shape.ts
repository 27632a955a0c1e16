import type { Call, Result, ShapedCall } from '../../operations/index.ts';
import type { Layer, Next } from '../compose.ts';

/** Makes a call through `next`, once a page, and shapes what comes back (`results/shaping`). */
export type ShapedRun = (call: Call, shaped: ShapedCall, next: Next) => Promise<Result>;

/**
 * Right inside of authorising, so that each page is a call that is validated, approved and counted. It adds limits and a
 * cursor's arguments, and the answer that further layers out see is the shaped one. Dry runs and failures stay as they are.
 */
export function shapeLayer(run: ShapedRun): Layer {
  return (call, next) => {
    const { shaped, dryRun, problem } = call;
    return shaped === undefined || dryRun || problem !== undefined ? next(call) : run(call, shaped, next);
  };
}
