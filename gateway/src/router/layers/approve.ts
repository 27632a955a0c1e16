import { formQuestion, QUESTION, readAnswer, urlQuestion, waysToAsk } from '../../approvals/elicitation.ts';
import type { ApprovalGate } from '../../approvals/gate.ts';
import type { ApprovalNeed } from '../../approvals/policy.ts';
import { applyEdit } from '../../approvals/preview.ts';
import type { CallKey, StoredApproval } from '../../approvals/records.ts';
import { isToolcribError } from '../../errors.ts';
import { type Call, canonicalHash, type JsonObject, type Result } from '../../operations/index.ts';
import { withoutWriteOnly } from '../../operations/write-only.ts';
import type { Layer, Next } from '../compose.ts';
import { createDefinitions, type DefinitionOf } from './approve/definition.ts';
import { required, unusable } from './approve/errors.ts';
import { type ApprovalState, sealInner, stateOf } from './approve/request-state.ts';
import { edited, unrecorded, wouldAsk } from './approve/results.ts';

export interface ApproveOptions {
  /** Whether a person must agree, and why. */
  readonly needs: (call: Call) => ApprovalNeed | undefined;
  readonly approvals: ApprovalGate;
  /** The same call with what its principal may do now. Throws what authorising throws. */
  readonly reauthorise: (call: Call) => Promise<Call>;
  /** Throws `arguments_invalid`. */
  readonly validate: (args: JsonObject, call: Call) => void;
  /** Where the page of a link is served, e.g. `https://tools.acme.com`; undefined: nowhere. */
  readonly linkBase?: () => string | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

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
    if (call.dryRun) return wouldAsk(await next(call), need?.reason);
    const asked = stateOf(call.channel.requestState);
    if (need === undefined && asked === undefined && call.channel.approval === undefined) return next(call);
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
    if (asked !== undefined) return answered(at, asked);
    if (call.channel.approval !== undefined) return named(at, call.channel.approval);
    const open = await gate.find(at.key);
    // what was approved for this very call is used first: it must not outlive a standing approval
    if (open?.state !== 'approved' && (await isStanding(at))) return next(call);
    return open === undefined ? ask(at) : settle(at, open);
  };
}

/** One call on its way through the layer. */
interface Asked extends ApproveOptions {
  readonly call: Call;
  readonly next: Next;
  readonly need: ApprovalNeed | undefined;
  readonly began: number;
  readonly now: () => number;
  readonly definitionOf: DefinitionOf;
  readonly definition: string;
  readonly key: CallKey;
}

function keyOf({ principal, run, tool, operation, arguments: args }: Call): CallKey {
  return {
    principal: principal.id,
    organisation: principal.organisation,
    run: run ?? '',
    tool,
    source: operation.source,
    operation: operation.id,
    argumentsHash: canonicalHash(args),
  };
}

/** Where a skill is a reason to ask, a person also agrees to how it is isolated. */
function definitionFor(definitionOf: DefinitionOf, call: Call, need: ApprovalNeed | undefined): string {
  const definition = definitionOf(call);
  if (need?.skill === undefined) return definition;
  return canonicalHash({ definition, isolated: need.skill.isolated });
}

async function isStanding({ approvals, key, definition, need }: Asked): Promise<boolean> {
  if (need === undefined || need.standing === 'never') return false;
  if (need.standing === 'skill') return need.skill !== undefined && approvals.agreed(key, need.skill);
  const standing = await approvals.standing({ ...key, definition });
  return standing !== undefined && (need.standing === 'tool' || standing.argumentsHash !== undefined);
}

/** A question of its own for this call. */
async function ask(at: Asked): Promise<Result> {
  const { call, key, need, definition } = at;
  const { operation } = call;
  if (need === undefined) return at.next(call);
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
  const waitMs = call.channel.waitMs ?? approvals.policy().waitMs;
  return waitMs > 0 ? waited(at, approval, waitMs) : required(approval);
}

async function waited(at: Asked, approval: StoredApproval, waitMs: number): Promise<Result> {
  const decided = await at.approvals.decided(approval, waitMs, at.call.signal);
  if (decided === undefined || decided.state === 'pending') return required(approval);
  return settle(at, decided);
}

async function questionFor(at: Asked, approval: StoredApproval): Promise<Result | undefined> {
  const { call, approvals } = at;
  const { elicitation } = approvals.policy();
  const ways = elicitation === 'off' ? undefined : waysToAsk(call.channel.clientCapabilities);
  if (ways === undefined) return undefined;
  const base = ways.url && (elicitation === 'url' || !ways.form) ? at.linkBase?.() : undefined;
  if (base === undefined && !ways.form) return undefined;
  const request =
    base === undefined
      ? formQuestion(approval)
      : urlQuestion(approval, new URL(await approvals.linkPath(approval), base).href);
  return {
    kind: 'input_required',
    requests: { [QUESTION]: request },
    state: sealInner({ id: approval.id, asked: base === undefined ? 'form' : 'url' }),
  };
}

/** The client came back with the state of our question, or of one that the tool itself asked meanwhile. */
async function answered(at: Asked, state: ApprovalState): Promise<Result> {
  const { approvals, call } = at;
  const approval = await approvals.get(state.id);
  if (approval === undefined || !isCallers(approval, at)) return unusable('approval_unknown', state.id);
  if (!fitsCall(approval, at)) return unusable('approval_void', state.id, 'it was given for another call');
  if (state.round !== undefined) return goOn(at, approval, state.round, state);
  if (approval.state !== 'pending') {
    const answer = readAnswer(call.channel.inputResponses, state.asked);
    if (
      approval.state === 'approved' &&
      answer.kind === 'decision' &&
      answer.decision.decision === 'reject'
    ) {
      await approvals.withdraw(approval);
    }
    return settle(at, (await approvals.get(state.id)) ?? approval);
  }
  const answer = readAnswer(call.channel.inputResponses, state.asked);
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
    return unusable(code, ended.id, ended.note ?? 'the tool, its arguments or the policy changed');
  }
}

/** A person is asked about the call as it is now: where tool or policy changed meanwhile, the question is a new one. */
async function stillFits(at: Asked, approval: StoredApproval): Promise<Result> {
  const { approvals, call } = at;
  const changed = changeSince(at, approval, at.definition);
  if (changed === undefined) return pending(at, approval);
  await approvals.void(approval, `Void: ${changed}.`);
  await approvals.tell(approval.id);
  if (call.channel.approval !== undefined || stateOf(call.channel.requestState) !== undefined) {
    return unusable('approval_void', approval.id, changed);
  }
  return ask(at);
}

/** Why an approval no longer fits the tool or the policy; undefined: it does. */
function changeSince(at: Asked, approval: StoredApproval, definition: string): string | undefined {
  if (definition !== approval.definition) return 'the tool or its account changed';
  return at.approvals.policyHash() === approval.policy ? undefined : 'the policy changed';
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
    const now = (await approvals.get(approval.id)) ?? approval;
    if (now.state === 'expired') return settle(at, now);
    return unusable('approval_void', approval.id, 'another call used it');
  }
  return carryOut(at, fresh, used);
}

/** The same use of it, after a question that the tool put to its client. Each round goes on once. */
async function goOn(
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
async function carryOut(at: Asked, call: Call, used: StoredApproval): Promise<Result> {
  const { approvals } = at;
  if (call.facts !== undefined) call.facts.approval = used.id;
  const deadline = call.deadline + (at.now() - at.began);
  let result: Result;
  try {
    let args = call.arguments;
    if (used.edited !== undefined) {
      args = applyEdit(call.arguments, used.preview, used.edited);
      at.validate(args, call);
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

function isCallers({ principal, organisation }: StoredApproval, { key }: Asked): boolean {
  return principal === key.principal && organisation === key.organisation;
}

function fitsCall({ tool, argumentsHash }: StoredApproval, { key }: Asked): boolean {
  return tool === key.tool && argumentsHash === key.argumentsHash;
}
