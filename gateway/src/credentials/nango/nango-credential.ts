import { ToolcribError } from '../../errors.ts';
import { isObject, type Json, type JsonObject } from '../../operations/index.ts';

/** What the credential is by nature; it decides which security scheme it can satisfy. */
export type NangoSecret =
  /** An access token: OAUTH2, OAUTH2_CC, JWT, APP. `subject` says whose it is. */
  | { readonly nature: 'token'; readonly token: string; readonly subject: 'user' | 'client' }
  /** A long-lived key: API_KEY. */
  | { readonly nature: 'key'; readonly token: string }
  /** BASIC; services that take an API key as the user name leave the password empty. */
  | { readonly nature: 'basic'; readonly username: string; readonly password: string };

/** A connection as Nango tells it, reduced to what is used. Never holds `raw` nor a refresh token. */
export interface NangoConnection {
  readonly id: string;
  readonly integration: string;
  readonly provider: string;
  /** Nango's word for it: `OAUTH2`, `API_KEY`, … */
  readonly type: string;
  readonly secret: NangoSecret;
  /** Milliseconds since the epoch; absent: it does not end by itself. */
  readonly expiresAt?: number;
  readonly config: ConnectionConfig;
  /** Whom the connection was made for. */
  readonly endUser?: string;
}

/** What the account's owner or the provider said when the connection was made. */
export interface ConnectionConfig {
  /** Zoho's data centre: `com`, `eu`, `com.cn`, … */
  readonly extension?: string;
  readonly instanceUrl?: string;
  readonly subdomain?: string;
}

/** Throws `upstream_failed` for an answer that is no connection, `credentials_refused` for a type that is no use here. */
export function readConnection(json: JsonObject, what: string): NangoConnection {
  const credentials = json['credentials'];
  if (!isObject(credentials)) {
    throw new ToolcribError('upstream_failed', `Nango's answer holds no credentials of ${what}.`);
  }
  const type = text(credentials['type']) ?? 'NONE';
  const secret = secretOf(type, credentials);
  if (secret === undefined) throw unusable(type, what);
  const expiresAt = timeOf(credentials['expires_at']);
  const endUser = isObject(json['end_user']) ? text(json['end_user']['id']) : undefined;
  return {
    id: text(json['connection_id']) ?? '',
    integration: text(json['provider_config_key']) ?? '',
    provider: text(json['provider']) ?? '',
    type,
    secret,
    config: configOf(json['connection_config']),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(endUser === undefined ? {} : { endUser }),
  };
}

/** The parts that must never be written down. */
export function secretParts(secret: NangoSecret): readonly string[] {
  if (secret.nature !== 'basic') return [secret.token];
  return [secret.password === '' ? secret.username : secret.password];
}

/** Undefined for a type without a secret of this shape. */
function secretOf(type: string, credentials: JsonObject): NangoSecret | undefined {
  const member = (name: string) => text(credentials[name]);
  const token = (value: string | undefined, subject: 'user' | 'client'): NangoSecret | undefined =>
    value === undefined ? undefined : { nature: 'token', token: value, subject };
  switch (type) {
    case 'OAUTH2':
      return token(member('access_token'), 'user');
    case 'OAUTH2_CC':
    case 'JWT':
      return token(member('token'), 'client');
    case 'APP':
      return token(member('access_token'), 'client');
    case 'API_KEY': {
      const key = member('apiKey') ?? member('api_key');
      return key === undefined ? undefined : { nature: 'key', token: key };
    }
    case 'BASIC': {
      const username = member('username');
      if (username === undefined) return undefined;
      return { nature: 'basic', username, password: member('password') ?? '' };
    }
    default:
      return undefined;
  }
}

const USABLE = ['OAUTH2', 'OAUTH2_CC', 'API_KEY', 'BASIC', 'JWT', 'APP'];

function unusable(type: string, what: string): ToolcribError {
  const isUsable = USABLE.includes(type);
  const reason = isUsable
    ? `Nango's ${type} credential of ${what} is empty`
    : `Nango holds a credential of type ${type} for ${what}, which cannot be sent; usable are ${USABLE.join(', ')}`;
  const next = isUsable
    ? 'Connect the account in Nango anew.'
    : "Choose an integration of Nango with one of these, or give the source's own credential in place of it.";
  return new ToolcribError('credentials_refused', `${reason}.`, { next, details: { type } });
}

function configOf(given: Json | undefined): ConnectionConfig {
  if (!isObject(given)) return {};
  const extension = text(given['extension']);
  const instanceUrl = text(given['instance_url']) ?? text(given['instanceUrl']);
  const subdomain = text(given['subdomain']);
  return {
    ...(extension === undefined ? {} : { extension }),
    ...(instanceUrl === undefined ? {} : { instanceUrl }),
    ...(subdomain === undefined ? {} : { subdomain }),
  };
}

/** ISO 8601, or seconds or milliseconds since the epoch. */
function timeOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value < 1e11 ? value * 1000 : value;
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
