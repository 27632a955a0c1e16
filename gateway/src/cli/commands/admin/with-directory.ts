import type { Configuration } from '../../../config/index.ts';
import { isToolcribError, ToolcribError } from '../../../errors.ts';
import {
  type AdminEvent,
  type ApprovalEvent,
  LOCAL_PRINCIPAL,
  type Principal,
} from '../../../operations/index.ts';
import type { SourceAccess } from '../../../policy/index.ts';
import type { Directory } from '../../../principals/index.ts';
import type { Store } from '../../../store/store.ts';
import type { StoreOptions } from '../../approvals/with-approvals.ts';
import { openEventStore } from '../../event-store.ts';
import { resolveConfiguration } from '../../resolve-configuration.ts';
import { storeOf } from '../../store-of.ts';
import { json, type Terminal } from '../../terminal/terminal.ts';
import { configuredSources } from './configured-sources.ts';

/** The records of a configuration's store, as its operator. */
export interface OpenedDirectory {
  readonly directory: Directory;
  readonly by: Principal;
  readonly store: Store;
  readonly configuration: Configuration;
  /** What the directory knows of every configured source. */
  readonly sources: Readonly<Record<string, SourceAccess>>;
  readonly record: (event: AdminEvent | ApprovalEvent) => Promise<void>;
}

/**
 * Opens the store of the configuration, no server needed; running ones see changes within a second. Prints what
 * the work answers: JSON with --json, else as `show` does.
 */
export async function withDirectory<T>(
  options: StoreOptions,
  terminal: Terminal,
  work: (opened: OpenedDirectory) => Promise<T>,
  show: (answer: T) => void,
): Promise<number> {
  // of its own options only these are about the configuration: --base-url is where an account's requests go
  const { config, stateDir } = options;
  const meant = {
    ...(config === undefined ? {} : { config }),
    ...(stateDir === undefined ? {} : { stateDir }),
  };
  const { configuration, origin } = await resolveConfiguration([], meant, terminal, { listening: false });
  if (origin === 'quickstart')
    terminal.note(`There is no toolcrib.yaml in this folder: this is the store ${configuration.store}.`);
  const address = storeOf(configuration, 'There is nothing to administer: store is none.');
  const { createDirectory } = await import('../../../principals/index.ts');
  await using opened = await openEventStore(address, { recover: true });
  const { store, events } = opened;
  const record = async (event: AdminEvent | ApprovalEvent) => void (await events.append(event));
  const sources = await configuredSources(configuration);
  const { defaults } = configuration.policy;
  const directory = createDirectory({ store, defaults, sources: () => sources, record });
  const answer = await work({ directory, by: LOCAL_PRINCIPAL, store, configuration, sources, record }).catch(
    (error: unknown) => {
      throw namingSources(error, configuration);
    },
  );
  if (options.json) terminal.out(json(answer ?? { done: true }));
  else show(answer);
  return 0;
}

/** An operator may know which sources there are; the directory itself tells nobody. */
function namingSources(error: unknown, { sources }: Configuration): unknown {
  if (!isToolcribError(error) || !/^There is no source /.test(error.message)) return error;
  const names = Object.keys(sources).join(', ') || 'none';
  const { code, message, pointer } = error;
  return new ToolcribError(code, message, {
    ...(pointer === undefined ? {} : { pointer }),
    next: `The sources of the configuration are: ${names}.`,
    cause: error,
  });
}
