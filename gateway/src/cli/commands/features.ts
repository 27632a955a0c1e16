import { existsSync } from 'node:fs';
import { configuredFeatures } from '../../config/index.ts';
import type { FeatureState, FeatureSwitches } from '../../features/index.ts';
import { LOCAL_PRINCIPAL } from '../../operations/index.ts';
import { openEventStore } from '../event-store.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { resolveConfiguration } from '../resolve-configuration.ts';
import { storeOf } from '../store-of.ts';
import { showTable } from '../terminal/table.ts';
import { json, type Terminal } from '../terminal/terminal.ts';

export type FeaturesOptions = Pick<SourceOptions, 'config' | 'stateDir' | 'json'>;

/** Every feature of the configuration, and what was switched in its store. */
export function listFeatures(options: FeaturesOptions, terminal: Terminal): Promise<number> {
  return withFeatures(options, terminal, 'read', async (features) => {
    const states = await features.list();
    if (options.json) terminal.out(json({ features: states }));
    else if (states.length === 0) terminal.note('The configuration has no features: sources.NAME.features.');
    else showStates(states, terminal);
  });
}

/** `on`, `off`, or undefined for what the configuration says. Running gateways follow within a second. */
export function switchFeature(
  name: string,
  enabled: boolean | undefined,
  options: FeaturesOptions,
  terminal: Terminal,
): Promise<number> {
  return withFeatures(options, terminal, 'write', async (features) => {
    const state = await features.set(name, enabled, LOCAL_PRINCIPAL.id);
    if (options.json) terminal.out(json(state));
    else
      terminal.out(
        `${state.name} is ${state.enabled ? 'on' : 'off'}${enabled === undefined ? ', as configured' : ''}.`,
      );
  });
}

async function withFeatures(
  options: FeaturesOptions,
  terminal: Terminal,
  purpose: 'read' | 'write',
  work: (features: FeatureSwitches) => Promise<void>,
): Promise<number> {
  const { configuration } = await resolveConfiguration([], options, terminal, { listening: false });
  const configured = configuredFeatures(configuration.sources);
  if (purpose === 'write')
    storeOf(
      configuration,
      'The configuration says store: none: what is switched is known to the running gateway alone.',
      'Ask that gateway: PUT /api/v1/features/NAME; or set `enabled` in the configuration.',
    );
  const [{ createFeatureSwitches }, { sqliteFile }] = await Promise.all([
    import('../../features/index.ts'),
    import('../../store/open-store.ts'),
  ]);
  const file = configuration.store === 'none' ? undefined : sqliteFile(configuration.store);
  const absent = configuration.store === 'none' || (file !== undefined && !existsSync(file));
  await using opened =
    absent && purpose === 'read' ? undefined : await openEventStore(configuration.store, { recover: true });
  const features = createFeatureSwitches({
    configured: () => configured,
    store: async () => opened?.store,
    ...(opened === undefined ? {} : { record: (event) => opened.events.append(event) }),
  });
  try {
    await features.open();
    await work(features);
    return 0;
  } finally {
    await features.close();
  }
}

function showStates(states: readonly FeatureState[], terminal: Terminal): void {
  showTable(
    states,
    [
      ['FEATURE', ({ name }) => name],
      ['STATE', ({ enabled }) => (enabled ? 'on' : 'off')],
      ['SINCE', since],
      ['ABOUT', ({ description }) => description ?? ''],
    ],
    terminal,
  );
}

function since({ changedAt, changedBy }: FeatureState): string {
  if (changedAt === undefined) return 'as configured';
  return `${new Date(changedAt).toISOString()} by ${changedBy}`;
}
