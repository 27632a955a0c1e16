import type { ApprovalNeed } from '../../approvals/policy.ts';
import { asToolcribError } from '../../errors.ts';
import type { Result } from '../../operations/index.ts';
import type { Layer } from '../compose.ts';
import type { Taint } from '../taint.ts';

const OURS =
  /^(?:approval_|budget_|credentials_|connection_|reconnect_|egress_|rate_|store_|deadline_|cancelled|overloaded|internal)/;

/** A failure of our own, with no word of the service in it. */
export function isOurFailure(error: unknown): boolean {
  return OURS.test(asToolcribError(error).code);
}

/**
 * Outside of approving: says on the call what its caller has read that makes an agreement needed, and remembers what
 * it reads now before it gets it. Without a policy it does nothing.
 */
export function taintLayer(taint: Taint): Layer {
  return async (call, next) => {
    if (!taint.active) return next(call);
    const tainted = await taint.reason(call);
    const asked = tainted === undefined ? call : { ...call, tainted };
    if (call.dryRun) return next(asked);
    let result: Result;
    try {
      result = await next(asked);
    } catch (error) {
      if (!isOurFailure(error)) await taint.mark(call);
      throw error;
    }
    try {
      await taint.mark(call);
    } catch (error) {
      // a read whose trace is lost is not delivered; what was written stays written
      if (call.operation.access === 'read') throw error;
    }
    return result;
  };
}

/** What a person is asked for: each time anew, since nobody knows what the next content will ask for. */
export function taintedNeed(
  need: ApprovalNeed | undefined,
  tainted: string | undefined,
): ApprovalNeed | undefined {
  if (tainted === undefined) return need;
  return { reason: need === undefined ? tainted : `${need.reason} ${tainted}`, standing: 'never' };
}
