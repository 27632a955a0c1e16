import type { LiveCatalog } from '../../catalog/live-catalog.ts';
import { ToolcribError } from '../../errors.ts';
import type { Gateway } from '../../gateway-api.ts';
import type { GovernedGrants } from '../access/governed-grants.ts';
import type { Announce } from '../change-notices.ts';
import type { SourceWatch } from '../compiling/watch-sources.ts';
import type { GatewayEvents } from '../gateway-events.ts';
import type { GatewayLists } from '../listing/gateway-lists.ts';
import type { RunSources } from '../source-desk/run-sources.ts';
import type { LiveConfiguration } from './live-configuration.ts';
import { recordChanges } from './record-changes.ts';

export interface ReconfigureParts {
  readonly live: LiveConfiguration;
  readonly runSources: RunSources;
  readonly lists: Pick<GatewayLists, 'describeGeneric' | 'topologies'>;
  /** The live sides of sources: what is gone is ended, what is new may be started. */
  readonly rooms: ReadonlyArray<{ reconfigured(): Promise<void> }>;
  readonly grants: Pick<GovernedGrants, 'open' | 'ask'>;
  readonly catalog: LiveCatalog;
  readonly watch: SourceWatch;
  /** Lets out to what the configuration and the catalog reach now. */
  readonly openDoor: () => void;
  readonly note: GatewayEvents['note'];
  readonly announce: Announce;
}

/** Takes another configuration over while the gateway runs: first what reads it, then the sources that differ. */
export function createReconfigure(parts: ReconfigureParts): Gateway['reconfigure'] {
  const { live, runSources, lists, rooms, grants, catalog, watch, openDoor, note, announce } = parts;
  return async (next) => {
    if (typeof next !== 'object' || next === null || !('baseDirectory' in next)) throw incomplete();
    // what fails here changes nothing
    await lists.describeGeneric(next.sources);
    const changes = live.take(runSources.over(next));
    openDoor();
    await Promise.all([
      ...rooms.map((room) => room.reconfigured()),
      lists.describeGeneric(),
      grants.open(),
      lists.topologies.load(),
    ]);
    await catalog.replace([...changes.added, ...changes.changed], changes.removed);
    openDoor();
    for (const name of changes.removed) if (!Object.hasOwn(live.current.sources, name)) watch.forget(name);
    await grants.ask();
    recordChanges(changes, note);
    if (changes.reshaped) announce('tools');
    return changes;
  };
}

function incomplete(): ToolcribError {
  return new ToolcribError('configuration_invalid', 'reconfigure takes a whole, validated configuration.', {
    next: 'Give it what `await loadConfiguration({ cwd, env })` returns.',
  });
}
