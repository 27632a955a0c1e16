import { type ArmAnswer, armError, authorizationFailed, invalidContent } from './arm-errors.ts';
import type { ConnectionStore } from './connection-store.ts';
import { connectionHex, isSignedIn, type StoredConnection } from './connections.ts';
import type { ConsentLinks } from './consent-links.ts';
import type { ConnectorSide } from './invoke.ts';
import { isObject, type Json, type JsonObject, objectOf, textOf } from './json.ts';
import { writtenAnswer } from './scripts.ts';
import type { Caller } from './tokens.ts';

/** One of the POSTs below a connection. */
export interface ActionRequest {
  readonly body: Json | undefined;
  /** Body byte for byte. */
  readonly text: string;
  readonly caller: Caller;
}

export interface ActionSettings {
  readonly store: ConnectionStore;
  readonly consent: ConsentLinks;
  readonly connectors: ConnectorSide;
  /** Where the pages of consent links are. */
  readonly pageUrl: string;
}

/** Carries out an action by its name; undefined: there is none of that name. */
export function connectionAction(
  settings: ActionSettings,
  known: StoredConnection,
  action: string,
  request: ActionRequest,
): ArmAnswer | undefined {
  const { store, consent, pageUrl } = settings;
  switch (action.toLowerCase()) {
    case 'dynamicinvoke':
      return invoked(settings, known, objectOf(objectOf(request.body).request), request.text);
    case 'listconsentlinks':
      return consent.list(known.name, isSignedIn(known), request.body, request.caller, pageUrl);
    case 'confirmconsentcode': {
      if (!consent.confirm(known.name, textOf(objectOf(request.body).code)))
        return invalidContent('The consent code is not valid.');
      return { status: 200, body: store.resource(store.signIn(known)) };
    }
    case 'listconnectionkeys': {
      // They are secrets: whoever asks for them here does something wrong.
      const right = 'Microsoft.Web/connections/listConnectionKeys/action';
      return authorizationFailed(right, store.groupPath, request.caller.objectId);
    }
    default:
      return undefined;
  }
}

/** The GET form of `dynamicInvoke`: `…/extensions/proxy/<path>`. */
export function proxied(
  settings: ActionSettings,
  known: StoredConnection,
  path: readonly string[],
  query: Readonly<Record<string, string>>,
): ArmAnswer {
  const { 'api-version': _version, ...queries } = query;
  return invoked(
    settings,
    known,
    { method: 'GET', path: path.map(encodeURIComponent).join('/'), queries },
    '',
  );
}

function invoked(
  { connectors }: ActionSettings,
  known: StoredConnection,
  request: JsonObject,
  text: string,
): ArmAnswer {
  const { method, path } = request;
  if (typeof method !== 'string' || typeof path !== 'string')
    return invalidContent("The request content has no 'request' with method and path.");
  for (const name of ['queries', 'headers'])
    if (request[name] !== undefined && !isObject(request[name]))
      return invalidContent(`'request.${name}' is no object.`);
  const connection = {
    name: known.name,
    api: known.api.toLowerCase(),
    id: connectionHex(known.name),
    enabled: known.state === 'Enabled',
    signedIn: isSignedIn(known),
  };
  const queries = objectOf(request.queries);
  const headers = objectOf(request.headers);
  const answer = connectors.answer(connection, { method, path, queries, headers, body: request.body }, text);
  return answer === undefined
    ? armError(500, 'InternalServerError', 'The path is not one of the connector.')
    : { status: 200, body: writtenAnswer(answer) };
}
