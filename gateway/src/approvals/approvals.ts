import { ToolcribError } from '../errors.ts';
import type {
  Approval,
  ApprovalDecision,
  ApprovalEvent,
  ApprovalPolicy,
  JsonObject,
  StandingApproval,
} from '../operations/index.ts';
import type { Store } from '../store/store.ts';
import { eventOf, revokedEvent } from './approval-events.ts';
import { type ApprovalPage, createPages, type ListQuery, scopeOf } from './approval-pages.ts';
import { createDecide } from './decide-approval.ts';
import { checkDecider, type Decider, isApprover, maySee, unknownApproval, type Viewer } from './deciders.ts';
import { type FormFields, readForm } from './decision.ts';
import { type ApprovalGate, createGate, type GateParts } from './gate.ts';
import { readLink, signLink } from './links.ts';
import { createMemoryRecords } from './memory-records.ts';
import { policyHash } from './policy.ts';
import type { Redact } from './preview.ts';
import type { ApprovalRecords, StoredApproval } from './records.ts';
import { checkPending, publicApproval, type ShownApproval } from './shown-approval.ts';
import { endApproved } from './standing.ts';
import { createStoreRecords } from './store-records.ts';

export interface ApprovalsOptions {
  /** Absent: kept in memory, for this process only. */
  readonly store?: Store | undefined;
  /** As it is now: the configuration may be exchanged while running. */
  readonly policy: () => ApprovalPolicy;
  /** Commits a fact. Rejects with `store_unavailable`. */
  readonly record: (event: ApprovalEvent) => Promise<unknown>;
  readonly redact: Redact;
  /** Whether edited arguments fit the tool, where that is known. Throws `arguments_invalid`. */
  readonly checkEdit?: (approval: Approval, args: JsonObject) => void | Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Approvals for the channels through which people decide, and the gate for the router. */
export interface Approvals {
  readonly gate: ApprovalGate;
  /** Throws `approval_unknown`, also for what this viewer must not know of. */
  get(id: string, viewer: Viewer): Promise<ShownApproval>;
  /** Newest first. */
  list(viewer: Viewer, query?: ListQuery): Promise<readonly ShownApproval[]>;
  /** The same, with where it goes on. */
  page(viewer: Viewer, query?: ListQuery): Promise<ApprovalPage>;
  /** How many wait for a person, of those that this viewer sees. */
  countPending(viewer: Viewer): Promise<number>;
  /**
   * Whether the call could run with these arguments instead; changes nothing. Throws `approval_unknown`,
   * `approval_decided`, `approval_expired`, `arguments_invalid` naming every argument that does not fit.
   */
  checkEdit(id: string, args: JsonObject, viewer: Viewer): Promise<void>;
  /** Whether there is anything that it could decide, as of now: a user needs a role for it beside the credential. */
  mayDecide(by: Decider | Viewer): boolean;
  /** Roles whose holders decide about calls of others. */
  approvers(): readonly string[];
  /** Throws `approval_unknown`, `approval_forbidden`, `approval_decided`, `approval_expired`, `arguments_invalid`. */
  decide(id: string, decision: ApprovalDecision, by: Decider): Promise<ShownApproval>;
  /**
   * Path of a one-time page, `/approve/…`: whoever has it decides, so that only those get it who may decide
   * themselves. Throws `approval_unknown`, `approval_forbidden`.
   */
  link(id: string, viewer: Viewer): Promise<string>;
  /** The approval behind a link. Throws `approval_unknown`. */
  linked(token: string): Promise<ShownApproval>;
  /** What a person chose in the form of the link's page. Throws as `decide` does; what is a slip decides nothing. */
  decideLinked(token: string, form: FormFields): Promise<ShownApproval>;
  standing(viewer: Viewer): Promise<readonly StandingApproval[]>;
  /** Takes a standing approval back. Throws `approval_unknown`. */
  revoke(id: string, viewer: Viewer): Promise<StandingApproval>;
  /** Told within a second that something changed, in whatever process. */
  onChange(listener: () => void): () => void;
  /** Ends what has expired, and what was under way in a process that is gone. Answers with how many. */
  sweep(): Promise<number>;
  /** Deletes what was created before, milliseconds since the epoch. */
  prune(before: number): Promise<number>;
  /** Key of MCP request states, the same in every process of the store. */
  requestKey(): Promise<Uint8Array>;
}

export function createApprovals(options: ApprovalsOptions): Approvals {
  const { store, policy, record, redact, now = Date.now } = options;
  const records = store === undefined ? createMemoryRecords() : createStoreRecords(store);
  const approvers = () => policy().approvers;
  const note: GateParts['note'] = async (type, approval, more = {}) => {
    await record(eventOf(type, approval, more));
  };
  const current = (approval: StoredApproval) => withExpiry(approval, records, note, now());
  const find = async (id: string): Promise<StoredApproval> => {
    const approval = await records.get(id);
    if (approval === undefined) throw unknownApproval(id);
    return current(approval);
  };
  const seen = async (id: string, viewer: Viewer): Promise<StoredApproval> => {
    const approval = await records.get(id);
    if (approval === undefined || !maySee(approval, viewer, approvers())) throw unknownApproval(id);
    return current(approval);
  };
  const decide = createDecide({ records, approvers, note, current, find, checkEdit: options.checkEdit, now });
  const page = createPages({ records, approvers, current, seen });
  const key = () => records.signingKey('approval-links');
  const linkPath = async ({ id, expiresAt }: StoredApproval) =>
    `/approve/${signLink({ approval: id, expiresAt }, await key())}`;
  const claimOf = async (token: string) => {
    const claim = readLink(token, await key(), now());
    if (claim === undefined) {
      throw new ToolcribError('approval_unknown', 'The link is not valid, or its time is over.');
    }
    return claim;
  };
  return {
    gate: createGate({
      records,
      policy,
      policyHash: () => policyHash(policy()),
      redact,
      now,
      note,
      current,
      decide: (id, decision, principal) => decide(id, decision, { kind: 'caller', principal }),
      linkPath,
    }),
    get: async (id, viewer) => publicApproval(await seen(id, viewer)),
    list: async (viewer, query) => (await page(viewer, query)).approvals,
    page,
    countPending: (viewer) => records.countPending(scopeOf(viewer, approvers()), now()),
    async checkEdit(id, args, viewer) {
      const approval = await seen(id, viewer);
      checkPending(approval);
      await options.checkEdit?.(publicApproval(approval), args);
    },
    mayDecide: (by) => by.kind !== 'user' || isApprover(by.roles, approvers()),
    approvers,
    decide,
    async link(id, viewer) {
      const approval = await seen(id, viewer);
      checkDecider(approval, viewer, approvers());
      checkPending(approval);
      return linkPath(approval);
    },
    linked: async (token) => publicApproval(await find((await claimOf(token)).approval)),
    async decideLinked(token, form) {
      const { id, preview } = await find((await claimOf(token)).approval);
      const read = readForm(form, preview);
      if ('slip' in read) throw new ToolcribError('arguments_invalid', read.slip);
      return decide(id, read, { kind: 'link', approval: id });
    },
    standing: (viewer) => records.listStanding({ ...scopeOf(viewer, approvers()), limit: 1000 }),
    async revoke(id, viewer) {
      const standing = await records.getStanding(id);
      if (standing === undefined || !maySee(standing, viewer, approvers())) throw unknownApproval(id);
      if (!(await records.revokeStanding(id))) throw unknownApproval(id);
      const ended = await endApproved(records, standing);
      await record(revokedEvent(standing, viewer));
      const message = 'The standing approval it came with was revoked before it was used.';
      for (const approval of ended) await note('approval-void', approval, { message });
      return standing;
    },
    onChange: (listener) => records.onChange(listener),
    async sweep() {
      const swept = await records.sweep(now());
      for (const approval of swept) {
        await note(approval.state === 'failed' ? 'approval-used' : 'approval-void', approval, {
          ...(approval.usedBy === undefined ? {} : { call: approval.usedBy }),
          message:
            approval.state === 'failed'
              ? 'Its call ended in the middle.'
              : 'Nobody decided, or used it, in time.',
        });
      }
      return swept.length;
    },
    prune: (before) => records.prune(before),
    requestKey: () => records.signingKey('request-states'),
  };
}

/** Whoever sees first that the time is over writes it down. */
async function withExpiry(
  approval: StoredApproval,
  records: ApprovalRecords,
  note: GateParts['note'],
  now: number,
): Promise<StoredApproval> {
  const open = approval.state === 'pending' || approval.state === 'approved';
  if (!open || approval.expiresAt > now) return approval;
  const expired = await records.end(approval.id, ['pending', 'approved'], 'expired');
  if (expired === undefined) return (await records.get(approval.id)) ?? approval;
  await note('approval-void', expired, { message: 'Nobody decided, or used it, in time.' });
  return expired;
}
