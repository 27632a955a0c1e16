import { randomBytes } from 'node:crypto';
import { ToolcribError } from '../errors.ts';
import {
  type Access,
  type ApprovalDecision,
  type ApprovalPolicy,
  covers,
  type JsonObject,
  type Principal,
  type SkillConcern,
  type StandingApproval,
} from '../operations/index.ts';
import { queue } from '../operations/work/queue.ts';
import { isTakenBack } from '../operations/work/taken-back.ts';
import type { ApprovalNeed } from './policy.ts';
import { hiddenNote, previewOf, type Redact } from './preview.ts';
import type { ApprovalRecords, CallKey, SkillKey, StandingKey, StoredApproval } from './records.ts';
import { awaitDecision } from './wait.ts';

/** A call that needs a person's agreement. */
export interface AskedCall {
  readonly key: CallKey;
  readonly need: ApprovalNeed;
  readonly call: string;
  readonly source: string;
  readonly operation: string;
  readonly access: Access;
  readonly definition: string;
  /** As people may see them. */
  readonly arguments: JsonObject;
}

/** What the router asks of approvals: records by call, each used once. */
export interface ApprovalGate {
  policy(): ApprovalPolicy;
  /** The version of that policy. */
  policyHash(): string;
  /** A new question, committed with its event. Throws `overloaded` where the caller has too many open. */
  ask(asked: AskedCall): Promise<StoredApproval>;
  /** As it is now: what has expired says so. */
  get(id: string): Promise<StoredApproval | undefined>;
  /** What this call can go on with or must be told: approved before pending before ended. */
  find(key: CallKey): Promise<StoredApproval | undefined>;
  /** The person at the caller's client decides. Throws `approval_decided`, `approval_expired`. */
  decide(id: string, decision: ApprovalDecision, principal: Principal): Promise<void>;
  /**
   * Until it is decided, the time has passed or the caller goes away (`cancelled`). A call that its caller took back
   * takes its question with it, unless another one waits for it here.
   */
  decided(approval: StoredApproval, waitMs: number, signal: AbortSignal): Promise<StoredApproval | undefined>;
  /** Uses it up; undefined: another call did, or it is no longer good. */
  use(id: string, call: string): Promise<StoredApproval | undefined>;
  goOn(id: string, round: number, call: string): Promise<StoredApproval | undefined>;
  pause(id: string): Promise<void>;
  finish(approval: StoredApproval, state: 'executed' | 'failed', call: string): Promise<void>;
  /** It no longer fits. */
  void(approval: StoredApproval, message: string): Promise<void>;
  /** The person took it back before it was used. */
  withdraw(approval: StoredApproval): Promise<void>;
  tell(id: string): Promise<boolean>;
  standing(key: StandingKey): Promise<StandingApproval | undefined>;
  /** Whether a person agreed, for this principal, to the tool as it is now in this version of its skill. */
  agreed(key: Omit<SkillKey, 'skill'>, concern: SkillConcern): Promise<boolean>;
  /** Path of the page on which it is decided, `/approve/…`. Never for the model. */
  linkPath(approval: StoredApproval): Promise<string>;
}

/** What the gate shares with the channels. */
export interface GateParts {
  readonly records: ApprovalRecords;
  readonly policy: () => ApprovalPolicy;
  readonly policyHash: () => string;
  readonly redact: Redact;
  readonly now: () => number;
  readonly note: (
    type: 'approval-requested' | 'approval-decided' | 'approval-used' | 'approval-void',
    approval: StoredApproval,
    more?: { readonly call?: string; readonly message?: string },
  ) => Promise<void>;
  readonly current: (approval: StoredApproval) => Promise<StoredApproval>;
  readonly decide: (id: string, decision: ApprovalDecision, principal: Principal) => Promise<unknown>;
  readonly linkPath: (approval: StoredApproval) => Promise<string>;
}

const ORDER = ['approved', 'pending'];

/** Questions of one caller that are open at one time: nobody can be asked without end. */
const MOST_PENDING = 200;
/** Calls of one process that wait for a person at one time, and of one caller; beyond it nobody waits, but asks again. */
const MOST_WAITING = { all: 200, each: 50 };

export function createGate(parts: GateParts): ApprovalGate {
  const { records, policy, policyHash, redact, now, note, current } = parts;
  /** Of each call that waits now, its approval. */
  const waiting = new Set<Pick<StoredApproval, 'id' | 'principal' | 'organisation'>>();
  const inTurn = turnsByCaller();
  const withdraw: ApprovalGate['withdraw'] = async ({ id }) => {
    const ended = await records.end(id, ['pending', 'approved'], 'denied');
    if (ended !== undefined) await note('approval-decided', ended, { message: 'Taken back by the caller.' });
  };
  return {
    policy,
    policyHash,
    async ask({ key, need, call, arguments: args, ...facts }) {
      const createdAt = now();
      const { organisation, ...bound } = key;
      const whose = { principal: key.principal, organisation: organisation ?? null };
      const approval = await inTurn(key.principal, async () => {
        if ((await records.countPending(whose, createdAt)) >= MOST_PENDING) throw tooMany(key.principal);
        const clean = redact(args);
        const asked: StoredApproval = Object.freeze({
          ...bound,
          ...facts,
          ...(organisation === undefined ? {} : { organisation }),
          id: randomBytes(16).toString('hex'),
          state: 'pending',
          policy: policyHash(),
          preview: previewOf(clean),
          reason: need.reason + hiddenNote(args, clean),
          standing: need.standing,
          ...(need.skill === undefined ? {} : { skill: need.skill.agreement() }),
          createdAt,
          expiresAt: createdAt + policy().expiresMs,
          call,
          rounds: 0,
        });
        await records.insert(asked);
        return asked;
      });
      await note('approval-requested', approval, { call });
      return approval;
    },
    async get(id) {
      const approval = await records.get(id);
      return approval && current(approval);
    },
    async find(key) {
      const since = now() - 2 * policy().expiresMs;
      const found = await Promise.all((await records.findFor(key, since)).map(current));
      const rank = ({ state }: StoredApproval) =>
        (ORDER.indexOf(state) + ORDER.length + 1) % (ORDER.length + 1);
      return found.toSorted((a, b) => rank(a) - rank(b))[0];
    },
    decide: async (id, decision, principal) => void (await parts.decide(id, decision, principal)),
    async decided(asked, waitMs, signal) {
      const { id, principal, organisation } = asked;
      const mine = [...waiting].filter(
        (one) => one.principal === principal && one.organisation === organisation,
      ).length;
      const patience = mine < MOST_WAITING.each && waiting.size < MOST_WAITING.all ? waitMs : 0;
      const wait = { id, principal, ...(organisation === undefined ? {} : { organisation }) };
      waiting.add(wait);
      try {
        const approval = await awaitDecision(records, id, patience, signal, now);
        return approval && (await current(approval));
      } finally {
        waiting.delete(wait);
        const isShared = [...waiting].some((one) => one.id === id);
        if (isTakenBack(signal) && !isShared) {
          await withdraw(asked);
          // its caller knows: an equal call asks anew
          await records.tell(id, now());
        }
      }
    },
    use: (id, call) => records.use(id, call, now()),
    goOn: (id, round, call) => records.goOn(id, round, call),
    pause: async (id) => void (await records.pause(id)),
    async finish(approval, state, call) {
      const finished = await records.finish(approval.id, state);
      if (finished !== undefined) await note('approval-used', finished, { call });
    },
    async void(approval, message) {
      const ended = await records.end(approval.id, ['pending', 'approved'], 'stale');
      if (ended !== undefined) await note('approval-void', ended, { message });
    },
    withdraw,
    tell: (id) => records.tell(id, now()),
    standing: (key) => records.findStanding(key),
    async agreed({ principal, organisation, source }, concern) {
      const given = await records.findAgreements({ principal, organisation, source, skill: concern.skill });
      return given.some(({ skill }) => skill !== undefined && covers(skill, concern));
    },
    linkPath: parts.linkPath,
  };
}

/** Questions of one caller one after the other: each counts those that came with it. */
function turnsByCaller() {
  const turns = new Map<string, { asking: number; readonly take: ReturnType<typeof queue> }>();
  return async <T>(principal: string, work: () => Promise<T>): Promise<T> => {
    const turn = turns.get(principal) ?? { asking: 0, take: queue() };
    turns.set(principal, turn);
    turn.asking++;
    try {
      return await turn.take(work);
    } finally {
      if (--turn.asking === 0) turns.delete(principal);
    }
  };
}

function tooMany(principal: string): ToolcribError {
  return new ToolcribError(
    'overloaded',
    `${MOST_PENDING} calls of ${principal} wait for a person already; no further one is asked about.`,
    { next: 'Have the open approvals decided, or wait until they expire.' },
  );
}
