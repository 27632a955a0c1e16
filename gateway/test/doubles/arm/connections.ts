import { createHash } from 'node:crypto';
import { type JsonObject, objectOf, textOf } from './json.ts';
import { apiId, type ConnectorDocument, type Region } from './managed-apis.ts';

/** What a connection says of itself: `Connected`, `Error`, or a rarer word. */
export type ConnectionStatus = 'Connected' | 'Error' | (string & {});

/** A connection as a test puts it there. */
export interface ConnectionSeed {
  readonly name: string;
  /** Name of its managed API. */
  readonly api: string;
  readonly displayName?: string;
  /** Default `Connected`. `Error`: nobody signed in. */
  readonly status?: ConnectionStatus;
  /** Default `Enabled`. */
  readonly state?: 'Enabled' | 'Disabled';
  /** `statuses-only`: without `overallStatus`, as older resources are. */
  readonly shape?: 'statuses-only';
}

export interface StoredConnection extends ConnectionSeed {
  readonly status: ConnectionStatus;
  readonly state: 'Enabled' | 'Disabled';
  /** What a sign-in or a PUT changed; ISO 8601. */
  readonly createdTime: string;
  readonly changedTime: string;
  readonly user: string | undefined;
  readonly values: JsonObject;
}

export function stored(seed: ConnectionSeed, at: number, values: JsonObject = {}): StoredConnection {
  const time = new Date(at).toISOString();
  const status = seed.status ?? 'Connected';
  const user = status === 'Connected' ? 'ada@example.com' : undefined;
  return {
    ...seed,
    status,
    state: seed.state ?? 'Enabled',
    createdTime: time,
    changedTime: time,
    user,
    values,
  };
}

export const connectionHex = (name: string): string => createHash('md5').update(name).digest('hex');

export const isSignedIn = ({ status }: StoredConnection): boolean =>
  status === 'Connected' || status === 'Ready';

/** The resource as ARM writes it (2016-06-01). */
export function connectionResource(
  connection: StoredConnection,
  api: ConnectorDocument | undefined,
  region: Region,
  groupPath: string,
): JsonObject {
  const { name, status } = connection;
  const id = `${groupPath}/providers/Microsoft.Web/connections/${name}`;
  const error = { code: 'Unauthenticated', message: 'This connection is not authenticated.' };
  const statuses = [status === 'Error' ? { status, target: 'token', error } : { status }];
  const at = `https://management.azure.com:443${id}`;
  return {
    kind: 'V1',
    properties: {
      displayName: connection.displayName ?? name,
      connectionId: connectionHex(name),
      authenticatedUser: connection.user === undefined ? {} : { name: connection.user },
      ...(connection.shape === 'statuses-only' ? {} : { overallStatus: status }),
      statuses,
      connectionState: connection.state,
      customParameterValues: {},
      nonSecretParameterValues: connection.values,
      createdTime: connection.createdTime,
      changedTime: connection.changedTime,
      api: {
        name: connection.api,
        displayName: api?.displayName ?? connection.api,
        description: textOf(objectOf(api?.swagger.info).description),
        iconUri: `https://icons.example/${connection.api}.png`,
        brandColor: '#0078D4',
        category: api?.tier ?? 'Standard',
        id: apiId(region, connection.api),
        type: 'Microsoft.Web/locations/managedApis',
      },
      testLinks: [
        { requestUri: `${at}/extensions/proxy/testconnection?api-version=2016-06-01`, method: 'get' },
      ],
      testRequests: [
        {
          body: { request: { method: 'get', path: 'testconnection' } },
          requestUri: `${at}/dynamicInvoke?api-version=2016-06-01`,
          method: 'POST',
        },
      ],
    },
    id,
    name,
    type: 'Microsoft.Web/connections',
    location: region.location,
  };
}
