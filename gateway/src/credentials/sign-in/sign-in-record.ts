import { isObject } from '../../operations/index.ts';

/** A person's sign-in at one provider, as one client: nothing of it is shown to another. */
export interface SignInRecord {
  /** Where the tokens come from. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Of the access token; milliseconds since the epoch. */
  readonly issuedAt: number;
  /** Absent: the provider does not say. */
  readonly expiresAt?: number;
  readonly scopes?: readonly string[];
}

/** Undefined for what is no record. */
export function readSignIn(value: unknown): SignInRecord | undefined {
  if (!isObject(value)) return undefined;
  const { tokenUrl, clientId, accessToken, refreshToken, issuedAt, expiresAt, scopes } = value;
  if (!isText(tokenUrl) || !isText(clientId) || !isText(accessToken) || typeof issuedAt !== 'number')
    return undefined;
  return {
    tokenUrl,
    clientId,
    accessToken,
    issuedAt,
    ...(isText(refreshToken) ? { refreshToken } : {}),
    ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
    ...(Array.isArray(scopes) ? { scopes: scopes.filter(isText) } : {}),
  };
}

/** What is lasting of a sign-in, with what the provider has issued now. */
export function withGrant(
  {
    tokenUrl,
    clientId,
    refreshToken,
    scopes,
  }: Pick<SignInRecord, 'tokenUrl' | 'clientId' | 'refreshToken' | 'scopes'>,
  grant: {
    readonly accessToken: string;
    readonly refreshToken?: string;
    readonly expiresInSeconds?: number;
    readonly scopes?: readonly string[];
  },
  issuedAt: number,
): SignInRecord {
  const lasting = grant.refreshToken ?? refreshToken;
  const granted = grant.scopes ?? scopes;
  return {
    tokenUrl,
    clientId,
    accessToken: grant.accessToken,
    issuedAt,
    ...(lasting === undefined ? {} : { refreshToken: lasting }),
    ...(granted === undefined ? {} : { scopes: granted }),
    ...(grant.expiresInSeconds === undefined ? {} : { expiresAt: issuedAt + grant.expiresInSeconds * 1000 }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
