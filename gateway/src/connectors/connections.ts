import { type AzureSettings, isObject } from '../operations/index.ts';
import type { SnapshotConnection } from '../sources/azure/snapshot.ts';
import { type ArmPaths, isSegment } from './arm-paths.ts';
import { lineOf, objectOf } from './plain-values.ts';

/** One API connection as Azure lists it. */
export interface ArmConnection extends SnapshotConnection {
  /** ARM's word: `Connected`, `Error`, …; `Unknown` where it says none. */
  readonly status: string;
  /** What ARM says is wrong, e.g. `Unauthenticated`. */
  readonly error?: { readonly code?: string; readonly message?: string };
  readonly disabled: boolean;
  readonly location?: string;
  readonly id?: string;
  /** Path of its API's resource. */
  readonly apiPath: string;
}

/** Of all the words for states, one means that calls go through. */
export function isConnected(status: string | undefined): boolean {
  return status?.toLowerCase() === 'connected';
}

function isDisabled(word: unknown): boolean {
  return typeof word === 'string' && word.toLowerCase() === 'disabled';
}

function stateOf(word: string | undefined): string {
  return isConnected(word) ? 'Connected' : (word ?? 'Unknown');
}

/** A person has to sign it in; other errors (a wrong key, a host that is down) are not mended by that. */
export function needsConsent({ status, error }: Pick<ArmConnection, 'status' | 'error'>): boolean {
  if (isConnected(status)) return false;
  return error?.code === undefined ? true : /unauthenticated|unauthorized|consent/i.test(error.code);
}

/** Reads one entry of a list, or one resource; undefined where it has no name or API that can be asked for. */
export function readConnection(
  resource: unknown,
  paths: ArmPaths,
  settings: AzureSettings,
): ArmConnection | undefined {
  if (!isObject(resource)) return undefined;
  const { name, id, location } = resource;
  const properties = objectOf(resource['properties']);
  const apiResource = objectOf(properties['api']);
  const api = apiResource['name'] ?? lastSegment(apiResource['id']);
  if (typeof name !== 'string' || typeof api !== 'string' || !isSegment(name) || !isSegment(api))
    return undefined;
  const [first] = Array.isArray(properties['statuses']) ? properties['statuses'] : [];
  const state = objectOf(first);
  const error = readError(state['error']);
  return {
    name,
    api,
    displayName: displayNameOf(properties['displayName'], name, api, apiResource['displayName']),
    status: stateOf(wordOf(properties['overallStatus']) ?? wordOf(state['status'])),
    ...(error === undefined ? {} : { error }),
    // `connectionState` is the operator's switch; some answers say it where the status stands
    disabled: [properties['connectionState'], properties['overallStatus'], state['status']].some(isDisabled),
    ...(typeof location === 'string' ? { location } : {}),
    ...(typeof id === 'string' ? { id } : {}),
    apiPath: apiPathOf(apiResource['id'], api, paths, settings),
  };
}

/** What its author called it, unless that only repeats a name: then what the API is called. */
function displayNameOf(own: unknown, name: string, api: string, ofApi: unknown): string {
  const given = shown(own);
  if (given !== undefined && given !== name && given !== api) return given;
  return shown(ofApi) ?? api;
}

/**
 * Another subscription's id says nothing that our token could read; the region in it does, and a custom API lies in a
 * resource group.
 */
function apiPathOf(id: unknown, api: string, paths: ArmPaths, { subscription }: AzureSettings): string {
  if (typeof id !== 'string') return paths.managedApi(api);
  const managed =
    /^\/subscriptions\/[^/]+\/providers\/Microsoft\.Web\/locations\/([^/]+)\/managedApis\/[^/]+$/i;
  const custom =
    /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/Microsoft\.Web\/customApis\/([^/]+)$/i;
  const region = managed.exec(id)?.[1];
  if (region !== undefined && isSegment(region)) return paths.managedApi(api, region);
  const [, owner, group, name] = custom.exec(id) ?? [];
  const ours = owner?.toLowerCase() === subscription.toLowerCase();
  if (ours && group !== undefined && name !== undefined && isSegment(group) && isSegment(name)) {
    return paths.customApi(name, group);
  }
  return paths.managedApi(api);
}

function readError(value: unknown): ArmConnection['error'] {
  if (!isObject(value)) return undefined;
  const code = wordOf(value['code']);
  const message = shown(value['message'], 500);
  if (code === undefined && message === undefined) return undefined;
  return { ...(code === undefined ? {} : { code }), ...(message === undefined ? {} : { message }) };
}

function lastSegment(id: unknown): string | undefined {
  return typeof id === 'string' ? id.split('/').at(-1) : undefined;
}

function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,60}$/.test(value) ? value : undefined;
}

function shown(value: unknown, maxLength = 100): string | undefined {
  return lineOf(value, maxLength);
}
