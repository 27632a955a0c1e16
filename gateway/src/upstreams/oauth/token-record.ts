import { isObject, type JsonObject } from '../../operations/index.ts';
import { isClientMethod, type OAuthClient } from './registration.ts';
import type { IssuedTokens, TokenEndpoint } from './token-exchange.ts';

/** A sign-in at one server: the tokens with everything that a refresh needs, bound to where they come from. */
export interface TokenRecord extends IssuedTokens, TokenEndpoint {
  /** The MCP server's URL; the tokens go nowhere else. */
  readonly server: string;
  readonly issuer: string;
  readonly client: OAuthClient;
  /** Milliseconds since the epoch, of the access token. */
  readonly issuedAt?: number;
  /** Scopes that a call was refused for: the next sign-in asks for them too. */
  readonly wanted?: readonly string[];
}

/** Undefined for what is no record. */
export function readRecord(value: unknown): TokenRecord | undefined {
  if (!isObject(value) || !isObject(value['client'])) return undefined;
  const needed = ['server', 'issuer', 'resource', 'tokenEndpoint', 'accessToken'];
  if (needed.some((name) => !isText(value[name])) || !isText(value['client']['id'])) return undefined;
  const { refreshToken, issuedAt, expiresAt, client } = value;
  return {
    server: value['server'] as string,
    issuer: value['issuer'] as string,
    resource: value['resource'] as string,
    tokenEndpoint: value['tokenEndpoint'] as string,
    accessToken: value['accessToken'] as string,
    methods: textsOf(value, 'methods') ?? [],
    client: {
      id: client['id'] as string,
      ...(isText(client['secret']) ? { secret: client['secret'] } : {}),
      ...(isClientMethod(client['method']) ? { method: client['method'] } : {}),
    },
    ...(isText(refreshToken) ? { refreshToken } : {}),
    ...(typeof issuedAt === 'number' ? { issuedAt } : {}),
    ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
    ...optional('scopes', textsOf(value, 'scopes')),
    ...optional('wanted', textsOf(value, 'wanted')),
  };
}

function optional<K extends string, T>(name: K, value: T | undefined): { [P in K]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { [P in K]?: T };
}

function textsOf(value: JsonObject, name: string): readonly string[] | undefined {
  const list = value[name];
  return Array.isArray(list) ? list.filter(isText) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
