import { type ArmAnswer, armError, invalidContent } from './arm-errors.ts';
import { type ConnectionSeed, connectionResource, type StoredConnection, stored } from './connections.ts';
import { type Json, type JsonObject, objectOf, textOf } from './json.ts';
import { type ConnectorDocument, managedApi, parametersOf, type Region } from './managed-apis.ts';

export interface StoreSettings extends Region {
  /** Where ARM itself is, for addresses of next pages. */
  readonly url: string;
  readonly resourceGroup: string;
  /** Connections in one answer; undefined: all. */
  readonly pageSize: number | undefined;
  readonly now: () => number;
}

const NAME = /^[A-Za-z0-9_.\-()]{1,80}$/;

/** The connections of the resource group and the managed APIs of the region; names without regard to case. */
export class ConnectionStore {
  readonly apis = new Map<string, ConnectorDocument>();
  readonly connections = new Map<string, StoredConnection>();
  readonly #settings: StoreSettings;

  constructor(settings: StoreSettings) {
    this.#settings = settings;
  }

  get groupPath(): string {
    return `/subscriptions/${this.#settings.subscription}/resourceGroups/${this.#settings.resourceGroup}`;
  }

  resource(connection: StoredConnection): JsonObject {
    const api = this.apis.get(connection.api.toLowerCase());
    return connectionResource(connection, api, this.#settings, this.groupPath);
  }

  list(query: Readonly<Record<string, string>>): ArmAnswer {
    const all = [...this.connections.values()];
    const start = Number(query.$skiptoken ?? 0);
    const size = Number(query.$top ?? this.#settings.pageSize ?? all.length);
    const { 'api-version': version = '' } = query;
    const next = new URLSearchParams({ 'api-version': version, $skiptoken: String(start + size) });
    const path = `${this.groupPath}/providers/Microsoft.Web/connections`;
    const more = start + size < all.length ? { nextLink: `${this.#settings.url}${path}?${next}` } : {};
    return {
      status: 200,
      body: { value: all.slice(start, start + size).map((one) => this.resource(one)), ...more },
    };
  }

  put(name: string, body: Json | undefined): ArmAnswer {
    if (!NAME.test(name)) return invalidContent(`The connection name '${name}' is not valid.`);
    const { location, properties } = objectOf(body);
    const given = objectOf(properties);
    if (!same(textOf(location), this.#settings.location))
      return invalidContent("The 'location' is missing or not that of the API.");
    const id = textOf(objectOf(given.api).id);
    const api = this.apis.get(id.split('/').at(-1)!.toLowerCase());
    const expected = api === undefined ? '' : textOf(managedApi(api, this.#settings).id);
    if (api === undefined || !same(id, expected))
      return armError(404, 'ApiNotFound', `The API '${id}' could not be found.`);
    const values = objectOf(given.parameterValues);
    const unknown = Object.keys(values).find((one) => !Object.hasOwn(parametersOf(api), one));
    if (unknown !== undefined)
      return armError(
        400,
        'ParameterNotDefined',
        `Parameter '${unknown}' is not defined on the API '${api.name}'.`,
      );
    const known = this.connections.get(name.toLowerCase());
    const seed = {
      name,
      api: api.name,
      displayName: textOf(given.displayName) || name,
    } satisfies ConnectionSeed;
    const shown = shownValues(api, values);
    const next: StoredConnection =
      known === undefined
        ? stored(
            { ...seed, status: api.consent === false ? 'Connected' : 'Error' },
            this.#settings.now(),
            shown,
          )
        : { ...known, ...seed, values: shown, changedTime: new Date(this.#settings.now()).toISOString() };
    this.connections.set(name.toLowerCase(), next);
    return { status: known === undefined ? 201 : 200, body: this.resource(next) };
  }

  patch(known: StoredConnection, body: Json | undefined): ArmAnswer {
    const { displayName } = objectOf(objectOf(body).properties);
    const next = { ...known, ...(typeof displayName === 'string' ? { displayName } : {}) };
    this.connections.set(known.name.toLowerCase(), next);
    return { status: 200, body: this.resource(next) };
  }

  /** Somebody has signed the connection in; what it is now. */
  signIn(known: StoredConnection): StoredConnection {
    const changedTime = new Date(this.#settings.now()).toISOString();
    const next: StoredConnection = { ...known, status: 'Connected', user: 'ada@example.com', changedTime };
    this.connections.set(known.name.toLowerCase(), next);
    return next;
  }
}

export const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Values that are no secrets: ARM gives these back, and no others. */
function shownValues(api: ConnectorDocument, values: JsonObject): JsonObject {
  const parameters = parametersOf(api);
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name]) => !/^secure|^oauth/.test(textOf(objectOf(parameters[name]).type)),
    ),
  );
}
