import type { Approvals } from '../../approvals/index.ts';
import type { Configuration } from '../../config/index.ts';
import { ToolcribError } from '../../errors.ts';
import { openEventStore } from '../event-store.ts';
import { resolveConfiguration } from '../resolve-configuration.ts';
import type { Terminal } from '../terminal/terminal.ts';

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
  if (configuration.store === 'none') {
    throw new ToolcribError('configuration_invalid', 'Approvals of other processes need a store.', {
      ...(configuration.file === undefined ? {} : { location: configuration.file }),
      pointer: '#/store',
      next: 'Leave `store` out for a SQLite file, or decide over HTTP with the approver token.',
    });
  }
  const [{ createApprovals }, { DEFAULT_APPROVALS }] = await Promise.all([
    import('../../approvals/index.ts'),
    import('../../config/settings/approvals.ts'),
  ]);
  await using opened = await openEventStore(configuration.store);
  const approvals = createApprovals({
    store: opened.store,
    policy: () => configuration.policy.approvals ?? DEFAULT_APPROVALS,
    record: (event) => opened.events.append(event),
    redact: (value) => value,
  });
  await approvals.sweep();
  return await work({ approvals, configuration });
}
