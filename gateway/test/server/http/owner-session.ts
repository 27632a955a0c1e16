import { createSignInCodes } from '../../../src/server/http/sessions/sign-in-codes.ts';
import { checkDescribed } from './described-answers.ts';

type Fetch = (request: Request) => Promise<Response>;

/** Requests of the browser in which the owner of this machine is signed in. */
export interface OwnerSession {
  request(method: string, path: string, body?: unknown): Promise<Response>;
  /** Status and JSON body, which is as described. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  json(method: string, path: string, body?: unknown): Promise<readonly [number, any]>;
}

/** Signs in with a one-time code, as `toolcrib console` does. Paths begin with `/api/v1`. */
export async function ownerSession(fetch: Fetch, stateDirectory: string): Promise<OwnerSession> {
  const code = await createSignInCodes(stateDirectory).create();
  const signIn = await fetch(sent('POST', '/api/v1/session', { code }));
  if (!signIn.ok) throw new Error(`Signing in was refused: ${await signIn.text()}`);
  const { csrf } = (await signIn.json()) as { csrf: string };
  const cookie = signIn.headers.getSetCookie().map((line) => line.split(';')[0])[0]!;
  const request: OwnerSession['request'] = (method, path, body) =>
    fetch(sent(method, path, body, { cookie, 'x-csrf-token': csrf }));
  return {
    request,
    async json(method, path, body) {
      const answer = await request(method, path, body);
      const json = await answer.json();
      checkDescribed(method, path, answer.status, json);
      return [answer.status, json];
    },
  };
}

function sent(
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Request {
  const plain = typeof body === 'string' || body instanceof Uint8Array;
  return new Request(`http://127.0.0.1${path}`, {
    method,
    headers: { ...(body === undefined || plain ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: plain ? (body as string) : JSON.stringify(body) }),
  });
}
