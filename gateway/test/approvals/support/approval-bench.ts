import {
  type Approvals,
  type ApprovalsOptions,
  createApprovals,
  needsApproval,
  skillNeed,
} from '../../../src/approvals/index.ts';
import { DEFAULT_APPROVALS } from '../../../src/config/settings/approvals.ts';
import { asToolcribError, type ErrorCode } from '../../../src/errors.ts';
import type {
  ApprovalEvent,
  ApprovalPolicy,
  Call,
  CallChannel,
  CompletedResult,
  JsonObject,
  Operation,
  Principal,
  Result,
  SkillPolicy,
} from '../../../src/operations/index.ts';
import { createCallIds } from '../../../src/router/call-ids.ts';
import { approveLayer } from '../../../src/router/layers/approve.ts';
import { taintedNeed } from '../../../src/router/layers/taint.ts';
import { checkArguments } from '../../../src/router/layers/validate-arguments.ts';
import type { Store } from '../../../src/store/store.ts';
import { createValidator } from '../../../src/validation/validator.ts';

export const ANN: Principal = {
  id: 'ann',
  kind: 'user',
  organisation: 'acme',
  maxAccess: 'delete',
  roles: [],
};
export const BOB: Principal = { ...ANN, id: 'bob' };
export const OPERATOR = { kind: 'operator', channel: 'cli', id: 'root' } as const;
export const EVERYTHING = { kind: 'operator' } as const;

export const DELETE_ITEM: Operation = Object.freeze({
  id: 'deleteItem',
  source: 'stock',
  description: 'Deletes an item.',
  input: {
    type: 'object',
    properties: { id: { type: 'integer' }, note: { type: 'string' } },
    required: ['id'],
    additionalProperties: false,
  },
  access: 'delete',
  tags: [],
  safety: { network: true, file: false, destructive: true, idempotent: true, openWorld: true },
  invocation: { kind: 'function', function: 'deleteItem' },
} satisfies Operation);

/** A write, about which only a policy asks. */
export const ADD_ITEM: Operation = Object.freeze({
  ...DELETE_ITEM,
  id: 'addItem',
  access: 'write',
  safety: { ...DELETE_ITEM.safety, destructive: false },
});

/** What a client is told instead of an answer. */
export interface Told {
  readonly code: ErrorCode;
  readonly approval: string;
}

export interface CallOptions {
  readonly principal?: Principal;
  readonly operation?: Operation;
  /** Default: the operation's own. */
  readonly tool?: string;
  readonly channel?: CallChannel;
  readonly run?: string;
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  readonly account?: string;
  readonly tainted?: string;
}

export interface ApprovalBench {
  readonly approvals: Approvals;
  readonly events: ApprovalEvent[];
  /** Arguments of every run, in order. */
  readonly runs: JsonObject[];
  /** Every call as it was carried out. */
  readonly calls: Call[];
  policy: ApprovalPolicy;
  now: number;
  /** How tools of skills run, and all of them that there are. */
  skills: Pick<SkillPolicy, 'mode' | 'programs'> & {
    readonly isolated: boolean;
    readonly tools: readonly Operation[];
  };
  /** What the tool answers; may throw. */
  answer: (call: Call) => Result | Promise<Result>;
  /** Throws where access was taken away. */
  reauthorise: (call: Call) => Promise<Call>;
  call(args: JsonObject, options?: CallOptions): Promise<Result>;
  /** The error that a call ends with. */
  told(args: JsonObject, options?: CallOptions): Promise<Told>;
}

const nextId = createCallIds();
const DONE: CompletedResult = { kind: 'completed', content: [{ type: 'text', text: 'done' }] };

/** One process: the real layer over the real records. */
export function approvalBench(store?: Store, options: Partial<ApprovalsOptions> = {}): ApprovalBench {
  const validator = createValidator();
  const events: ApprovalEvent[] = [];
  const bench: ApprovalBench = {
    events,
    runs: [],
    calls: [],
    policy: DEFAULT_APPROVALS,
    skills: { mode: 'balanced', programs: [], isolated: true, tools: [] },
    now: Date.now(),
    answer: () => DONE,
    reauthorise: async (call) => call,
    approvals: createApprovals({
      store,
      policy: () => bench.policy,
      record: async (event) => void events.push(event),
      redact: (value) => value,
      now: () => bench.now,
      ...options,
    }),
    async call(args, given = {}) {
      const {
        operation = DELETE_ITEM,
        tool = `stock_${operation.id}`,
        principal = ANN,
        channel = {},
        run = 'session',
        dryRun = false,
      } = given;
      const call: Call = {
        id: nextId(),
        principal,
        tool,
        operation,
        connection: {
          name: 'stock',
          source: 'stock',
          securitySchemes: {},
          limits: {} as never,
          ...(given.account === undefined ? {} : { account: given.account }),
        },
        arguments: args,
        deadline: bench.now + 30_000,
        signal: given.signal ?? new AbortController().signal,
        channel,
        run,
        dryRun,
        depth: 0,
        ...(given.tainted === undefined ? {} : { tainted: given.tainted }),
      };
      return layer(call, async (carriedOut) => {
        if (!dryRun) bench.runs.push(carriedOut.arguments);
        bench.calls.push(carriedOut);
        return bench.answer(carriedOut);
      });
    },
    async told(args, given) {
      try {
        const result = await bench.call(args, given);
        throw new Error(`The call was answered: ${JSON.stringify(result)}`);
      } catch (thrown) {
        const { code, details, message } = asToolcribError(thrown);
        if (code === 'internal') throw thrown;
        return { code, approval: String(details?.['approval'] ?? message) };
      }
    },
  };
  const layer = approveLayer({
    needs: ({ tool, operation, principal, tainted }) => {
      const need = needsApproval(bench.policy, { tool, operation, roles: principal.roles });
      const { isolated, tools, ...skills } = bench.skills;
      return skillNeed(taintedNeed(need, tainted), operation, skills, isolated, () => tools);
    },
    approvals: bench.approvals.gate,
    reauthorise: (call) => bench.reauthorise(call),
    validate: (args, { operation, tool }) => checkArguments(validator, operation.input, args, tool),
    linkBase: () => 'https://tools.acme.test',
    now: () => bench.now,
  });
  return bench;
}
