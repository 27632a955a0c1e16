import { type ArmAnswer, armError, authorizationFailed } from './arm-errors.ts';
import { type ActionSettings, connectionAction, proxied } from './connection-actions.ts';
import { same } from './connection-store.ts';
import type { Json } from './json.ts';
import { exported, managedApi, type Region } from './managed-apis.ts';
import type { Caller } from './tokens.ts';

/** A request to ARM after its token was looked at. */
export interface ManagementRequest {
  readonly method: string;
  /** Decoded segments after the leading slash. */
  readonly segments: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
  /** Body byte for byte. */
  readonly text: string;
  readonly caller: Caller;
}

export interface ManagementSettings extends Region, ActionSettings {
  readonly resourceGroup: string;
}

const API_VERSIONS = ['2015-08-01-preview', '2016-06-01', '2018-07-01-preview'];
const NO_METHOD = armError(405, 'MethodNotAllowed', 'The method is not allowed.');
const RIGHTS: Readonly<Record<string, string>> = {
  GET: 'read',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'delete',
};

/** Finds what a request means in a subscription with one resource group, and whether the caller may. */
export class Management {
  /** Actions that the caller has no right to, e.g. `Microsoft.Web/connections/read`. */
  readonly denied = new Set<string>();
  readonly #settings: ManagementSettings;

  constructor(settings: ManagementSettings) {
    this.#settings = settings;
  }

  /** Answers one request by its path. */
  answer(request: ManagementRequest): ArmAnswer {
    const { 'api-version': version } = request.query;
    if (version === undefined)
      return armError(
        400,
        'MissingApiVersionParameter',
        'The api-version query parameter (?api-version=) is required for all requests.',
      );
    if (!API_VERSIONS.includes(version))
      return armError(
        400,
        'InvalidApiVersionParameter',
        `The api-version '${version}' is invalid. The supported versions are '${API_VERSIONS.join(',')}'.`,
      );
    const [subscriptions = '', subscription = '', ...rest] = request.segments;
    if (!same(subscriptions, 'subscriptions')) return notFound(request);
    if (!same(subscription, this.#settings.subscription))
      return armError(404, 'SubscriptionNotFound', `The subscription '${subscription}' could not be found.`);
    const [first = '', second = '', ...tail] = rest;
    if (same(first, 'resourceGroups')) {
      if (!same(second, this.#settings.resourceGroup))
        return armError(404, 'ResourceGroupNotFound', `Resource group '${second}' could not be found.`);
      const found = isPath(tail, 'providers', 'Microsoft.Web', 'connections');
      return found ? this.#connections(request, tail.slice(3)) : notFound(request);
    }
    return isPath(rest, 'providers', 'Microsoft.Web', 'locations') && same(rest[4] ?? '', 'managedApis')
      ? this.#managedApis(request, rest[3] ?? '', rest.slice(5))
      : notFound(request);
  }

  #refusal(action: string, scope: string, { objectId }: Caller): ArmAnswer | undefined {
    const denied = [...this.denied].some((one) => same(one, action));
    return denied ? authorizationFailed(action, scope, objectId) : undefined;
  }

  #managedApis(
    { method, query, caller }: ManagementRequest,
    location: string,
    [name]: readonly string[],
  ): ArmAnswer {
    const { subscription, store } = this.#settings;
    const refused = this.#refusal(
      'Microsoft.Web/locations/managedApis/read',
      `/subscriptions/${subscription}`,
      caller,
    );
    if (refused !== undefined) return refused;
    if (method !== 'GET') return NO_METHOD;
    if (!same(location, this.#settings.location))
      return armError(
        400,
        'LocationNotAvailableForResourceType',
        `The provided location '${location}' is not available.`,
      );
    if (name === undefined)
      return {
        status: 200,
        body: { value: [...store.apis.values()].map((api) => managedApi(api, this.#settings)) },
      };
    const api = store.apis.get(name.toLowerCase());
    if (api === undefined)
      return armError(404, 'ApiNotFound', `The managed API '${name}' could not be found.`);
    const shown = query.export === 'true' ? exported : managedApi;
    return { status: 200, body: shown(api, this.#settings) };
  }

  #connections(request: ManagementRequest, [name, action, ...more]: readonly string[]): ArmAnswer {
    const { store } = this.#settings;
    const { method, caller } = request;
    const base = 'Microsoft.Web/connections';
    const scope = `${store.groupPath}/providers/${base}${name === undefined ? '' : `/${name}`}`;
    if (name === undefined)
      return (
        this.#refusal(`${base}/read`, scope, caller) ??
        (method === 'GET' ? store.list(request.query) : NO_METHOD)
      );
    if (action !== undefined) {
      const right = same(action, 'extensions') ? 'dynamicInvoke' : action;
      return (
        this.#refusal(`${base}/${right}/action`, scope, caller) ?? this.#below(request, name, action, more)
      );
    }
    const right = RIGHTS[method];
    if (right === undefined) return NO_METHOD;
    const refused = this.#refusal(`${base}/${right}`, scope, caller);
    if (refused !== undefined) return refused;
    if (method === 'PUT') return store.put(name, request.body);
    const known = store.connections.get(name.toLowerCase());
    if (method === 'DELETE') {
      store.connections.delete(name.toLowerCase());
      return { status: known === undefined ? 204 : 200 };
    }
    if (known === undefined) return missing(name);
    return method === 'PATCH'
      ? store.patch(known, request.body)
      : { status: 200, body: store.resource(known) };
  }

  #below(request: ManagementRequest, name: string, action: string, more: readonly string[]): ArmAnswer {
    const known = this.#settings.store.connections.get(name.toLowerCase());
    if (known === undefined) return missing(name);
    if (same(action, 'extensions') && same(more[0] ?? '', 'proxy') && request.method === 'GET')
      return proxied(this.#settings, known, more.slice(1), request.query);
    if (request.method !== 'POST') return NO_METHOD;
    return connectionAction(this.#settings, known, action, request) ?? notFound(request);
  }
}

const isPath = (segments: readonly string[], ...names: readonly string[]): boolean =>
  names.every((name, index) => same(segments[index] ?? '', name));

const missing = (name: string): ArmAnswer =>
  armError(404, 'ResourceNotFound', `The Resource 'Microsoft.Web/connections/${name}' was not found.`);

const notFound = ({ segments }: ManagementRequest): ArmAnswer =>
  armError(404, 'InvalidResourceType', `The resource type could not be found: '/${segments.join('/')}'.`);
