import type { Catalog } from '../../catalog/catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import { kindsWith } from '../../config/kinds.ts';
import { isDisabledServer, serverName } from '../../config/settings/mcp-servers.ts';
import type { MissingCredential } from '../../doctor/index.ts';
import { unknownSource } from '../../operations/unknown-source.ts';
import type { GatewaySources, SourceEntry, SourceState } from '../../server/http/admin/gateway-sources.ts';
import { isWritable, ownFile, readConfigurationFile } from './configuration-file.ts';
import { createSourceChanges } from './source-changes.ts';
import type { SourceDeskParts } from './source-desk-parts.ts';
import { shownEntry, writtenEntry } from './source-entries.ts';
import { reportOfSource } from './source-report.ts';
import { stateOfSource } from './source-states.ts';

/** Operations of one source that are read to learn whether its calls lack a credential. */
const MOST_READ = 20;

/** What the HTTP API asks and changes about sources. */
export function createSourceDesk(parts: SourceDeskParts): GatewaySources {
  const { configuration, catalog, lock, upstreams, runSources } = parts;
  const brought = parts.brought.sourceKinds ?? [];
  const changes = createSourceChanges(parts);
  let looked: { catalog: Catalog; known: Configuration; missing: readonly MissingCredential[] } | undefined;

  /** Worked out once for a catalog and a configuration. */
  const lacking = async (current: Catalog): Promise<readonly MissingCredential[]> => {
    const known = configuration();
    if (looked?.catalog !== current || looked.known !== known) {
      const { missingCredentials } = await import('../../doctor/index.ts');
      const missing = missingCredentials(known, current, process.env, MOST_READ);
      looked = { catalog: current, known, missing };
    }
    return looked.missing;
  };

  /** Every source as of one moment, with what that is told from. */
  const look = async () => {
    const { current, reads } = catalog;
    const [running, drift, missing] = await Promise.all([upstreams(), lock.drift(current), lacking(current)]);
    const { sources, mcpServers, file } = configuration();
    const written = file === undefined ? 'start' : 'file';
    const active = Object.entries(sources).map(([name, configured]) =>
      stateOfSource({
        name,
        configured,
        origin: runSources.has(name) ? 'run' : written,
        catalog: current,
        read: reads.of(name),
        isReading: reads.isReading(name),
        upstream: running.find((server) => server.name === name),
        changes: drift.changes,
        missing,
      }),
    );
    const paused = Object.entries(mcpServers)
      .filter(([given, entry]) => isDisabledServer(entry) && !Object.hasOwn(sources, serverName(given)))
      .map(([given]) => pausedServer(serverName(given), written));
    return { states: [...active, ...paused], current, drift };
  };
  const entryOf = async (name: string): Promise<SourceEntry | undefined> => {
    const file = ownFile(configuration());
    if (file === undefined || runSources.has(name)) return undefined;
    try {
      const written = await writtenEntry(await readConfigurationFile(file), name);
      return written === undefined ? undefined : await shownEntry(written);
    } catch {
      // a file that is broken at this moment has no entry to show
      return undefined;
    }
  };

  return {
    list: async () => (await look()).states,
    async report(name) {
      const { states, current, drift } = await look();
      const { egress } = configuration();
      return reportOfSource(stateNamed(name, states), current, drift, egress, await entryOf(name));
    },
    async refresh(name) {
      stateNamed(name, (await look()).states);
      await parts.gateway.refresh(name);
      return stateNamed(name, (await look()).states);
    },
    async options() {
      const [{ SHIPPED_PROVIDERS }, { SHIPPED_PRESETS }, { MAX_UPLOADED_BYTES }] = await Promise.all([
        import('../../sources/manifest/shipped.ts'),
        import('../../config/settings/presets.ts'),
        import('./uploaded-documents.ts'),
      ]);
      const file = ownFile(configuration());
      const skills = Object.entries(configuration().sources).filter(([, { kind }]) => kind === 'skills');
      return {
        kinds: kindsWith(brought.map(({ kind }) => kind)).filter((kind) => kind !== 'function'),
        providers: SHIPPED_PROVIDERS,
        presets: SHIPPED_PRESETS,
        ...(file === undefined ? {} : { file: { path: file, writable: await isWritable(file) } }),
        maxDocumentBytes: MAX_UPLOADED_BYTES,
        skills: skills.map(([name]) => name),
      };
    },
    save: changes.save,
    remove: changes.remove,
    async keepDocument(content, filename) {
      const { keepDocument } = await import('./uploaded-documents.ts');
      return keepDocument(configuration().stateDirectory, content, filename);
    },
  };
}

/** Throws `source_unknown`. */
function stateNamed(name: string, states: readonly SourceState[]): SourceState {
  const found = states.find((state) => state.name === name);
  if (found !== undefined) return found;
  throw unknownSource(name, { known: states.map((state) => state.name) });
}

function pausedServer(name: string, origin: SourceState['origin']): SourceState {
  return {
    name,
    kind: 'mcp',
    health: 'paused',
    operations: 0,
    tools: 0,
    skipped: 0,
    diagnostics: { error: 0, warning: 0, info: 0 },
    drift: { waiting: 0, rejected: 0 },
    origin,
  };
}
