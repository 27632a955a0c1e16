import type { IncomingMessage } from 'node:http';
import type { ArmDouble, ArmOptions } from './arm-double.ts';
import { type ArmAnswer, armError } from './arm-errors.ts';
import { ConnectionStore } from './connection-store.ts';
import { type ConnectionSeed, type StoredConnection, stored } from './connections.ts';
import { CHAT } from './connectors/chat.ts';
import { MAIL } from './connectors/mail.ts';
import { ConsentLinks } from './consent-links.ts';
import { type ArmRequestRecord, Interference, throttled } from './interference.ts';
import { ConnectorSide } from './invoke.ts';
import type { Json } from './json.ts';
import { type ConnectorDocument, fillerApis } from './managed-apis.ts';
import { Management } from './management.ts';
import { armHeaders, listening, received, send } from './serving.ts';
import { ArmTokens } from './tokens.ts';

export type { ArmDouble, ArmOptions } from './arm-double.ts';
export type { ConnectorDocument } from './managed-apis.ts';

/** Where a browser can go after a consent when nobody waits for it. */
const SIGNED_IN: ArmAnswer = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Signed in</title><p>The connection is signed in. Call the tool again.</p>',
};

/** Starts the double on 127.0.0.1. */
export async function startArm(options: ArmOptions = {}): Promise<ArmDouble> {
  const { now = Date.now, subscription = '11111111-2222-4333-8444-555555555555' } = options;
  const { resourceGroup = 'connectors', location = 'westus' } = options;
  const tokens = new ArmTokens(now, options.anyToken === true);
  const consent = new ConsentLinks(now);
  const connectors = new ConnectorSide();
  connectors.refuseUnlisted = options.refuseUnlisted === true;
  const interference = new Interference();
  const requests: ArmRequestRecord[] = [];
  const exports = { now: 0, peak: 0 };
  const left = { count: 11_999 };

  const side = await listening(options.sidePort, (request, response) => {
    const [, kind, id = ''] = new URL(request.url!, 'http://side').pathname.split('/');
    if (kind === 'consent') {
      const { connection, answer } = consent.visit(id);
      if (connection !== undefined) signIn(connection);
      return send(response, answer);
    }
    if (kind === 'signed-in') return send(response, SIGNED_IN);
    const api = kind === 'documents' ? store.apis.get(id.replace(/\.json$/, '')) : undefined;
    return send(response, api === undefined ? { status: 404 } : { status: 200, body: api.swagger });
  });
  const main = await listening(options.port, async (incoming, response) => {
    const request = await received(incoming);
    const index = requests.push(request) - 1;
    const exporting = request.query.export === 'true' ? 1 : 0;
    exports.now += exporting;
    exports.peak = Math.max(exports.peak, exports.now);
    const plan = interference.take(request);
    if (typeof plan === 'object' && 'hold' in plan) await plan.hold;
    const answer =
      plan === undefined || (typeof plan === 'object' && 'hold' in plan) ? answered(request, incoming) : plan;
    exports.now -= exporting;
    requests[index] = { ...request, status: answer === 'drop' ? 0 : answer.status };
    if (answer === 'drop') incoming.socket.destroy();
    else send(response, { ...answer, headers: { ...armHeaders(request, left), ...answer.headers } });
  });
  const region = { subscription, location, documentsUrl: side.url };
  const store = new ConnectionStore({
    ...region,
    url: main.url,
    resourceGroup,
    pageSize: options.pageSize,
    now,
  });
  const management = new Management({
    ...region,
    resourceGroup,
    store,
    consent,
    connectors,
    pageUrl: side.url,
  });
  const signIn = (name: string) => {
    const known = store.connections.get(name.toLowerCase());
    if (known !== undefined) store.signIn(known);
  };

  function answered(request: ArmRequestRecord, incoming: IncomingMessage): ArmAnswer {
    const caller = tokens.check(incoming.headers.authorization);
    if ('status' in caller) return caller;
    let body: Json | undefined;
    try {
      body = request.body === '' ? undefined : (JSON.parse(request.body) as Json);
    } catch {
      return armError(
        400,
        'InvalidRequestContent',
        'The request content was invalid and could not be deserialized.',
      );
    }
    const { method, query } = request;
    const segments = segmentsOf(request.path);
    if (segments === undefined) return armError(400, 'InvalidRequestUri', 'The request URI is not valid.');
    return management.answer({ method, segments, query, body, text: request.body, caller });
  }

  const putConnector = (connector: ConnectorDocument) => {
    store.apis.set(connector.name.toLowerCase(), connector);
    connectors.install(connector.name.toLowerCase(), connector.swagger);
  };
  const putConnection = (seed: ConnectionSeed) => {
    store.connections.set(seed.name.toLowerCase(), stored(seed, now()));
  };
  for (const connector of options.connectors ?? [MAIL, CHAT]) putConnector(connector);
  for (const filler of fillerApis(options.fillerApis ?? 40)) store.apis.set(filler.name, filler);
  for (const seed of options.connections ?? [{ name: 'mail', api: 'mail' }]) putConnection(seed);

  return {
    url: main.url,
    sideUrl: side.url,
    subscription,
    resourceGroup,
    location,
    requests,
    invocations: connectors.invocations,
    escaped: connectors.escaped,
    get peakExports() {
      return exports.peak;
    },
    get remaining() {
      return left.count;
    },
    set remaining(count) {
      left.count = count;
    },
    token: (mint) => tokens.mint(mint),
    refuseToken: (token) => tokens.refuse(token),
    deny: (action) => void management.denied.add(action),
    allow: (action) => void management.denied.delete(action),
    putConnector,
    putConnection,
    removeConnection: (name) => void store.connections.delete(name.toLowerCase()),
    changeConnection: (name, change) => {
      const known = store.connections.get(name.toLowerCase());
      if (known === undefined) throw new Error(`the double has no connection ${name}`);
      store.connections.set(name.toLowerCase(), { ...known, ...change } as StoredConnection);
    },
    connection: (name) => {
      const known = store.connections.get(name.toLowerCase());
      return known === undefined ? undefined : store.resource(known);
    },
    script: (key, ...answers) => connectors.scripts.set(key, answers),
    pages: (key, rows, size) => connectors.pages(key, rows, size),
    interrupt: (interruption) => interference.add(interruption),
    breakApi: (api, damage) => interference.breakApi(api, damage),
    healApi: (api) => interference.heal(api),
    throttle: (times, seconds) => interference.add({ when: () => true, plan: throttled(seconds), times }),
    expireConsentLinks: () => consent.expire(),
    forget: () => {
      for (const list of [requests, connectors.invocations, connectors.escaped]) list.length = 0;
      connectors.scripts.clear();
      interference.clear();
      exports.peak = 0;
    },
    close: async () => {
      await Promise.all([main.close(), side.close()]);
    },
  };
}

/** Decoded; undefined where the encoding is none. */
function segmentsOf(path: string): string[] | undefined {
  try {
    return path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
