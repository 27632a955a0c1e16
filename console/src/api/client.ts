import { ApiError, type ErrorBody, type Meant, UnreachableError } from './api-error.ts';
import { heardDate } from './gateway-clock.ts';

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface ApiRequest {
  readonly query?: Query;
  /** Sent as JSON, unless it is a form or a file. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** It changes nothing, whatever its method says. */
  readonly isCheck?: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Never stored. */
interface SessionToken {
  readonly csrf: string;
  /** Another session of the same person is as good. */
  readonly person: string;
}

let current: SessionToken | undefined;
let readCurrent: () => Promise<unknown> = async () => undefined;
const doubting = new Set<() => void>();

/** Of the session that is open. */
export function setSessionToken(token: SessionToken | undefined): void {
  current = token;
}

/** `read` asks who is signed in by now, and sets the token. */
export function onTokenRefused(read: () => Promise<unknown>): () => void {
  readCurrent = read;
  return () => {
    readCurrent = async () => undefined;
  };
}

/** Told when a request is refused because nobody is signed in (any more), or may not do what the page offered. */
export function onSessionDoubted(listener: () => void): () => void {
  doubting.add(listener);
  return () => void doubting.delete(listener);
}

/** `/api/v1` + path, its JSON. Throws ApiError, UnreachableError; an abort as it is. */
export async function api<T>(method: Method, path: string, request: ApiRequest = {}): Promise<T> {
  const response = await send(method, path, request);
  if (response.status === 204) return undefined as T;
  const meant = meantBy(method, request);
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new UnreachableError(meant);
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new UnreachableError(meant, NO_GATEWAY);
  }
}

/** Of a login page of a proxy, or of a network that wants somebody to sign in. */
const NO_GATEWAY =
  'Something else answers in place of the gateway. Load the page again: it may ask you to sign in.';

const meantBy = (method: Method, { isCheck = false }: ApiRequest): Meant =>
  method === 'GET' ? 'read' : isCheck ? 'check' : 'change';

/** The answer itself, for what is no JSON. Throws as `api` does. */
export async function send(method: Method, path: string, request: ApiRequest = {}): Promise<Response> {
  const shown = current;
  try {
    return await sendAs(shown, method, path, request);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) doubtSession();
    if (error.code === 'unauthorized' && shown !== undefined && !path.startsWith('/session'))
      throw signedOut();
    if (error.code !== 'csrf_refused') {
      // what this page let somebody do, who may not by now
      if (error.status === 403 && method !== 'GET') doubtSession();
      throw error;
    }
    // another tab signed in again: nothing was done, and the same person's next session may do it
    await readCurrent().catch(() => undefined);
    if (current === undefined || current.person !== shown?.person || current.csrf === shown.csrf) throw error;
    return sendAs(current, method, path, request);
  }
}

async function sendAs(
  token: SessionToken | undefined,
  method: Method,
  path: string,
  request: ApiRequest,
): Promise<Response> {
  const { query = {}, body, headers = {}, signal } = request;
  const plain = body instanceof FormData || body instanceof Blob;
  const asked = Date.now();
  const meant = meantBy(method, request);
  let response: Response;
  try {
    response = await fetch(addressOf(path, query), {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(method === 'GET' || token === undefined ? {} : { 'x-csrf-token': token.csrf }),
        ...(body === undefined || plain ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: plain ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new UnreachableError(meant);
  }
  heardDate(response.headers.get('date'), asked);
  if (response.ok) return response;
  throw await refusal(response, meant);
}

/** What the gateway says of it is for programs. */
function signedOut(): ApiError {
  const next = 'Nothing was done. Sign in again.';
  return new ApiError(401, { code: 'unauthorized', message: 'Your session has ended.', next });
}

/** The session that this page knows may not be the browser's any more, or may do less. */
export function doubtSession(): void {
  for (const listener of doubting) listener();
}

/** Path segments of a route are encoded by whoever writes them: `/tools/${encodeURIComponent(name)}`. */
export function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `/api/v1${path}${search === '' ? '' : `?${search}`}`;
}

/** What a proxy in front of the gateway answers while that is away (RFC 9110, sections 15.6.3 to 15.6.5). */
const PROXY_STATUS: readonly number[] = [502, 503, 504];

async function refusal(response: Response, meant: Meant): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null || !('error' in body)) {
    if (PROXY_STATUS.includes(response.status)) return new UnreachableError(meant);
    return new ApiError(response.status, {});
  }
  const { error, ...rest } = body as { error: ErrorBody };
  return new ApiError(response.status, error ?? {}, rest);
}
