import { isObject, type Json, type JsonObject } from '../operations/index.ts';
import { scalarText } from '../operations/text/scalar-text.ts';
import { type ArmClient, armJson } from './arm-client.ts';
import type { ArmPaths } from './arm-paths.ts';
import type { Clock } from './clock.ts';
import { listAll } from './list-pages.ts';
import { lineOf, objectOf } from './plain-values.ts';

/** 1,520 entries are 4 MB. */
const MAX_BYTES = 16 * 1024 * 1024;
const KEPT_MS = 10 * 60_000;
const MAX_LOCATIONS = 4;
const DESCRIPTION_LENGTH = 240;

/** What a list shows of one managed API. */
export interface ManagedApi {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly tier?: string;
  readonly releaseTag?: string;
  readonly capabilities: readonly string[];
  /** A person signs its connections in. */
  readonly consent: boolean;
  /** Names of what `put_connection` takes in `parameterValues`. */
  readonly parameters: readonly string[];
}

export interface ManagedApis {
  /** All of a region, from memory for ten minutes. Throws ToolcribError. */
  list(location: string, signal: AbortSignal): Promise<readonly ManagedApi[]>;
  /** One, with everything that a connection of it asks for. Throws ToolcribError. */
  get(name: string, location: string, signal: AbortSignal): Promise<JsonObject>;
  forget(): void;
}

const ACTION = 'Microsoft.Web/locations/managedApis/read';

export function managedApis(client: ArmClient, paths: ArmPaths, clock: Clock): ManagedApis {
  const kept = new Map<string, { readonly apis: readonly ManagedApi[]; readonly until: number }>();
  return {
    async list(location, signal) {
      const before = kept.get(location);
      if (before !== undefined && before.until > clock.now()) return before.apis;
      const request = { method: 'GET', path: paths.managedApis(location) } as const;
      const purpose = { what: `list the APIs of ${location}`, action: ACTION };
      const entries = await listAll(client, request, purpose, signal, MAX_BYTES);
      const apis = entries.flatMap((entry) => readApi(entry) ?? []);
      kept.delete(location);
      kept.set(location, { apis, until: clock.now() + KEPT_MS });
      if (kept.size > MAX_LOCATIONS) kept.delete(kept.keys().next().value!);
      return apis;
    },
    async get(name, location, signal) {
      const purpose = { what: `get the API ${name}`, action: ACTION };
      const request = { method: 'GET', path: paths.managedApi(name, location) } as const;
      const resource = armJson(await client.ask(request, purpose, signal, { maxBytes: MAX_BYTES }), purpose);
      const properties = objectOf(objectOf(resource)['properties']);
      return {
        ...JSON.parse(JSON.stringify(readApi(resource) ?? { name })),
        location,
        connectionParameters: parametersOf(properties['connectionParameters']),
        ...parameterSetsOf(properties['connectionParameterSets']),
      };
    },
    forget: () => kept.clear(),
  };
}

function readApi(resource: unknown): ManagedApi | undefined {
  if (!isObject(resource)) return undefined;
  const properties = objectOf(resource['properties']);
  const name = resource['name'] ?? properties['name'];
  if (typeof name !== 'string') return undefined;
  const general = objectOf(properties['generalInformation']);
  const tier = text(general['tier']);
  const releaseTag = text(general['releaseTag']);
  const parameters = Object.entries(objectOf(properties['connectionParameters']));
  const sets = objectOf(properties['connectionParameterSets'])['values'];
  const inSets = (Array.isArray(sets) ? sets : []).flatMap((set) =>
    Object.entries(objectOf(objectOf(set)['parameters'])),
  );
  const capabilities = Array.isArray(properties['capabilities']) ? properties['capabilities'] : [];
  return {
    name,
    displayName: text(general['displayName']) ?? name,
    description: text(general['description'], DESCRIPTION_LENGTH) ?? '',
    ...(tier === undefined ? {} : { tier }),
    ...(releaseTag === undefined ? {} : { releaseTag }),
    capabilities: capabilities.filter((word) => typeof word === 'string'),
    consent: [...parameters, ...inSets].some(
      ([, parameter]) => objectOf(parameter)['type'] === 'oauthSetting',
    ),
    parameters: [...new Set([...parameters, ...inSets].filter(isAskedFor).map(([key]) => key))],
  };
}

/** Neither the sign-in itself nor what the service fills in. */
function isAskedFor([, parameter]: readonly [string, Json]): boolean {
  const { type, uiDefinition } = objectOf(parameter);
  const { hidden } = objectOf(objectOf(uiDefinition)['constraints']);
  return type !== 'oauthSetting' && !isTrue(hidden);
}

/** `true` in either of the ways that documents write it. */
function isTrue(value: unknown): boolean {
  return scalarText(value)?.toLowerCase() === 'true';
}

/** Type, texts, whether it is required, and what is allowed: nothing of how the service itself signs in. */
function parametersOf(value: unknown): JsonObject {
  return Object.fromEntries(
    Object.entries(objectOf(value)).map(([name, parameter]) => [name, parameterOf(objectOf(parameter))]),
  );
}

function parameterOf(parameter: JsonObject): JsonObject {
  const definition = objectOf(parameter['uiDefinition']);
  const constraints = objectOf(definition['constraints']);
  const displayName = text(definition['displayName']);
  const description = text(definition['description'], 500) ?? text(definition['tooltip'], 500);
  const allowed = allowedValues(constraints['allowedValues'] ?? parameter['allowedValues']);
  const provider = text(objectOf(parameter['oAuthSettings'])['identityProvider']);
  const preset = parameter['defaultValue'] ?? constraints['defaultValue'];
  return {
    type: text(parameter['type']) ?? 'string',
    ...(displayName === undefined ? {} : { displayName }),
    ...(description === undefined ? {} : { description }),
    required: isTrue(constraints['required']),
    ...(isTrue(constraints['hidden']) ? { hidden: true } : {}),
    ...(allowed.length === 0 ? {} : { allowedValues: allowed }),
    ...(preset === undefined || isObject(preset) || parameter['type'] === 'securestring'
      ? {}
      : { default: preset }),
    ...(provider === undefined ? {} : { identityProvider: provider }),
  };
}

/** Entries are `{value, text?}` or the values themselves. */
function allowedValues(value: unknown): Json[] {
  return (Array.isArray(value) ? value : []).flatMap((entry: Json) => {
    const { value: inner } = objectOf(entry);
    if (inner !== undefined) return [inner];
    return isObject(entry) ? [] : [entry];
  });
}

function parameterSetsOf(value: unknown): JsonObject {
  const { values } = objectOf(value);
  if (!Array.isArray(values)) return {};
  const sets = values.map(objectOf).map((set) => ({
    name: text(set['name']) ?? '',
    displayName: text(objectOf(set['uiDefinition'])['displayName']) ?? '',
    parameters: parametersOf(set['parameters']),
  }));
  return { connectionParameterSets: sets };
}

function text(value: unknown, maxLength = 120): string | undefined {
  return lineOf(value, maxLength);
}
