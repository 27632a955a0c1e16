import type { Approvals } from '../../approvals/index.ts';
import type { ArtifactStore } from '../../artifacts/index.ts';
import type { Tasks } from '../../call-tasks/index.ts';
import { entryOfOperation } from '../../catalog/entry-of-operation.ts';
import type { LiveCatalog } from '../../catalog/live-catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import { DEFAULT_APPROVALS } from '../../config/settings/approvals.ts';
import { DEFAULT_TASKS } from '../../config/settings/records.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Executor } from '../../executors/executor.ts';
import type { Account, Principal } from '../../operations/index.ts';
import type { AccountNotes } from '../../principals/directory/account-notes.ts';
import type { Budgets } from '../../router/budgets.ts';
import type { FunctionRegistry } from '../../sources/function/registry.ts';
import type { Store } from '../../store/store.ts';
import { VERSION } from '../../version.ts';
import type { GatewayGrants } from '../access/grants.ts';
import type { Faults } from '../faults.ts';
import type { GatewayEvents } from '../gateway-events.ts';
import type { GatewayStore } from '../gateway-store.ts';
import { lazily } from '../lazily.ts';
import type { Views } from '../listing/views.ts';
import type { Selections } from '../skills/skill-selection.ts';
import type { ConnectorExecutors } from './executors.ts';
import type { Onion } from './onion.ts';
import { createToolOf } from './operation-tools.ts';

/** What mends most exports that fail. */
const EXPORT_ADVICE =
  'Check `telemetry.otlp` (the address without /v1/traces), the collector, and `egress.proxy` where one leads there; a key for it stands in OTEL_EXPORTER_OTLP_HEADERS.';

export interface CallParts {
  /** As it counts now. */
  readonly configuration: () => Configuration;
  /** Calls wait for it. */
  readonly started: Promise<void>;
  readonly catalog: LiveCatalog;
  readonly egress: Egress;
  readonly store: GatewayStore;
  readonly events: GatewayEvents;
  readonly faults: () => Promise<Faults>;
  readonly functions: () => Promise<FunctionRegistry>;
  readonly grants: GatewayGrants;
  readonly upstreams: Executor;
  readonly connectors: ConnectorExecutors;
  readonly skills: Executor;
  readonly isolated: () => boolean;
  /** What calls of skills' tools need to know of this machine is known. */
  readonly skillsReady: () => Promise<void>;
  readonly skillSelection: Pick<Selections, 'refuse' | 'select'>;
  readonly views: Views;
  readonly doubt: (source: string, account: Account | undefined) => void;
  readonly activate: (principal: Principal, operations: readonly string[]) => Promise<boolean>;
  /** Where people reach this gateway; undefined: it does not listen. */
  readonly address: () => string | undefined;
}

/** What calls need and what they leave behind; each part is made when it is first asked for. */
export interface GatewayCalls {
  onion(): Promise<Onion>;
  approvals(): Promise<Approvals>;
  artifacts(): Promise<ArtifactStore>;
  budgets(): Promise<Budgets>;
  tasks(): Promise<Tasks>;
  /** Rejects with `configuration_invalid` where calls cannot be exported as configured: each of them would fail. */
  measurable(): Promise<void>;
  close(): Promise<void>;
}

/** Accounts are a team's. */
async function notesOf(store: Store | undefined, { auth }: Configuration): Promise<AccountNotes | undefined> {
  if (store === undefined || auth.mode !== 'team') return undefined;
  const { createAccountNotes } = await import('../../principals/directory/account-notes.ts');
  return createAccountNotes(store);
}

export function createCalls(parts: CallParts): GatewayCalls {
  const { configuration, catalog, egress, store, events, faults, functions, grants } = parts;
  const approvals = lazily(async () => {
    const [{ createApprovals }, { checkEdit }, { createValidator }] = await Promise.all([
      import('../../approvals/index.ts'),
      import('./check-edit.ts'),
      import('../../validation/validator.ts'),
    ]);
    const validator = createValidator();
    const { redactor } = await faults();
    return createApprovals({
      store: await store.open(),
      policy: () => configuration().policy.approvals ?? DEFAULT_APPROVALS,
      record: events.append,
      redact: (value) => redactor.redact(value),
      checkEdit(approval, args) {
        const { source, operation } = approval;
        checkEdit(validator, entryOfOperation(catalog.current, source, operation), approval, args);
      },
    });
  });
  const artifacts = lazily(async () => {
    const { createArtifacts } = await import('../../artifacts/index.ts');
    const { place, limits } = configuration().artifacts;
    const { redactor, logger } = await faults();
    const failed = (error: unknown) =>
      logger.error({ err: error }, 'An output could not be stored as an artifact.');
    const rest = { place, limits, egress, env: process.env, redactor, failed };
    return createArtifacts({ store: await store.open(), ...rest });
  });
  const budgets = lazily(async () => {
    const { createBudgets } = await import('../../router/budgets.ts');
    return createBudgets(
      () => configuration().policy.budgets ?? [],
      await store.open(),
      createToolOf(() => catalog.current),
    );
  });
  const tasks = lazily(async () => {
    const [{ createTasks }, opened, { redactor, logger }] = await Promise.all([
      import('../../call-tasks/index.ts'),
      store.open(),
      faults(),
    ]);
    return createTasks({
      store: opened,
      keepMs: () => (configuration().tasks ?? DEFAULT_TASKS).keepMs,
      redact: (text) => redactor.redact(text),
      onError: (error) => logger.error({ err: error }, 'A task could not be written.'),
    });
  });
  const telemetry = lazily(async () => {
    const { startTelemetry } = await import('../../telemetry/tracing/index.ts');
    const { name, telemetry: given, egress: out } = configuration();
    const { logger } = await faults();
    const proxied = {
      agents: async (tls: object) => (await import('../../egress/index.ts')).openAgents(out, tls),
    };
    return startTelemetry({
      ...given,
      name,
      version: VERSION,
      ...(out.proxy === undefined ? {} : proxied),
      failed: (what, reason) =>
        logger.warn({ reason, next: EXPORT_ADVICE }, `OpenTelemetry ${what} do not arrive.`),
    });
  });
  const onion = lazily(async () => {
    await parts.started;
    const [{ assembleOnion }, { createRateLimiter }, { previewInput }, { summarise }, { pageAsked }] =
      await Promise.all([
        import('./onion.ts'),
        import('../../router/rate-limit.ts'),
        import('../../events/input-preview.ts'),
        import('../../events/result-summary.ts'),
        import('../../results/shaping/page-asked.ts'),
      ]);
    await parts.skillsReady();
    const { redactor, logger } = await faults();
    const opened = await store.open();
    return assembleOnion({
      telemetry: await telemetry(),
      ...parts,
      functions: await functions(),
      append: events.append,
      details: {
        input: (args, shaping) =>
          previewInput({ ...args, ...pageAsked(shaping) }, (value) => redactor.redact(value)),
        summary: (result) => redactor.redact(summarise(result)),
        redact: (text) => redactor.redact(text),
        progress: { note: events.note, redact: (text) => redactor.redact(text) },
      },
      rates: createRateLimiter(opened),
      approvals: (await approvals()).gate,
      budgets: await budgets(),
      artifacts: await artifacts(),
      keep: configuration().artifacts.keep,
      store: opened,
      notes: await notesOf(opened, configuration()),
      redactor,
      logger,
      grants,
    });
  });
  return {
    onion,
    approvals,
    artifacts,
    budgets,
    tasks,
    async measurable() {
      const { enabled, otlp } = configuration().telemetry;
      // where a program of ours measures, it may say so later
      if (enabled && otlp !== undefined) await telemetry();
    },
    async close() {
      await (await tasks.made?.catch(() => undefined))?.close();
      await (await onion.made?.catch(() => undefined))?.close();
      await (await telemetry.made?.catch(() => undefined))?.close();
    },
  };
}
