import type { LiveCatalog } from '../catalog/live-catalog.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Egress } from '../egress/egress.ts';
import { createGrants, type GatewayGrants } from './access/grants.ts';
import type { Team } from './access/team.ts';
import type { GatewayCalls } from './calling/calls.ts';
import { closeAll } from './close-all.ts';
import type { SharedCatalog } from './compiling/shared-catalog.ts';
import type { ReadSecret } from './compiling/source-reader.ts';
import type { Faults } from './faults.ts';
import type { GatewayEvents } from './gateway-events.ts';
import { closeStoreAfter, type GatewayStore } from './gateway-store.ts';
import { lazily } from './lazily.ts';

export interface RunningParts {
  readonly configuration: Configuration;
  /** `policy` as it counts now. */
  readonly policy: () => Configuration['policy'];
  readonly store: GatewayStore;
  readonly events: GatewayEvents;
  readonly catalog: LiveCatalog;
  readonly egress: Egress;
  readonly readSecret: ReadSecret;
  /** The grants of an organisation's users changed; without one anybody's. */
  readonly announceGrants: (organisation?: string) => void;
  readonly report: (error: unknown, what: string) => void;
  readonly faults: () => Promise<Faults>;
  readonly calls: () => Pick<GatewayCalls, 'approvals' | 'artifacts' | 'tasks'>;
  /** Where people reach this gateway; undefined: it does not listen. */
  readonly address: () => string | undefined;
  /** What else reads the store once it is open. */
  readonly readStore: () => Promise<unknown>;
}

/** What a gateway that serves has beside its tools: users, the store's notices, retention. */
export interface Running {
  readonly grants: GatewayGrants;
  /** Undefined where one person uses the gateway. Throws `store_unavailable`, `configuration_invalid`. */
  team(): Promise<Team | undefined>;
  /** Opens the store a little later: recovery, retention and other processes' changes begin. */
  open(): void;
  catalogChanged(): void;
  close(): Promise<void>;
}

/** A client that has just connected wants its tools first, milliseconds. */
const OPEN_MS = 1000;
/** Before a store that could not be opened is tried again by itself, milliseconds; a call tries at once. */
const AGAIN_MS = 15_000;

export function createRunning(parts: RunningParts): Running {
  const { configuration, store, events, catalog, announceGrants, report } = parts;
  let users: Team | undefined;
  let shared: SharedCatalog | undefined;
  let endUpkeep: (() => Promise<void>) | undefined;
  let webhooks: { stop(): Promise<void> } | undefined;
  let closed = false;
  let opening: Promise<void> | undefined;
  let waiting: NodeJS.Timeout | undefined;
  const grants = createGrants({
    configuration,
    skills: () => parts.policy().skills,
    catalog: () => catalog.current,
    users: () => users?.grants,
    env: process.env,
  });
  const team = lazily(async () => {
    if (configuration.auth.mode !== 'team') return undefined;
    const { openTeam } = await import('./access/team.ts');
    users = await openTeam({ ...parts, sources: grants.sources });
    users.grants.onChange(announceGrants);
    return users;
  });
  const open = lazily(async () => {
    await events.open();
    const opened = store.current;
    if (opened === undefined || closed) return;
    await parts.readStore();
    const { shareCatalog } = await import('./compiling/shared-catalog.ts');
    shared ??= shareCatalog(
      opened,
      () => catalog.refresh(),
      (error) => report(error, "Another process's change of the catalog could not be followed."),
    );
    const { startUpkeep } = await import('./upkeep.ts');
    endUpkeep ??= startUpkeep({
      configuration,
      store: opened,
      approvals: () => parts.calls().approvals(),
      artifacts: () => parts.calls().artifacts(),
      tasks: () => parts.calls().tasks(),
      failed: report,
    });
    await startHooks();
  });
  const startHooks = async () => {
    const opened = store.current;
    if (configuration.webhooks.length === 0 || opened === undefined || webhooks !== undefined) return;
    const [{ runWebhooks }, { approvalLinks }, { redactor, logger }] = await Promise.all([
      import('./run-webhooks.ts'),
      import('./approval-links.ts'),
      parts.faults(),
    ]);
    webhooks = runWebhooks({
      webhooks: configuration.webhooks,
      store: opened,
      events,
      egress: parts.egress,
      env: process.env,
      redactor,
      report,
      warn: (text) => logger.warn(text),
      link: approvalLinks({
        approvals: () => parts.calls().approvals(),
        base: () => parts.policy().approvals?.url ?? parts.address(),
      }),
    });
  };
  let isReported = false;
  const openIn = (ms: number) => {
    waiting = setTimeout(() => {
      opening = open().catch((error) => {
        if (!isReported) report(error, 'The store could not be opened.');
        isReported = true;
        if (!closed) openIn(AGAIN_MS);
      });
    }, ms);
    waiting.unref();
  };
  return {
    grants,
    team,
    open() {
      if (!closed && waiting === undefined) openIn(OPEN_MS);
    },
    catalogChanged: () => shared?.announce(),
    async close() {
      closed = true;
      clearTimeout(waiting);
      const ended = closeAll([
        () => opening,
        () => endUpkeep?.(),
        () => webhooks?.stop(),
        () => shared?.close(),
        () => events.close(),
      ]);
      await closeStoreAfter(ended, store);
    },
  };
}
