import { type ErrorCode, isToolcribError } from '../../errors.ts';
import type { Call, CompletedResult, Result } from '../../operations/index.ts';
import type { Taken } from '../budget-counters.ts';
import type { Budgets } from '../budgets.ts';
import type { Layer, Next } from '../compose.ts';

/** The call never left: it is given back. Whatever may have been sent stays counted. */
const NOTHING_SENT: ReadonlySet<ErrorCode> = new Set([
  'upstream_unreachable',
  'upstream_unavailable',
  'connection_suspended',
  'overloaded',
  'credentials_missing',
  'connection_missing',
  'reconnect_required',
  'authorization_required',
  'acting_user_missing',
  'path_blocked',
  'isolation_unavailable',
]);

/**
 * Takes from every budget that covers the call before it is made, all of them or none, and counts the bytes of its
 * answer afterwards. A dry run costs nothing. Every round of a call that asks its client something is a call.
 * @param fault told when an answer could not be counted; the answer goes out all the same
 */
export function budgetLayer(budgets: Budgets, fault: (error: unknown, call: Call) => void): Layer {
  return (call, next) => {
    if (call.dryRun) return next(call);
    const charges = budgets.charges(call);
    return charges.length === 0 ? next(call) : spend(budgets, charges, call, next, fault);
  };
}

async function spend(
  budgets: Budgets,
  charges: ReturnType<Budgets['charges']>,
  call: Call,
  next: Next,
  fault: (error: unknown, call: Call) => void,
): Promise<Result> {
  const taken = await budgets.reserve(charges);
  const settled = (work: Promise<void> | undefined) => work?.catch((error: unknown) => fault(error, call));
  let result: Result;
  try {
    result = await next(call);
  } catch (error) {
    if (isToolcribError(error) && NOTHING_SENT.has(error.code)) await settled(budgets.giveBack(taken));
    throw error;
  }
  if (result.kind === 'completed') await settled(settle(budgets, taken, result));
  return result;
}

function settle(
  budgets: Budgets,
  taken: readonly Taken[],
  result: CompletedResult,
): Promise<void> | undefined {
  if (result.error !== undefined && NOTHING_SENT.has(result.error.code)) return budgets.giveBack(taken);
  const counting = taken.filter(({ charge }) => charge.terms.bytes !== undefined);
  return counting.length === 0 ? undefined : budgets.addBytes(counting, sizeOf(result));
}

/** Bytes of what the caller gets, as JSON. */
function sizeOf({ content, structured }: CompletedResult): number {
  return Buffer.byteLength(JSON.stringify({ content, structured }));
}
