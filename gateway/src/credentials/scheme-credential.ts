import type { OutgoingRequest } from '../egress/egress.ts';
import { ToolcribError } from '../errors.ts';
import type { Connection, NangoCredential, SessionEnd } from '../operations/index.ts';
import { assertOwnToken } from './acting-user.ts';
import { basicPair, nangoValue, schemeValue, withScheme } from './authorization-value.ts';
import type { ChosenScheme } from './choose-alternative.ts';
import type { LoginNeed } from './login/login-request.ts';
import type { ServiceLogins } from './login/service-logins.ts';
import { assertDataCentre } from './nango/data-centre.ts';
import type { NangoConnection } from './nango/nango-credential.ts';
import type { OAuthTokens, TokenNeed } from './oauth-tokens.ts';
import { placeCookie, placeHeader, placeQuery } from './place-credential.ts';
import type { SecretReader } from './secret-reference.ts';

/** What one request's credentials are made with, and what is noted of them. */
export interface CredentialContext {
  readonly connection: Connection;
  readonly requestUrl: string;
  /** What relative addresses of the document are relative to. */
  readonly base: string;
  readonly secrets: SecretReader;
  readonly tokens: OAuthTokens;
  readonly logins: ServiceLogins;
  /** Asks Nango once for each request, whatever schemes it serves. */
  readonly askNango: (settings: NangoCredential, place: string) => Promise<NangoConnection>;
  readonly announce: (secret: string) => void;
  readonly signal: AbortSignal;
  /** Every secret that goes on the request, for answers that send it back. */
  readonly sent: string[];
  /** Asked when the service refuses the request: true when a retry may help. */
  readonly refused: (() => boolean)[];
  /** Answers that are a refusal, whatever their status. */
  readonly ends: SessionEnd[];
}

/** The request with the scheme's credential where the scheme says. */
export async function applyScheme(
  request: OutgoingRequest,
  chosen: ChosenScheme,
  context: CredentialContext,
): Promise<OutgoingRequest> {
  const { settings } = chosen;
  if (settings.kind === 'certificate') return request;
  const value = await credentialOf({ ...chosen, settings }, context);
  context.sent.push(value);
  return placed(request, chosen, value);
}

function placed(
  request: OutgoingRequest,
  { scheme, settings }: ChosenScheme,
  value: string,
): OutgoingRequest {
  // in the handshake, not in the request
  if (settings.kind === 'certificate') return request;
  if (scheme?.type === 'apiKey') {
    if (scheme.in === 'query') return placeQuery(request, scheme.name, value);
    if (scheme.in === 'cookie') return placeCookie(request, scheme.name, value, settings.place);
    return placeHeader(request, scheme.name, value, settings.place);
  }
  return placeHeader(request, 'Authorization', value, settings.place);
}

/** What a request is planned with: nobody is asked for a token. */
export interface PlanContext extends Omit<CredentialContext, 'askNango' | 'refused' | 'ends'> {
  /** Throws where Nango could not even be asked. */
  readonly nango: (settings: NangoCredential, place: string) => Promise<void>;
}

/** In the place of a token that somebody would have to be asked for. */
const UNASKED = 'not-asked-for';

/**
 * The request with the first alternative, as `applyScheme` would make it, and what is to be asked for left open. Throws
 * what `applyScheme` would throw without a token service, a login or Nango being asked. What Nango keeps decides which
 * alternative fits: where it has a part, the rest is left open as well.
 */
export async function plannedRequest(
  request: OutgoingRequest,
  alternative: readonly ChosenScheme[],
  { nango, ...context }: PlanContext,
): Promise<OutgoingRequest> {
  const kept = alternative.find(({ settings }) => settings.kind === 'nango')?.settings;
  if (kept?.kind === 'nango') {
    await nango(kept.nango, kept.place);
    return alternative.reduce((planned, chosen) => placed(planned, chosen, UNASKED), request);
  }
  let planned = request;
  for (const chosen of alternative) planned = await plannedScheme(planned, chosen, context);
  return planned;
}

async function plannedScheme(
  request: OutgoingRequest,
  chosen: ChosenScheme,
  context: Omit<PlanContext, 'nango'>,
): Promise<OutgoingRequest> {
  const { settings } = chosen;
  if (settings.kind === 'oauth2')
    await context.tokens.ready(tokenNeed(chosen, settings, context), context.signal);
  else if (settings.kind === 'login')
    await context.logins.ready(loginNeed(chosen, settings, context), context.signal);
  else return applyScheme(request, chosen, { ...context, askNango: unasked, refused: [], ends: [] });
  return placed(request, chosen, UNASKED);
}

function unasked(): never {
  throw new ToolcribError('internal', 'Nango is not asked before a call.');
}

/** The first alternative that what Nango keeps can satisfy; one that does not need Nango fits as it is. */
export async function fittingAlternative(
  alternatives: readonly (readonly ChosenScheme[])[],
  context: CredentialContext,
): Promise<readonly ChosenScheme[]> {
  const reasons: string[] = [];
  for (const alternative of alternatives) {
    const misfit = await misfitOf(alternative, context);
    if (misfit === undefined) return alternative;
    reasons.push(misfit);
  }
  throw new ToolcribError(
    'credentials_refused',
    `What Nango holds for connection ${context.connection.name} fits no scheme of the operation: ${reasons.join('; ')}.`,
  );
}

async function misfitOf(
  alternative: readonly ChosenScheme[],
  { askNango }: CredentialContext,
): Promise<string | undefined> {
  for (const { name, scheme, settings } of alternative) {
    if (settings.kind !== 'nango') continue;
    const { type, secret } = await askNango(settings.nango, settings.place);
    if (nangoValue(secret, scheme, settings.place) === undefined) {
      const wanted = scheme?.type === 'http' ? `http ${scheme.scheme}` : (scheme?.type ?? 'unknown');
      return `a credential of type ${type} is no use for scheme ${name} (${wanted})`;
    }
  }
  return undefined;
}

type InRequest = ChosenScheme & {
  readonly settings: Exclude<ChosenScheme['settings'], { readonly kind: 'certificate' }>;
};

/** The value as it goes on the wire. */
async function credentialOf(chosen: InRequest, context: CredentialContext): Promise<string> {
  const { scheme, settings } = chosen;
  const { connection, secrets, signal, announce, sent } = context;
  switch (settings.kind) {
    case 'header':
      announce(settings.value);
      return settings.value;
    case 'basic': {
      const { basic, place } = settings;
      const password = await secrets.read(basic.password, `${place}.password`, signal, 'empty');
      const nature = password === '' ? 'secret' : 'public';
      const username = await secrets.read(basic.username, `${place}.username`, signal, nature);
      sent.push(password === '' ? username : password);
      return basicPair(username, password, place);
    }
    case 'pair':
      return ofPair(await secrets.read(settings.pair, settings.place, signal), settings.place, context);
    case 'oauth2':
      return ofOAuth(chosen, settings, context);
    case 'login':
      return ofLogin(chosen, settings, context);
    case 'nango':
      return ofNango(chosen, settings, context);
    case 'token': {
      assertOwnToken(connection, settings.place);
      const token = await secrets.read(settings.token, settings.place, signal);
      sent.push(token);
      context.refused.push(() => secrets.refused(settings.token, token));
      return schemeValue(scheme, token, settings.place.endsWith('.bearer'));
    }
  }
}

type SettingsOf<Kind> = Extract<ChosenScheme['settings'], { readonly kind: Kind }>;

async function ofOAuth(
  chosen: ChosenScheme,
  settings: SettingsOf<'oauth2'>,
  context: CredentialContext,
): Promise<string> {
  const { tokens, signal, sent, refused } = context;
  const issued = await tokens.accessToken(tokenNeed(chosen, settings, context), signal);
  sent.push(issued.token);
  refused.push(issued.refused);
  return `Bearer ${issued.token}`;
}

function tokenNeed(
  { name, scheme, scopes }: ChosenScheme,
  { oauth2, place }: SettingsOf<'oauth2'>,
  { connection, base }: Pick<CredentialContext, 'connection' | 'base'>,
): TokenNeed {
  return { connection, schemeName: name, scheme, settings: oauth2, place, scopes, base };
}

/** In `Authorization` with a word before it, elsewhere and with `tokenType: none` as the service gave it. */
async function ofLogin(
  chosen: ChosenScheme,
  settings: SettingsOf<'login'>,
  context: CredentialContext,
): Promise<string> {
  const { logins, signal, sent, refused, ends } = context;
  const { scheme } = chosen;
  const issued = await logins.token(loginNeed(chosen, settings, context), signal);
  sent.push(issued.token);
  refused.push(issued.refused);
  const { tokenType, ended = [] } = settings.login;
  ends.push(...ended);
  if (tokenType === 'none') return issued.token;
  if (tokenType !== undefined) return withScheme(tokenType, issued.token);
  return schemeValue(scheme, issued.token, true);
}

function loginNeed(
  { name, scheme }: ChosenScheme,
  { login, place }: SettingsOf<'login'>,
  { connection, base }: Pick<CredentialContext, 'connection' | 'base'>,
): LoginNeed {
  return { connection, schemeName: name, scheme, login, place, base };
}

/** Throws `configuration_invalid` where the token belongs to another data centre than the request goes to. */
async function ofNango(
  { scheme }: ChosenScheme,
  { nango, place }: SettingsOf<'nango'>,
  { connection, requestUrl, askNango, sent }: CredentialContext,
): Promise<string> {
  const { secret, config } = await askNango(nango, place);
  assertDataCentre(connection, requestUrl, config);
  assertOwnToken(connection, place, secret.nature === 'token' ? secret.subject : 'user');
  if (secret.nature === 'basic') sent.push(secret.password === '' ? secret.username : secret.password);
  else sent.push(secret.token);
  return nangoValue(secret, scheme, place)!;
}

function ofPair(pair: string, place: string, { announce, sent }: CredentialContext): string {
  const colon = pair.indexOf(':');
  if (colon < 0) {
    throw new ToolcribError(
      'configuration_invalid',
      `The credential of ${place} is not written as user:password.`,
    );
  }
  const [username, password] = [pair.slice(0, colon), pair.slice(colon + 1)];
  const secret = password === '' ? username : password;
  announce(secret);
  sent.push(secret);
  return basicPair(username, password, place);
}
