import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createCredentialProvider } from '../../../src/credentials/index.ts';
import { createSecretReader } from '../../../src/credentials/secret-reference.ts';
import type { SignInRecord } from '../../../src/credentials/sign-in/sign-in-record.ts';
import { signInToConnection } from '../../../src/credentials/sign-in/sign-in-to-connection.ts';
import type { SignOut } from '../../../src/credentials/sign-in/sign-out.ts';
import { signOutOfConnection } from '../../../src/credentials/sign-in/sign-out-of-connection.ts';
import { createEgress } from '../../../src/egress/index.ts';
import type { CredentialSettings, SecurityScheme } from '../../../src/operations/index.ts';
import { createRedactor } from '../../../src/telemetry/redactor.ts';
import { type OAuthDouble, startOAuthServer } from '../../doubles/oauth-server.ts';
import { connection, header, request } from '../connections.ts';

type OAuthSettings = NonNullable<CredentialSettings['oauth2']>;

/** A service whose users sign in at a provider, and a folder for what is kept of it. */
export interface SigningIn {
  readonly oauth: OAuthDouble;
  readonly file: string;
  readonly scheme: SecurityScheme;
  /** What sign-ins have announced as secret. */
  readonly announced: readonly string[];
  /** A person signs in; `browser` opens the address. */
  signIn(
    settings?: Partial<OAuthSettings>,
    browser?: (url: string) => Promise<unknown>,
  ): Promise<SignInRecord>;
  signOut(settings?: Partial<OAuthSettings>, local?: boolean): Promise<SignOut>;
  /** A gateway's credentials; another one is another process: it shares nothing but files. */
  gateway(settings?: Partial<OAuthSettings>, now?: () => number): Signed;
  kept(): Promise<SignInRecord>;
  keep(record: Partial<SignInRecord>): Promise<void>;
}

export interface Signed {
  /** The `Authorization` header of a request, and what the service's refusal of it does. */
  authorize(signal?: AbortSignal): Promise<{ readonly value: string | undefined; refuse(): boolean }>;
}

export async function signingIn(
  changes: Partial<Extract<SecurityScheme, { type: 'oauth2' }>> = {},
  other?: (oauth: OAuthDouble) => SecurityScheme,
): Promise<SigningIn> {
  const oauth = await startOAuthServer();
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-sign-in-'));
  const egress = createEgress({ allow: [oauth.origin] });
  onTestFinished(async () => {
    await egress.close();
    await oauth.close();
    await rm(folder, { recursive: true, force: true });
  });
  const file = join(folder, 'calendar.json');
  const announced: string[] = [];
  const scheme: SecurityScheme = other?.(oauth) ?? {
    type: 'oauth2',
    scopes: ['events.read', 'events.write'],
    authorizationCode: {
      authorizationUrl: `${oauth.origin}/authorize?tenant=one`,
      tokenUrl: `${oauth.origin}/token`,
    },
    ...changes,
  };
  const settingsOf = (settings: Partial<OAuthSettings>): OAuthSettings => ({
    clientId: 'crib',
    clientSecret: 'client-secret',
    tokenFile: file,
    scopes: ['events.read'],
    ...settings,
  });
  const connectionWith = (settings: Partial<OAuthSettings>) =>
    connection({ login: scheme }, { oauth2: settingsOf(settings) });
  return {
    oauth,
    file,
    scheme,
    announced,
    signIn: (settings = {}, browser = (url) => oauth.agree(url)) =>
      signInToConnection(connectionWith(settings), {
        egress,
        secrets: createSecretReader({}, () => undefined),
        announce: (secret) => void announced.push(secret),
        onUrl: async (url) => void (await browser(url)),
        signal: AbortSignal.timeout(8_000),
      }),
    signOut: (settings = {}, local = false) =>
      signOutOfConnection(connectionWith(settings), {
        egress,
        secrets: createSecretReader({}, () => undefined),
        local,
        signal: AbortSignal.timeout(8_000),
      }),
    gateway(settings = {}, now = Date.now) {
      const credentials = createCredentialProvider({ egress, env: {}, now, redactor: createRedactor() });
      const pets = connectionWith(settings);
      return {
        async authorize(signal = AbortSignal.timeout(8_000)) {
          const authorized = await credentials.authorize(request(), pets, [{ login: [] }], signal);
          return {
            value: header(authorized, 'authorization'),
            refuse: () => credentials.refused(pets, authorized),
          };
        },
      };
    },
    kept: async () => JSON.parse(await readFile(file, 'utf8')) as SignInRecord,
    async keep(record) {
      const now = Date.now();
      const whole: SignInRecord = {
        tokenUrl: `${oauth.origin}/token`,
        clientId: 'crib',
        accessToken: 'access-kept',
        issuedAt: now,
        ...record,
      };
      await writeFile(file, JSON.stringify(whole), { mode: 0o600 });
    },
  };
}
