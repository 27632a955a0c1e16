import type { ApprovalGate } from '../../approvals/index.ts';
import type { ArtifactStore } from '../../artifacts/index.ts';
import type { LiveCatalog } from '../../catalog/live-catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import { DEFAULT_UNTRUSTED } from '../../config/settings/untrusted.ts';
import type { Egress } from '../../egress/index.ts';
import type { Executor } from '../../executors/executor.ts';
import {
  type Account,
  type Call,
  type Connection,
  type GrantSource,
  isOfSkill,
  type Operation,
  type Principal,
  sharerOf,
  untrustedRule,
} from '../../operations/index.ts';
import { countOpenWork } from '../../operations/work/open-work.ts';
import { refuse } from '../../policy/index.ts';
import type { AccountNotes } from '../../principals/directory/account-notes.ts';
import {
  askingRule,
  hardenChannel,
  hardenFailure,
  type KeepRule,
  normalizeResult,
} from '../../results/index.ts';
import { toldFailure } from '../../results/told-failure.ts';
import type { Budgets } from '../../router/budgets.ts';
import type { Layer } from '../../router/compose.ts';
import { createConnectionLimits } from '../../router/connection-limits.ts';
import { adviseLayer } from '../../router/layers/advise.ts';
import { approveLayer } from '../../router/layers/approve.ts';
import { authoriseLayer } from '../../router/layers/authorise.ts';
import { budgetLayer } from '../../router/layers/budget.ts';
import { deadlineLayer } from '../../router/layers/deadline.ts';
import { executeCore, readyCheck } from '../../router/layers/execute.ts';
import { type Append, type RecordDetails, recordLayer } from '../../router/layers/record.ts';
import { isOurFailure, taintLayer } from '../../router/layers/taint.ts';
import { checkOperation, validateArgumentsLayer } from '../../router/layers/validate-arguments.ts';
import { validateOutputLayer } from '../../router/layers/validate-output.ts';
import type { RateLimiter } from '../../router/rate-limit.ts';
import { createRouter, type Router } from '../../router/router.ts';
import { createTaint } from '../../router/taint.ts';
import type { FunctionRegistry } from '../../sources/function/registry.ts';
import type { Store } from '../../store/store.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Redactor } from '../../telemetry/redactor.ts';
import type { Telemetry } from '../../telemetry/tracing/index.ts';
import { createValidator } from '../../validation/validator.ts';
import type { Views } from '../listing/views.ts';
import { ownedArtifacts } from '../owned-artifacts.ts';
import type { Selections } from '../skills/skill-selection.ts';
import { createAccounts } from './accounts.ts';
import { createApprovalNeeds } from './approval-needs.ts';
import { type ConnectorExecutors, createExecutors } from './executors.ts';
import { createReaching, type ReachingParts } from './reaching-tool.ts';
import { createReauthorise } from './reauthorise.ts';
import { createShapedAnswers } from './shaped-answers.ts';
import { createShownHints } from './shown-hints.ts';
import { watchAccounts } from './watch-accounts.ts';

export interface OnionParts {
  /** As it counts now. */
  readonly configuration: () => Configuration;
  readonly catalog: LiveCatalog;
  readonly egress: Egress;
  readonly functions: FunctionRegistry;
  readonly upstreams: Executor;
  readonly connectors: ConnectorExecutors;
  /** Tools that skills brought. */
  readonly skills: Executor;
  readonly grants: GrantSource;
  readonly append: Append;
  readonly details: RecordDetails;
  readonly rates: RateLimiter;
  readonly approvals: ApprovalGate;
  readonly budgets: Budgets;
  readonly artifacts: ArtifactStore;
  readonly keep: KeepRule;
  /** Where sessions of several processes meet; undefined: nothing is kept. */
  readonly store: Store | undefined;
  /** Where people reach this gateway; undefined: it does not listen. */
  readonly address: () => string | undefined;
  readonly views: Views;
  /** Whose skills' tools a caller reaches. */
  readonly skillSelection: Pick<Selections, 'refuse' | 'select'>;
  /** Programs of skills run in a sandbox. */
  readonly isolated: () => boolean;
  /** Adds operations to what a principal's clients list. */
  readonly activate: ReachingParts['activate'];
  /** A service refused an account: the roles that it gave may be others now. */
  readonly doubt: (source: string, account: Account | undefined) => void;
  /** How stored accounts fare; undefined: nothing is kept. */
  readonly notes: AccountNotes | undefined;
  readonly telemetry: Telemetry;
  readonly redactor: Redactor;
  readonly logger: Logger;
}

/** What calls need; assembled when the first one comes. */
export interface Onion {
  readonly router: Router;
  /** A resource or prompt of this source goes to a caller. Throws `store_unavailable`. */
  delivered(source: string, reader: { readonly principal: Principal; readonly run?: string }): Promise<void>;
  /** Waits a little for the calls that were cut off, so that their ends are recorded. */
  close(): Promise<void>;
}

/** Calls that were cut off have so long to be recorded, milliseconds. */
const ENDING_MS = 2000;

/**
 * Servers are started again at once and providers exchanged: a pause would keep their callers from noticing. Own tools
 * of connectors say what is down and mend it; some ask for nothing. Tools of skills pause one by one.
 */
const UNBROKEN: ReadonlySet<string> = new Set(['mcp', 'web', 'arm', 'script', 'template']);

/** A source of connectors has an account for each: one that fails leaves the others alone. */
function limitedBy({ invocation }: Operation, connection: Connection): Connection {
  if (invocation.kind !== 'azure') return connection;
  return { ...connection, name: `${connection.name}/${invocation.connection}` };
}

/** A skill has half of its source's places at most: one that hangs leaves the others room. */
function shareOf({ invocation }: Operation, connection: Connection): Connection | undefined {
  if (!isOfSkill(invocation)) return undefined;
  const { name, limits } = connection;
  const concurrency = Math.ceil(limits.concurrency / 2);
  return { ...connection, name: `${name}/${invocation.skill}`, limits: { ...limits, concurrency } };
}

/**
 * The one router: record → authorise → shape → advise → validate → taint → approve → budget → validate output →
 * deadline → execute, which limits, carries out and normalises.
 */
export function assembleOnion(parts: OnionParts): Onion {
  const { configuration, catalog, grants, artifacts, keep, logger } = parts;
  const fault = (error: unknown, call: Call) =>
    logger.error({ err: error, call: call.id }, 'A call ended by a fault of the gateway.');
  const validator = createValidator();
  const limits = createConnectionLimits();
  const unbroken = createConnectionLimits({ tripsBreaker: () => false });
  const accounts = createAccounts(() => catalog.current);
  const { tracing, context } = parts.telemetry;
  const egress = (tracing ?? context).door(parts.egress);
  const executors = createExecutors({ ...parts, egress, router: () => router });
  const strangers = (operation: Operation) =>
    untrustedRule(configuration().output.untrusted ?? DEFAULT_UNTRUSTED, operation);
  const answered = executeCore({
    executors,
    limit: ({ operation, principal, signal }, account, task) => {
      const connection = limitedBy(operation, account);
      const kept = UNBROKEN.has(operation.invocation.kind) ? unbroken : limits;
      const share = shareOf(operation, connection);
      const caller = sharerOf(principal);
      const run = <T>(begun: () => Promise<T>) => kept.run(connection, signal, begun, caller);
      const shared = <T>(begun: () => Promise<T>) =>
        share === undefined ? run(begun) : unbroken.run(share, signal, () => run(begun), caller);
      return tracing === undefined ? shared(task) : tracing.waiting('limit', shared, task);
    },
    channelFor: ({ channel, operation }) => {
      const rule = strangers(operation);
      if (rule === undefined) return channel;
      return hardenChannel(channel, operation.source, askingRule(rule, operation));
    },
    normalize: (raw, { operation, principal, dryRun }, connection) =>
      normalizeResult(
        raw,
        operation,
        connection.limits,
        ownedArtifacts(artifacts, principal),
        keep,
        dryRun ? undefined : strangers(operation),
      ),
    failed(error, { operation, dryRun }) {
      const rule = dryRun || isOurFailure(error) ? undefined : strangers(operation);
      return rule === undefined ? error : hardenFailure(error, operation.source, rule);
    },
  });
  const core = watchAccounts({ grants, doubt: parts.doubt, notes: parts.notes }, answered);
  const ready = readyCheck(executors);
  const approve = approveLayer({
    needs: createApprovalNeeds(parts),
    approvals: parts.approvals,
    async ready(call) {
      await ready(call);
      await parts.budgets.check(parts.budgets.charges(call));
    },
    reauthorise: createReauthorise({ catalog: () => catalog.current, grants, accounts }),
    validate: (args, { operation, tool }) => checkOperation(validator, operation, args, tool),
    linkBase: () => configuration().policy.approvals?.url ?? parts.address(),
  });
  const taint = createTaint({
    policy: () => configuration().policy.taint,
    untrusted: (operation) => strangers(operation) !== undefined,
    trusts: (source) => configuration().output.untrusted?.sources[source]?.trusted === true,
    store: parts.store,
  });
  const open = countOpenWork();
  const counted: Layer = (call, next) => open.run(() => next(call));
  const outer = [counted, tracing?.layer ?? context.layer, recordLayer(parts.append, fault, parts.details)];
  const answers = createShapedAnswers({
    configuration,
    catalog,
    grants,
    artifacts,
    untrusted: strangers,
    delivered: (...read) => taint.read(...read),
  });
  const router = createRouter({
    catalog: () => catalog.current,
    reaching: createReaching({
      ...parts,
      validator,
      shown: createShownHints(),
      selectSkill: parts.skillSelection.select,
      queryStored: answers.query,
      shapedBy: answers.shapedBy,
    }),
    shapeDirect: answers.shapeDirect,
    unreachable: parts.skillSelection.refuse,
    layers: [
      ...outer,
      {
        name: 'authorise',
        layer: authoriseLayer({
          grants: (principal, source) => grants.fresh(principal, source),
          refuse,
          connection: accounts,
        }),
      },
      { name: 'shape', layer: answers.layer },
      { name: 'advise', layer: adviseLayer(parts.connectors.advise) },
      { name: 'validate arguments', layer: validateArgumentsLayer(validator) },
      { name: 'taint', layer: taintLayer(taint) },
      { name: 'approve', layer: tracing?.around('approval', approve) ?? approve },
      { name: 'budget', layer: budgetLayer(parts.budgets, fault) },
      {
        name: 'validate output',
        layer: validateOutputLayer(
          validator,
          () => configuration().output.strict,
          ({ tool }) => catalog.current.byTool(tool)?.tool.outputSchema,
          toldFailure,
        ),
      },
      { name: 'deadline', layer: deadlineLayer },
    ],
    ownLayers: outer,
    core: tracing?.core('execute', core) ?? core,
  });
  return {
    router,
    delivered: taint.read,
    async close() {
      await open.settled(ENDING_MS);
      await executors.close();
      await parts.notes?.settled();
    },
  };
}
