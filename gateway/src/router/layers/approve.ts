import { readAnswer } from '../../approvals/elicitation.ts';
import type { StoredApproval } from '../../approvals/records.ts';
import { isToolcribError } from '../../errors.ts';
import type { Result } from '../../operations/index.ts';
import type { Layer } from '../compose.ts';
import { withoutWriteOnly } from '../write-only.ts';
import {
  type ApproveOptions,
  type Asked,
  changeSince,
  fitsCall,
  isCallers,
  isStanding,
  keyOf,
} from './approve/asked.ts';
import { carryOut, goOn } from './approve/carry-out.ts';
import { createDefinitions, definitionFor } from './approve/definition.ts';
import { required, unusable } from './approve/errors.ts';
import { questionFor } from './approve/question.ts';
import { type ApprovalState, stateOf } from './approve/request-state.ts';
import { wouldAsk } from './approve/results.ts';

/** How long an opened page may take where the policy names no time, milliseconds. */
const PAGE_MS = 5 * 60 * 1000;

/**
 * Nothing that needs a person's agreement goes further without it. An agreement is a record, bound to principal, tool,
 * definition, arguments and policy, and used by exactly one call. No argument is looked at for one.
 */
export function approveLayer(options: ApproveOptions): Layer {
  const { needs, approvals: gate } = options;
  const now = options.now ?? Date.now;
  const definitionOf = createDefinitions();
  return async (call, next) => {
    const need = needs(call);
    const asked = call.dryRun ? undefined : stateOf(call.channel.requestState);
    const given = call.dryRun ? undefined : call.channel.approval;
    if (need === undefined && asked === undefined && given === undefined) return next(call);
    const at: Asked = {
      ...options,
      call,
      next,
      need,
      began: now(),
      now,
      definitionOf,
      definition: definitionFor(definitionOf, call, need),
      key: keyOf(call),
    };
    if (call.dryRun) return wouldAsk(await next(call), (await isStanding(at)) ? undefined : need?.reason);
    if (asked !== undefined) return answered(at, asked);
    if (given !== undefined) return named(at, given);
    const open = await gate.find(at.key);
    // what was approved for this very call is used first: it must not outlive a standing approval
    if (open?.state !== 'approved' && (await isStanding(at))) return next(call);
    return open === undefined ? ask(at) : settle(at, open);
  };
}

/** A question of its own for this call. */
async function ask(at: Asked): Promise<Result> {
  const { call, key, need, definition } = at;
  const { operation } = call;
  if (need === undefined) return at.next(call);
  await at.ready?.(call);
  const approval = await at.approvals.ask({
    key,
    need,
    definition,
    call: call.id,
    source: operation.source,
    operation: operation.id,
    access: operation.access,
    arguments: withoutWriteOnly(call.arguments, operation.input),
  });
  // somebody agreed to its skill after this call had looked, and did not see its question
  if (need.standing === 'skill' && (await isStanding(at))) {
    await at.approvals.void(approval, 'Its skill was agreed to meanwhile.');
    await at.approvals.tell(approval.id);
    return at.next(call);
  }
  return pending(at, approval);
}

/** To a person: through the client where it can ask one, else through whatever channel while the call waits. */
async function pending(at: Asked, approval: StoredApproval): Promise<Result> {
  const { call, approvals } = at;
  const question = await questionFor(at, approval);
  if (question !== undefined) return question;
  return waited(at, approval, call.channel.waitMs ?? approvals.policy().waitMs);
}

/** A call that can go on as a task waits as long as its question is open. */
async function waited(at: Asked, approval: StoredApproval, waitMs: number): Promise<Result> {
  const isTask = await at.call.channel.becomeTask?.(
    `Waits for a person's decision on approval ${approval.id}: ${approval.reason}`,
  );
  const patience = isTask ? Math.max(waitMs, approval.expiresAt - at.now()) : waitMs;
  if (patience <= 0) return required(approval);
  const began = performance.now();
  const decided = await at.approvals.decided(approval, patience, at.call.signal);
  at.call.facts?.steps?.note('person', began, decided?.state === 'approved' ? 'answered' : 'refused', {
    approval: approval.id,
    state: decided?.state ?? 'pending',
  });
  if (decided === undefined || decided.state === 'pending') return required(approval);
  return settle(at, decided);
}

/** The client came back with the state of our question, or of one that the tool itself asked meanwhile. */
async function answered(at: Asked, state: ApprovalState): Promise<Result> {
  const { approvals, call } = at;
  const approval = await approvals.get(state.id);
  if (approval === undefined || !isCallers(approval, at)) return unusable('approval_unknown', state.id);
  if (!fitsCall(approval, at)) return unusable('approval_void', state.id, 'it was given for another call');
  if (state.round !== undefined) return goOn(at, approval, state.round, state);
  const answer = readAnswer(call.channel.inputResponses, state.asked, approval.preview);
  const rejects = answer.kind === 'decision' && answer.decision.decision === 'reject';
  if (approval.state !== 'pending') {
    // takes back what somebody else approved; what has ended stays as it is
    if (rejects) await approvals.withdraw(approval);
    return settle(at, (await approvals.get(state.id)) ?? approval);
  }
  // who could agree when the question went out may not any more
  if (approvals.policy().elicitation === 'off' && !rejects) return pending(at, approval);
  switch (answer.kind) {
    case 'decision':
      await approvals.decide(approval.id, answer.decision, call.principal).catch((error: unknown) => {
        // somebody else was faster: what they decided counts
        if (!isToolcribError(error) || !DECIDED.has(error.code)) throw error;
      });
      return settle(at, (await approvals.get(state.id)) ?? approval);
    case 'opened':
      return waited(at, approval, Math.max(approvals.policy().waitMs, PAGE_MS));
    case 'dismissed':
      return required(approval);
    default:
      return pending(at, approval);
  }
}

const DECIDED: ReadonlySet<string> = new Set(['approval_decided', 'approval_expired']);

/** The caller names an approval that it was told of. */
async function named(at: Asked, id: string): Promise<Result> {
  const approval = await at.approvals.get(id);
  if (approval === undefined || !isCallers(approval, at)) return unusable('approval_unknown', id);
  if (at.need !== undefined && fitsCall(approval, at)) return settle(at, approval);
  const what = at.need === undefined ? 'the policy changed' : 'it was given for another call';
  // what a person agreed to is not kept for a caller who now wants something else
  const open = approval.state === 'approved' || (approval.state === 'pending' && at.need === undefined);
  if (open) await at.approvals.void(approval, `Named by a call: ${what}.`);
  return unusable('approval_void', id, what);
}

/** What the state of an approval means for the call. Ends are told once: after that an equal call asks anew. */
async function settle(at: Asked, approval: StoredApproval): Promise<Result> {
  const { approvals, call } = at;
  switch (approval.state) {
    case 'approved':
      return useUp(at, approval);
    case 'pending':
      return stillFits(at, approval);
    case 'denied':
      return tell(at, approval, 'approval_rejected');
    case 'expired':
      return tell(at, approval, 'approval_expired');
    case 'stale':
      return tell(at, approval, 'approval_void');
    default:
      return call.channel.approval === undefined && stateOf(call.channel.requestState) === undefined
        ? ask(at)
        : unusable('approval_void', approval.id, 'it was used before');
  }

  async function tell(
    asked: Asked,
    ended: StoredApproval,
    code: 'approval_rejected' | 'approval_expired' | 'approval_void',
  ): Promise<Result> {
    const first = await approvals.tell(ended.id);
    const repeated = call.channel.approval === undefined && stateOf(call.channel.requestState) === undefined;
    if (!first && repeated) return ask(asked);
    const changed = code === 'approval_void' ? 'the tool, its arguments or the policy changed' : '';
    return unusable(code, ended.id, ended.note ?? changed);
  }
}

/** A person is asked about the call as it is now: where tool or policy changed meanwhile, the question is a new one. */
async function stillFits(at: Asked, approval: StoredApproval): Promise<Result> {
  const { approvals, call } = at;
  const changed = changeSince(at, approval, at.definition);
  if (changed === undefined) {
    await at.ready?.(call);
    return pending(at, approval);
  }
  await approvals.void(approval, `Void: ${changed}.`);
  await approvals.tell(approval.id);
  if (call.channel.approval !== undefined || stateOf(call.channel.requestState) !== undefined) {
    return unusable('approval_void', approval.id, changed);
  }
  return ask(at);
}

/** Looks at everything again, takes the approval for this call and for no other, and carries the call out. */
async function useUp(at: Asked, approval: StoredApproval): Promise<Result> {
  const { approvals } = at;
  const fresh = await at.reauthorise(at.call);
  const changed = changeSince(at, approval, definitionFor(at.definitionOf, fresh, at.needs(fresh)));
  if (changed !== undefined) {
    await approvals.void(approval, `Void: ${changed}.`);
    await approvals.tell(approval.id);
    return unusable('approval_void', approval.id, changed);
  }
  const used = await approvals.use(approval.id, fresh.id);
  if (used === undefined) {
    // given from now on, it serves the others that came for it as well
    if (await isStanding(at)) return at.next(fresh);
    const now = (await approvals.get(approval.id)) ?? approval;
    if (now.state === 'expired') return settle(at, now);
    return unusable('approval_void', approval.id, 'another call used it');
  }
  return carryOut(at, fresh, used);
}
