import type { Approvals } from '../../approvals/index.ts';
import type { Configuration } from '../../config/index.ts';
import { openEventStore } from '../event-store.ts';
import { resolveConfiguration } from '../resolve-configuration.ts';
import { storeOf } from '../store-of.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkEditHere } from './check-edit-here.ts';

export interface StoreOptions {
  readonly config?: string;
  readonly stateDir?: string;
  readonly json?: boolean;
}

export interface OpenedApprovals {
  readonly approvals: Approvals;
  readonly configuration: Configuration;
}

/** Opens the approvals of a configuration's store for one piece of work; running gateways see what it does. */
export async function withApprovals<T>(
  options: StoreOptions,
  terminal: Terminal,
  work: (opened: OpenedApprovals) => Promise<T>,
): Promise<T> {
  const { configuration } = await resolveConfiguration([], options, terminal, { listening: false });
  const address = storeOf(
    configuration,
    'Approvals of other processes need a store.',
    'Leave `store` out for a SQLite file, or decide over HTTP with the approver token.',
  );
  const [{ createApprovals }, { DEFAULT_APPROVALS }] = await Promise.all([
    import('../../approvals/index.ts'),
    import('../../config/settings/approvals.ts'),
  ]);
  await using opened = await openEventStore(address);
  const approvals = createApprovals({
    store: opened.store,
    policy: () => configuration.policy.approvals ?? DEFAULT_APPROVALS,
    record: (event) => opened.events.append(event),
    redact: (value) => value,
    checkEdit: (approval, args) => checkEditHere(approval, args, configuration, terminal),
  });
  await approvals.sweep();
  return await work({ approvals, configuration });
}
