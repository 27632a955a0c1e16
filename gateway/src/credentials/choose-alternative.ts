import { ToolcribError } from '../errors.ts';
import type { Connection, SecurityAlternative, SecurityScheme } from '../operations/index.ts';
import {
  findSettings,
  isAuthorizationKey,
  isBasic,
  isUnsupported,
  placeOf,
  type SchemeSettings,
} from './scheme-settings.ts';
import { type Environment, environmentName } from './secret-reference.ts';

/** One scheme of the alternative that was chosen, with all that is needed to satisfy it. */
export interface ChosenScheme {
  readonly name: string;
  /** Absent where the document does not define the scheme that it asks for. */
  readonly scheme: SecurityScheme | undefined;
  readonly settings: SchemeSettings;
  readonly scopes: readonly string[];
}

/**
 * The alternatives of which every scheme is configured, in their order but for a login's, never none; `{}` (anonymous)
 * counts only where there is no other. Throws `credentials_missing`, naming for every alternative what would satisfy it;
 * for a stored connection `connection_missing`.
 */
export function configuredAlternatives(
  connection: Connection,
  security: readonly SecurityAlternative[],
  env: Environment,
): readonly [readonly ChosenScheme[], ...(readonly ChosenScheme[])[]] {
  const configured: (readonly ChosenScheme[])[] = [];
  for (const alternative of security) {
    const names = Object.keys(alternative);
    if (names.length === 0) continue;
    const chosen = names.flatMap((name): ChosenScheme[] => {
      const scheme = schemeOf(connection, name);
      const settings = findSettings(connection, name, scheme, env);
      return settings === undefined ? [] : [{ name, scheme, settings, scopes: alternative[name] ?? [] }];
    });
    if (chosen.length === names.length && !isOperatorsAlone(connection, chosen)) configured.push(chosen);
  }
  const [first, ...others] = inRank(configured, connection);
  if (first !== undefined) return [first, ...others];
  if (security.some((alternative) => Object.keys(alternative).length === 0)) return [[]];
  throw missingCredential(connection, security, env);
}

/** Nearly always there is one, and nothing to put in order. */
function inRank(
  configured: readonly (readonly ChosenScheme[])[],
  connection: Connection,
): readonly (readonly ChosenScheme[])[] {
  if (configured.length < 2) return configured;
  const place = placeOf(connection);
  const login = `${place}.login`;
  return sessionsLast(configured, `${place}.apiKey`).toSorted(
    (a, b) => keyRank(a, login) - keyRank(b, login),
  );
}

/**
 * A key that was issued is no browser's session: where it goes into a header as well, that counts. Django REST framework
 * names the cookie of its session first, then its token.
 *
 * @param unnamed where the key stands that is for no scheme by name
 */
function sessionsLast(
  configured: readonly (readonly ChosenScheme[])[],
  unnamed: string,
): readonly (readonly ChosenScheme[])[] {
  const takesKey = (alternative: readonly ChosenScheme[], isCookie: boolean) =>
    alternative.some(
      ({ scheme, settings }) =>
        settings.place === unnamed && scheme?.type === 'apiKey' && (scheme.in === 'cookie') === isCookie,
    );
  if (!configured.some((alternative) => takesKey(alternative, false))) return configured;
  return configured.toSorted((a, b) => Number(takesKey(a, true)) - Number(takesKey(b, true)));
}

/**
 * What a login gives is a token, and no API key: an alternative that takes a token stands before one that would have it
 * in a key's place, since Medusa names its key first, then its JWT. A key in the query comes last, since addresses are
 * kept in logs (RFC 6750 §5.3): Matrix names that first.
 *
 * @param unnamed where the login stands that is for no scheme by name
 */
function keyRank(alternative: readonly ChosenScheme[], unnamed: string): number {
  const ranks = alternative.map(({ scheme, settings }) => {
    if (settings.place !== unnamed || scheme?.type !== 'apiKey') return 0;
    if (scheme.in === 'query') return 2;
    return scheme.in === 'cookie' || isAuthorizationKey(scheme) ? 0 : 1;
  });
  return Math.max(0, ...ranks);
}

/** A certificate says who runs this gateway: by itself it is no credential of a stored account. */
function isOperatorsAlone({ account }: Connection, chosen: readonly ChosenScheme[]): boolean {
  return account !== undefined && chosen.every(({ settings }) => settings.kind === 'certificate');
}

function schemeOf({ securitySchemes }: Connection, name: string): SecurityScheme | undefined {
  return Object.hasOwn(securitySchemes, name) ? securitySchemes[name] : undefined;
}

function missingCredential(
  connection: Connection,
  security: readonly SecurityAlternative[],
  env: Environment,
): ToolcribError {
  const alternatives = security.map((alternative) =>
    Object.keys(alternative)
      .filter((name) => findSettings(connection, name, schemeOf(connection, name), env) === undefined)
      .map((name) => describeMissing(connection, name))
      .join(' and '),
  );
  const named = security.flatMap((alternative) => Object.keys(alternative));
  if (connection.account !== undefined) {
    return new ToolcribError(
      'connection_missing',
      `Connection ${connection.account} of source ${connection.source} holds no credential for ${[...new Set(named)].join(' or ')}.`,
      { details: { schemes: [...new Set(named)] } },
    );
  }
  return new ToolcribError(
    'credentials_missing',
    `Source ${connection.source} needs a credential that is not configured: ${alternatives.join('; or: ')}.${unfit(connection, named, env)}`,
    {
      next: `Set one of them. Where this service asks for none, whatever its description says, set ${placeOf(connection)} to none.`,
      details: {
        schemes: [...new Set(named)],
        environment: [...new Set(named)].map((name) => environmentName(connection.source, name)),
      },
    },
  );
}

/** What stands in the configuration and is for no scheme that is asked for, by its keys: whoever wrote it takes it for sent. */
function unfit(connection: Connection, named: readonly string[], env: Environment): string {
  const place = placeOf(connection);
  const { schemes, ...generic } = connection.credentials === 'none' ? {} : (connection.credentials ?? {});
  const fitting = named.flatMap(
    (name) => findSettings(connection, name, schemeOf(connection, name), env)?.place ?? [],
  );
  const keys = [...Object.keys(generic), ...Object.keys(schemes ?? {}).map((name) => `schemes.${name}`)];
  const left = keys.filter(
    (key) => !fitting.some((one) => one === `${place}.${key}` || one.startsWith(`${place}.${key}.`)),
  );
  return left.length === 0 ? '' : ` What ${place} has (${left.join(', ')}) fits none of this.`;
}

/** `scheme key (apiKey in header X-Api-Key): set sources.pets.credentials.apiKey, … or the variable …`. */
function describeMissing(connection: Connection, name: string): string {
  const scheme = schemeOf(connection, name);
  const label = `scheme ${name} (${describeScheme(scheme)})`;
  const place = placeOf(connection);
  if (scheme?.type === 'mutualTLS')
    return `${label}: set sources.${connection.source}.tls.certificate and sources.${connection.source}.tls.key`;
  if (scheme && isUnsupported(scheme)) return `${label}: ${UNSUPPORTED}`;
  if (scheme === undefined)
    return `${label}: set ${place}.schemes.${name}.bearer or ${place}.schemes.${name}.apiKey`;
  const keys = keysOf(scheme, connection).map((key) => `${place}.${key}`);
  const variable = environmentName(connection.source, name);
  const pair = isBasic(scheme) ? ' (as user:password)' : '';
  const bySignIn =
    scheme.type === 'oauth2' && scheme.authorizationCode !== undefined && connection.account === undefined
      ? `; a person can sign in: set ${place}.oauth2 with a tokenFile, then run toolcrib login ${connection.source}`
      : '';
  const byPassword =
    scheme.type === 'oauth2' && scheme.password && connection.account === undefined
      ? `; name and password: set ${place}.login.form`
      : '';
  return `${label}: set ${keys.join(' or ')}, or the environment variable ${variable}${pair}${bySignIn}${byPassword}`;
}

const UNSUPPORTED =
  'challenge-response authentication is not supported; let a local proxy do it and name it as baseUrl';

function keysOf(scheme: SecurityScheme, { provider }: Connection): string[] {
  if (scheme.type === 'apiKey') return ['apiKey'];
  if (scheme.type === 'http' && isBasic(scheme))
    return provider === undefined ? ['basic'] : ['apiKey', 'basic'];
  if (scheme.type === 'http') return ['bearer'];
  return ['oauth2', 'bearer'];
}

function describeScheme(scheme: SecurityScheme | undefined): string {
  if (scheme === undefined) return 'not defined by the document';
  switch (scheme.type) {
    case 'http':
      return `http ${scheme.scheme}`;
    case 'apiKey':
      return `apiKey in ${scheme.in} ${scheme.name}${scheme.prefix === undefined ? '' : `, sent as “${scheme.prefix} …”`}`;
    default:
      return scheme.type;
  }
}
