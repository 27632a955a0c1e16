import { join } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import { isOfConnection } from '../../operations/http/connection-headers.ts';
import type { CredentialSettings, PlainReference } from '../../operations/index.ts';
import { didYouMean } from '../../operations/text/nearest-name.ts';
import { withBasePaths } from '../base-path.ts';
import type { Configuration, SourceConfiguration } from '../configuration.ts';
import { DEFAULTS } from '../defaults.ts';
import { resolveSecret, type SecretContext } from '../secrets.ts';
import { withFeatures } from '../settings/features.ts';
import { uncheckedPermissions } from '../settings/permissions.ts';
import { DEFAULT_SURFACE, topologyName, unknownTopology } from '../settings/topology.ts';

/** What the command line says over the file. */
export interface ConfigurationOverrides {
  /** Of every source, whatever the file says of one; rules for single callers stay. */
  readonly topology?: string;
  /** Category tools of hybrid and categories. */
  readonly maxCategoryTools?: number;
  /** False: no operation requires a permission. */
  readonly permissionCheck?: false;
  /** Features by their name within a source, on every source that has them. */
  readonly features?: Readonly<Record<string, boolean>>;
  readonly host?: string;
  readonly port?: number;
  readonly token?: PlainReference;
  /** False: nothing will listen, so a token that cannot be read is no obstacle and is left out. Default: true. */
  readonly listening?: boolean;
  readonly watch?: boolean;
  readonly cache?: boolean;
  readonly stateDirectory?: string;
  /** Lock and report go there instead of beside the file. */
  readonly lockDirectory?: string;
  readonly allowPrivate?: readonly string[];
  /** `source` may be absent where there is one source that can take it. */
  readonly baseUrls?: ReadonlyArray<{ readonly source?: string; readonly url: string }>;
  readonly credentials?: readonly CredentialOverride[];
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>;
}

export interface CredentialOverride {
  readonly source?: string;
  /** A security scheme of the document; absent: by type, whatever the scheme is called. */
  readonly scheme?: string;
  readonly settings: CredentialSettings;
}

/** The configuration as the command line wants it. Throws `usage` where an option does not fit the sources. */
export function applyOverrides(
  configuration: Configuration,
  overrides: ConfigurationOverrides,
  context: SecretContext,
): Configuration {
  const { topology, host, port, token, watch, cache, stateDirectory, lockDirectory } = overrides;
  const unknown = topology === undefined ? undefined : unknownTopology(topology, DEFAULTS.topologies);
  if (unknown !== undefined) throw new ToolcribError('usage', unknown);
  return {
    ...configuration,
    ...(topology === undefined ? {} : { topology: topologyName(topology) }),
    ...surfaceWith(configuration, overrides),
    ...(watch === undefined ? {} : { watch }),
    ...(cache === undefined ? {} : { cache }),
    ...(stateDirectory === undefined ? {} : { stateDirectory }),
    sources: withBasePaths(
      checkedSources(sourcesWith(sourcesListedBy(topology, configuration), overrides), overrides),
    ),
    egress: {
      ...configuration.egress,
      allow: [...configuration.egress.allow, ...(overrides.allowPrivate ?? [])],
    },
    lock:
      lockDirectory === undefined
        ? configuration.lock
        : {
            mode: configuration.lock.mode,
            file: join(lockDirectory, DEFAULTS.lockFile),
            report: join(lockDirectory, DEFAULTS.reportFile),
          },
    server: {
      ...configuration.server,
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port }),
      ...(token === undefined || overrides.listening === false
        ? {}
        : { token: resolveSecret(token, 'The server token', context) }),
    },
  };
}

/** Whoever names a topology means it for every source, also for those that have one of their own in the file. */
function sourcesListedBy(topology: string | undefined, { sources }: Configuration): Configuration['sources'] {
  if (topology === undefined) return sources;
  return Object.fromEntries(
    Object.entries(sources).map(([name, { topology: own, ...source }]) => [
      name,
      own === undefined ? source : { ...source, topology: topologyName(topology) },
    ]),
  );
}

function surfaceWith(
  { surface = DEFAULT_SURFACE }: Configuration,
  { maxCategoryTools }: ConfigurationOverrides,
): Pick<Configuration, 'surface'> {
  if (maxCategoryTools === undefined) return {};
  return { surface: { ...surface, options: { ...surface.options, maxCategoryTools } } };
}

/** Sources with what the command line says about permissions and features. Throws `feature_unknown`. */
function checkedSources(
  sources: Configuration['sources'],
  { permissionCheck, features = {} }: ConfigurationOverrides,
): Configuration['sources'] {
  const switched = withFeatures(sources, features);
  if (permissionCheck !== false) return switched;
  return Object.fromEntries(
    Object.entries(switched).map(([name, { permissions, ...source }]) => [
      name,
      permissions === undefined ? source : { ...source, permissions: uncheckedPermissions(permissions) },
    ]),
  );
}

function sourcesWith(
  sources: Configuration['sources'],
  overrides: ConfigurationOverrides,
): Configuration['sources'] {
  const changed: Record<string, SourceConfiguration> = { ...sources };
  const edit = (option: string, named: string | undefined, change: Partial<SourceConfiguration>): void => {
    const name = targetOf(sources, option, named);
    changed[name] = { ...changed[name]!, ...change };
  };
  for (const { source, url } of overrides.baseUrls ?? []) {
    const name = targetOf(sources, '--base-url', source);
    // who names another address means a host, not a name behind the socket
    const { socketPath: _socket, ...reached } = changed[name]!;
    changed[name] = { ...reached, baseUrl: url };
  }
  for (const { source, scheme, settings } of overrides.credentials ?? []) {
    const { credentials } = changed[targetOf(sources, '--auth', source)]!;
    const before = credentials === undefined || credentials === 'none' ? {} : credentials;
    const after =
      scheme === undefined
        ? { ...before, ...settings }
        : { ...before, schemes: { ...before.schemes, [scheme]: settings } };
    edit('--auth', source, { credentials: after });
  }
  for (const [name, value] of overrides.headers ?? []) {
    const target = targetOf(sources, '--header', undefined);
    if (isOfConnection(name)) {
      throw new ToolcribError(
        'configuration_invalid',
        `--header sets ${name}, which belongs to the connection itself: leave it out.`,
      );
    }
    const { headers } = changed[target]!;
    edit('--header', target, { headers: { ...headers, [name]: value } });
  }
  return changed;
}

/** Kinds that no base URL, header or credential of the command line is about. */
const WITHOUT_BASE_URL: ReadonlySet<string> = new Set(['self', 'function', 'mcp', 'azure']);

/** The source that an option is about. */
function targetOf(sources: Configuration['sources'], option: string, named: string | undefined): string {
  if (named !== undefined) {
    if (Object.hasOwn(sources, named)) return named;
    throw new ToolcribError(
      'source_unknown',
      `${option} names the source "${named}", which there is not.${didYouMean(named, Object.keys(sources))}`,
    );
  }
  const remote = Object.entries(sources).filter(([, { kind }]) => !WITHOUT_BASE_URL.has(kind));
  if (remote.length === 1) return remote[0]![0];
  throw new ToolcribError(
    'usage',
    remote.length === 0
      ? `${option} needs a source that calls a remote API; there is none.`
      : `${option} could mean any of ${remote.map(([name]) => name).join(', ')}; name one, or set it in the configuration file.`,
  );
}
