import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service that repeats whatever it is sent, in every way that one has seen services do it. */
export interface EchoService {
  readonly url: string;
  /** Everything that arrived, as text. */
  readonly heard: string[];
  close(): Promise<void>;
}

const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
  raw: (text) => text,
  percent: encodeURIComponent,
  percentForm: (text) => new URLSearchParams({ x: text }).toString(),
  percentAll: (text) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  json: (text) => JSON.stringify(text),
  jsonInJson: (text) => JSON.stringify(JSON.stringify({ text })),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64Shifted: (text) => Buffer.from(`x${text}`).toString('base64'),
  base64ShiftedTwice: (text) => Buffer.from(`xx${text}`).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hex: (text) => Buffer.from(text).toString('hex'),
  html: (text) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`),
};

/** Headers, cookies, Basic pairs and query values that arrived. */
function credentialsIn({ headers, url }: IncomingMessage): string[] {
  const values = ['authorization', 'cookie', 'x-api-key', 'x-fixed-key'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [value, value.replace(/^[\w-]+ /, '')] : [];
  });
  const pairs = values.map((value) => Buffer.from(value, 'base64').toString('utf8')).filter(isReadable);
  const query = [...new URL(url!, 'http://echo').searchParams.values()];
  const all = [...values, ...pairs, ...pairs.flatMap((pair) => pair.split(':')), ...query];
  return [...new Set(all)].filter((value) => value.length > 3);
}

function isReadable(text: string): boolean {
  return /^[\x20-\x7e\u00a0-\u00ff]+$/.test(text);
}

/** In every encoding for the answer that is looked at whole, in the most usual ones for the others. */
function echoOf(request: IncomingMessage): Record<string, unknown> {
  const credentials = credentialsIn(request);
  const encoders = Object.entries(ENCODERS).filter(
    ([name]) => request.url!.startsWith('/whole') || /^(?:raw|percent|json|base64)$/.test(name),
  );
  return {
    note: 'what you sent',
    url: request.url,
    headers: request.headers,
    echoes: Object.fromEntries(encoders.map(([name, encode]) => [name, credentials.map(encode)])),
  };
}

type Answerer = (request: IncomingMessage, response: ServerResponse) => void;

function headersOf(request: IncomingMessage): Record<string, string> {
  const [first = ''] = credentialsIn(request);
  return {
    'x-echo': Buffer.from(first).toString('base64'),
    'x-echo-url': encodeURIComponent(first),
    link: `</next?key=${encodeURIComponent(first)}>; rel="next"`,
  };
}

function json(status: number, change: (echo: object) => object = (echo) => echo): Answerer {
  return (request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headersOf(request) });
    response.end(JSON.stringify(change(echoOf(request))));
  };
}

function text(status: number, contentType: string, repeat = 1): Answerer {
  return (request, response) => {
    response.writeHead(status, { 'content-type': contentType, ...headersOf(request) });
    response.end(`You sent ${JSON.stringify(echoOf(request))}\n`.repeat(repeat));
  };
}

const ANSWERS: Readonly<Record<string, Answerer>> = {
  '/whole': json(200),
  '/long': text(200, 'text/plain', 30),
  '/binary': text(200, 'application/octet-stream'),
  '/unlabelled': text(200, ''),
  '/refused': json(401, (echo) => ({ error: 'invalid_token', error_description: JSON.stringify(echo) })),
  '/forbidden': json(403, (echo) => ({ title: 'No', detail: JSON.stringify(echo) })),
  '/missing': text(404, 'text/html'),
  '/invalid': json(422, (echo) => ({ errors: [{ message: JSON.stringify(echo) }] })),
  '/limited': json(429, (echo) => ({ message: JSON.stringify(echo) })),
  '/broken': text(500, 'text/plain'),
  '/notjson': text(200, 'application/json'),
  '/redirect': (request, response) => {
    const [first = ''] = credentialsIn(request);
    response.writeHead(302, { location: `/whole?back=${encodeURIComponent(first)}` }).end();
  },
  '/away': (request, response) => {
    const [first = ''] = credentialsIn(request);
    response.writeHead(302, { location: `http://127.0.0.2:9/${encodeURIComponent(first)}` }).end();
  },
  '/dropped': (request) => void request.socket.destroy(),
  '/silent': () => undefined,
  '/cut': (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
    response.write(JSON.stringify(echoOf(request)), () => request.socket.destroy());
  },
};

/** Paths that are answered, each an operation. */
export const ECHO_PATHS: readonly string[] = Object.keys(ANSWERS);

export async function startEchoService(): Promise<EchoService> {
  const heard: string[] = [];
  const server: Server = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    const values = credentialsIn(request);
    heard.push([request.url, JSON.stringify(request.headers), ...values, Buffer.concat(body)].join('\n'));
    const { pathname } = new URL(request.url!, 'http://echo');
    if (pathname === '/login') return logIn(Buffer.concat(body).toString(), response);
    if (pathname === '/token') return issue(Buffer.concat(body).toString(), request, response);
    (ANSWERS[pathname] ?? json(404))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Issues what the client asks for in `scope`, or complains of a client `broken`, repeating everything it was sent. */
function issue(form: string, request: IncomingMessage, response: ServerResponse): void {
  const pair = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64').toString();
  const scope = new URLSearchParams(form).get('scope') ?? '';
  const broken = pair.startsWith('broken');
  response.writeHead(broken ? 401 : 200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify(
      broken
        ? { error: 'invalid_client', error_description: `${decodeURIComponent(pair)} ${pair} ${form}` }
        : {
            access_token: Buffer.from(scope, 'base64url').toString(),
            token_type: 'Bearer',
            expires_in: 3600,
          },
    ),
  );
}

/** Gives what is asked for in `want`, in the body and as a cookie, or complains of a user `broken` with all it was sent. */
function logIn(sent: string, response: ServerResponse): void {
  const isJson = sent.startsWith('{');
  const { user, want, ...secrets } = isJson
    ? JSON.parse(sent)
    : Object.fromEntries(new URLSearchParams(sent));
  if (user === 'broken') {
    const secret = Object.values(secrets).join(' ');
    const encoded = ['raw', 'percent', 'json', 'base64'].map((name) => ENCODERS[name]!(secret));
    response.writeHead(401, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify({ message: `wrong: ${sent}`, detail: encoded.join(' ') }));
  }
  const token = Buffer.from(want, 'base64url').toString();
  response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': `sid=${token}; Path=/` });
  response.end(JSON.stringify({ token }));
}
