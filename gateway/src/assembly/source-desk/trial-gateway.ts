import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withNamedDestinations } from '../../config/allowed-destinations.ts';
import { configurationForDocuments } from '../../config/command-line/for-documents.ts';
import type { Configuration, SourceConfiguration } from '../../config/configuration.ts';
import { upstreamOf } from '../../config/settings/upstreams.ts';
import type { Gateway } from '../../gateway-api.ts';

/**
 * A gateway with one source and a state directory of its own, which is gone afterwards: what comes of the source is what
 * a running gateway would have, and nothing of that one, its lock or its store is touched.
 */
export async function inTrialGateway<T>(
  name: string,
  source: SourceConfiguration,
  live: Configuration,
  open: (configuration: Configuration) => Promise<Gateway>,
  use: (gateway: Gateway) => T | Promise<T>,
): Promise<T> {
  const stateDirectory = await mkdtemp(join(tmpdir(), 'toolcrib-trial-'));
  let gateway: Gateway | undefined;
  try {
    gateway = await open(trialConfiguration(name, source, live, stateDirectory));
    return await use(gateway);
  } finally {
    await gateway?.close();
    await rm(stateDirectory, { recursive: true, force: true });
  }
}

function trialConfiguration(
  name: string,
  source: SourceConfiguration,
  live: Configuration,
  stateDirectory: string,
): Configuration {
  const { baseDirectory, categories, output, schemaProfile } = live;
  const bare = configurationForDocuments([], {
    env: {},
    cwd: baseDirectory,
    overrides: { stateDirectory },
  });
  const configuration: Configuration = {
    ...bare,
    topology: 'flat',
    sources: { [name]: patient(source) },
    egress: live.egress,
    lock: { ...bare.lock, mode: 'accept' },
    output,
    schemaProfile,
    categories,
    store: 'none',
    watch: false,
    cache: false,
  };
  return { ...configuration, egress: withNamedDestinations(configuration) };
}

/** A server that has never run may have to be fetched first. */
function patient(source: SourceConfiguration): SourceConfiguration {
  const upstream = upstreamOf(source);
  if (upstream === undefined) return source;
  return { ...source, settings: { ...upstream, patienceMs: upstream.definition.startTimeoutMs } };
}
