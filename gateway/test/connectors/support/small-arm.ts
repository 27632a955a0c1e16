import {
  type Answer,
  type LoopbackService,
  type ReceivedRequest,
  startLoopbackService,
} from '../../doubles/loopback-service.ts';

export const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';
export const GROUP = 'rg-one';
const WEB = 'providers/Microsoft.Web';
const BASE = `/subscriptions/${SUBSCRIPTION}`;
export const CONNECTIONS = `${BASE}/resourceGroups/${GROUP}/${WEB}/connections`;
export const APIS = `${BASE}/${WEB}/locations/westus/managedApis`;

export interface SmallConnection {
  readonly name: string;
  readonly api: string;
  readonly status?: string;
  readonly state?: string;
  readonly displayName?: string;
}

/** As little of Azure Resource Manager as the tests of one room need; everything else answers 404. */
export interface SmallArm {
  readonly service: LoopbackService;
  readonly url: string;
  readonly connections: Map<string, SmallConnection>;
  /** Documents by API; what is no document is answered as it is. */
  readonly apis: Map<string, Answer | object>;
  /** Looked at first. */
  instead: ((request: ReceivedRequest) => Answer | undefined | Promise<Answer | undefined>) | undefined;
  /** Entries of one answer; 0: all. */
  pageSize: number;
  /** Requests by method and last part of the path, e.g. `GET connections`. */
  asked(what: string): number;
  close(): Promise<void>;
}

export async function startSmallArm(): Promise<SmallArm> {
  const connections = new Map<string, SmallConnection>();
  const apis = new Map<string, Answer | object>();
  const service = await startLoopbackService('', async (request) => {
    const other = await arm.instead?.(request);
    return other ?? answer(request);
  });
  const arm: SmallArm = {
    service,
    url: service.url,
    connections,
    apis,
    instead: undefined,
    pageSize: 0,
    asked: (what) => service.requests.filter((request) => nameOf(request) === what).length,
    close: service.close,
  };

  function answer(request: ReceivedRequest): Answer {
    const { method, path, query, body } = request;
    if (path === CONNECTIONS) return page(query);
    if (path.startsWith(`${CONNECTIONS}/`)) {
      const [name = '', action] = path
        .slice(CONNECTIONS.length + 1)
        .split('/')
        .map(decodeURIComponent);
      return connection(method, name, action, body);
    }
    if (path === APIS) return { status: 200, body: { value: [...apis.keys()].map(managedApi) } };
    const api = apis.get(decodeURIComponent(path.slice(APIS.length + 1)));
    if (api === undefined) return armError(404, 'ApiNotFound', 'There is no such API.');
    const exporting = query.some(([key]) => key === 'export');
    if (!exporting) return { status: 200, body: managedApi(decodeURIComponent(path.slice(APIS.length + 1))) };
    return 'status' in api ? (api as Answer) : { status: 200, body: api };
  }

  function page(query: ReceivedRequest['query']): Answer {
    const all = [...connections.values()].map(resourceOf);
    if (arm.pageSize === 0) return { status: 200, body: { value: all } };
    const from = Number(query.find(([key]) => key === 'skip')?.[1] ?? 0);
    const next = from + arm.pageSize;
    const nextLink = `${arm.url}${CONNECTIONS}?api-version=2016-06-01&skip=${next}`;
    return {
      status: 200,
      body: { value: all.slice(from, next), ...(next < all.length ? { nextLink } : {}) },
    };
  }

  function connection(method: string, name: string, action: string | undefined, body: Buffer): Answer {
    const known = connections.get(name);
    if (method === 'PUT') {
      const { properties } = JSON.parse(body.toString());
      const api = properties.api.id.split('/').at(-1);
      connections.set(name, {
        name,
        api,
        status: known === undefined ? 'Error' : (known.status ?? 'Connected'),
        displayName: properties.displayName,
      });
      return { status: known === undefined ? 201 : 200, body: resourceOf(connections.get(name)!) };
    }
    if (known === undefined)
      return armError(404, 'ResourceNotFound', `The Resource '${name}' was not found.`);
    if (method === 'DELETE') {
      connections.delete(name);
      return { status: 200 };
    }
    if (action === 'listConsentLinks') {
      return {
        status: 200,
        body: { value: [{ link: `https://consent.example/${name}`, status: 'Unauthenticated' }] },
      };
    }
    if (action === 'confirmConsentCode') connections.set(name, { ...known, status: 'Connected' });
    return { status: 200, body: resourceOf(connections.get(name)!) };
  }

  return arm;
}

/** `GET connections`, `POST listConsentLinks`; an export is `EXPORT api`. */
function nameOf({ method, path, query }: ReceivedRequest): string {
  const last = decodeURIComponent(path.split('/').at(-1) ?? '');
  return query.some(([key]) => key === 'export') ? `EXPORT ${last}` : `${method} ${last}`;
}

export function armError(status: number, code: string, message: string): Answer {
  return { status, headers: { 'x-ms-request-id': 'req-1' }, body: { error: { code, message } } };
}

export function resourceOf({
  name,
  api,
  status = 'Connected',
  state = 'Enabled',
  displayName,
}: SmallConnection) {
  const failed = { status, target: 'token', error: { code: 'Unauthenticated', message: 'Not signed in.' } };
  return {
    kind: 'V1',
    id: `${CONNECTIONS}/${name}`,
    name,
    type: 'Microsoft.Web/connections',
    location: 'westus',
    properties: {
      displayName: displayName ?? name,
      overallStatus: status,
      statuses: [status === 'Connected' ? { status } : failed],
      connectionState: state,
      parameterValues: { key: 'kept-by-azure' },
      api: { name: api, displayName: `The ${api} service`, id: `${APIS}/${api}` },
      testLinks: [{ requestUri: 'https://management.example/test', method: 'get' }],
    },
  };
}

function managedApi(name: string) {
  return {
    name,
    location: 'westus',
    properties: {
      name,
      generalInformation: {
        displayName: `The ${name} service`,
        description: `Works with ${name}.`,
        tier: 'Standard',
        releaseTag: 'Production',
      },
      capabilities: ['actions'],
      connectionParameters: {
        token: {
          type: 'oauthSetting',
          oAuthSettings: { identityProvider: 'aad', clientId: 'internal-client' },
        },
        region: {
          type: 'string',
          uiDefinition: {
            displayName: 'Region',
            constraints: { required: 'true', allowedValues: [{ text: 'Europe', value: 'eu' }] },
          },
        },
        secret: {
          type: 'securestring',
          defaultValue: 'never',
          uiDefinition: { constraints: { required: 'false' } },
        },
        filled: { type: 'string', uiDefinition: { constraints: { hidden: 'true' } } },
      },
    },
  };
}

/** A document with so many operations. */
export function swagger(
  title: string,
  ...operations: string[]
): { swagger: string; info: object; paths: object } {
  const paths = operations.map((operationId) => [
    `/{connectionId}/${operationId}`,
    {
      get: {
        operationId,
        summary: `${operationId} of ${title}`,
        parameters: [
          { name: 'connectionId', in: 'path', required: true, type: 'string', 'x-ms-visibility': 'internal' },
        ],
        responses: { 200: { description: 'OK', schema: { type: 'object' } } },
      },
    },
  ]);
  return { swagger: '2.0', info: { title, version: '1.0' }, paths: Object.fromEntries(paths) };
}
