import type { OutgoingRequest } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import type {
  Connection,
  LoginSettings,
  LoginValue,
  SecretReference,
  SecurityScheme,
} from '../../operations/index.ts';
import { isWrittenReference } from '../../operations/secret-references.ts';
import { trimEndOf } from '../../operations/text/trim-runs.ts';
import { hidesValue } from '../../telemetry/sensitive-names.ts';
import { basicPair } from '../authorization-value.ts';
import { endpointUrl } from '../endpoint-url.ts';
import { encodeComponent } from '../place-credential.ts';
import type { SecretReader } from '../secret-reference.ts';
import type { TlsIdentities } from '../tls-identity.ts';

export interface LoginNeed {
  readonly connection: Connection;
  readonly schemeName: string;
  readonly scheme: SecurityScheme | undefined;
  readonly login: LoginSettings;
  /** Configuration key, for errors. */
  readonly place: string;
  /** The base URL of the calls. */
  readonly base: string;
}

/** A login as it goes out, and every text in it that nobody else is to see. */
export interface LoginRequest {
  readonly request: OutgoingRequest;
  readonly secrets: readonly string[];
}

type Header = readonly [name: string, value: string];

/** What tells who one is, and how, and lets nobody in. */
const NO_SECRET =
  /^(?:user|users?_?name|login|email|mail|account|name|tenant|realm|domain|organi[sz]ation|client_?id|grant_?type|scope|type|provider|method)$/i;

/** Throws `credentials_missing` for what is not there, `configuration_invalid` for an address that is none. */
export async function loginRequest(
  need: LoginNeed,
  reader: SecretReader,
  identities: TlsIdentities,
  signal: AbortSignal,
): Promise<LoginRequest> {
  const { connection, login, place, base } = need;
  const { method = 'POST', basic } = login;
  const url = loginUrl(need);
  const filling = createFilling(reader, signal);
  const headers: Header[] = [];
  if (basic !== undefined) {
    const username = await filling.text('username', basic.username, `${place}.basic.username`);
    const password = await filling.text('password', basic.password, `${place}.basic.password`, 'empty');
    headers.push(['Authorization', basicPair(username, password, `${place}.basic`)]);
  }
  for (const [name, value] of Object.entries(login.headers ?? {}))
    headers.push([name, await filling.text(name, value, `${place}.headers.${name}`)]);
  const body = await bodyOf(need, filling);
  if (body !== undefined) headers.push(['Content-Type', body.type]);
  const isOwn = URL.parse(url)!.origin === URL.parse(base)?.origin;
  if (isOwn) headers.push(...Object.entries(connection.headers ?? {}));
  headers.push(['Accept', 'application/json']);
  const { socketPath, named } = connection;
  const tls = isOwn ? await identities.of(connection, signal) : undefined;
  const own = headers.filter(isFirst);
  const request: OutgoingRequest = {
    method,
    url,
    headers: own,
    ...(body === undefined ? {} : { body: body.text }),
    credentialHeaders: own.map(([name]) => name.toLowerCase()),
    redirect: 'manual',
    cookies: 'keep',
    ...(tls === undefined ? {} : { tls }),
    ...(isOwn && socketPath !== undefined ? { socketPath } : {}),
    ...(named === undefined ? {} : { named }),
  };
  return { request, secrets: filling.secrets };
}

/** The login's own headers come before those of the source, and those before what is asked for anyway. */
function isFirst([name]: Header, index: number, all: readonly Header[]): boolean {
  return all.findIndex(([other]) => other.toLowerCase() === name.toLowerCase()) === index;
}

function loginUrl({ login, scheme, schemeName, base, place }: LoginNeed): string {
  const { url } = login;
  if (url?.startsWith('/')) {
    const parsed = URL.parse(base);
    if (parsed !== null) return `${parsed.origin}${trimEndOf(parsed.pathname, '/')}${url}`;
  }
  if (url !== undefined) return endpointUrl(url, undefined, 'login', `${place}.url`);
  const declared = scheme?.type === 'oauth2' ? scheme.tokenUrl : undefined;
  if (declared !== undefined) return endpointUrl(declared, base, 'token endpoint', `${place}.url`);
  throw new ToolcribError(
    'credentials_missing',
    `Scheme ${schemeName} says nowhere how to log in: set ${place}.url.`,
  );
}

interface Body {
  readonly type: string;
  readonly text: string;
}

async function bodyOf(
  { login: { url, body, form }, place }: LoginNeed,
  filling: Filling,
): Promise<Body | undefined> {
  if (body !== undefined) {
    const filled = await filling.value('', body, `${place}.body`);
    return { type: 'application/json', text: JSON.stringify(filled) };
  }
  if (form === undefined) return undefined;
  const fields: string[] = [];
  // RFC 6749 §4.3.2
  if (url === undefined && !Object.hasOwn(form, 'grant_type')) fields.push('grant_type=password');
  for (const [name, value] of Object.entries(form)) {
    const text = await filling.text(name, value, `${place}.form.${name}`);
    fields.push(`${formEncoded(name)}=${formEncoded(text)}`);
  }
  return { type: 'application/x-www-form-urlencoded', text: fields.join('&') };
}

function formEncoded(text: string): string {
  return encodeComponent(text).replaceAll('%20', '+');
}

interface Filling {
  readonly secrets: readonly string[];
  text(name: string, reference: SecretReference, place: string, nature?: 'empty'): Promise<string>;
  value(name: string, value: LoginValue, place: string): Promise<unknown>;
}

/** Reads what the settings refer to. Everything read is kept out of logs, but for who logs in. */
function createFilling(reader: SecretReader, signal: AbortSignal): Filling {
  const secrets: string[] = [];
  const filling: Filling = {
    secrets,
    async text(name, reference, place, nature) {
      const isPublic = NO_SECRET.test(name);
      // what stands in the configuration may be any word, which logs are not to lose
      const isWord = typeof reference === 'string' && !hidesValue(name, reference);
      const text = await reader.read(reference, place, signal, isPublic || isWord ? 'public' : nature);
      if (!isPublic && text !== '') secrets.push(text);
      return text;
    },
    async value(name, value, place) {
      if (isReference(value)) return filling.text(name, value, place);
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value))
        return Promise.all(value.map((item, index) => filling.value(name, item, `${place}.${index}`)));
      const members = Object.entries(value as Readonly<Record<string, LoginValue>>).map(
        async ([key, member]) => [key, await filling.value(key, member, `${place}.${key}`)] as const,
      );
      return Object.fromEntries(await Promise.all(members));
    },
  };
  return filling;
}

function isReference(value: LoginValue): value is SecretReference {
  if (typeof value === 'string') return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return isWrittenReference(value);
}
