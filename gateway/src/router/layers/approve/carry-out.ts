import { applyEdit } from '../../../approvals/apply-edit.ts';
import type { StoredApproval } from '../../../approvals/records.ts';
import type { Call, Result } from '../../../operations/index.ts';
import type { Asked } from './asked.ts';
import { unusable } from './errors.ts';
import { type ApprovalState, sealInner } from './request-state.ts';
import { edited, unrecorded } from './results.ts';

/** The same use of it, after a question that the tool put to its client. Each round goes on once. */
export async function goOn(
  at: Asked,
  approval: StoredApproval,
  round: number,
  { inner }: ApprovalState,
): Promise<Result> {
  const { approvals, call } = at;
  if (approval.definition !== at.definition) {
    await approvals.finish(approval, 'failed', call.id);
    return unusable('approval_void', approval.id, 'the tool or its account changed');
  }
  const going = await approvals.goOn(approval.id, round, call.id);
  if (going === undefined) return unusable('approval_void', approval.id, 'its call went on before');
  const { requestState: _ours, ...channel } = call.channel;
  const fresh = {
    ...call,
    channel: { ...channel, ...(inner === undefined ? {} : { requestState: inner }) },
  };
  return carryOut(at, fresh, going);
}

/** The deadline starts anew: what a person took for thinking is not the tool's. */
export async function carryOut(at: Asked, call: Call, used: StoredApproval): Promise<Result> {
  const { approvals } = at;
  if (call.facts !== undefined) call.facts.approval = used.id;
  const deadline = call.deadline + (at.now() - at.began);
  let result: Result;
  try {
    let args = call.arguments;
    if (used.edited !== undefined) {
      args = applyEdit(call.arguments, used.preview, used.edited);
      at.validate(args, call);
      if (call.facts !== undefined) call.facts.edited = args;
    }
    result = await at.next({ ...call, arguments: args, deadline, approval: used.id });
  } catch (error) {
    await approvals.finish(used, 'failed', call.id).catch(() => undefined);
    throw error;
  }
  if (result.kind === 'input_required') {
    await approvals.pause(used.id);
    const state = {
      id: used.id,
      round: used.rounds,
      asked: 'form' as const,
      ...(result.state === undefined ? {} : { inner: result.state }),
    };
    return { ...result, state: sealInner(state) };
  }
  const shown = used.edited === undefined ? result : edited(result, used);
  try {
    await approvals.finish(used, result.error === undefined ? 'executed' : 'failed', call.id);
    return shown;
  } catch (error) {
    return unrecorded(shown, error);
  }
}
