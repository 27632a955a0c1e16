import { ToolcribError } from '../../errors.ts';
import type { Connection, SecurityScheme } from '../../operations/index.ts';
import { findSettings, type SchemeSettings } from '../scheme-settings.ts';
import type { SecretReader } from '../secret-reference.ts';

/** A security scheme that a person can sign in to, and where the tokens are kept. */
export interface SignInScheme {
  readonly name: string;
  readonly scheme: SecurityScheme;
  readonly settings: Extract<SchemeSettings, { readonly kind: 'oauth2' }>;
  readonly file: string;
}

/**
 * The one named, or the only one that has a file for its tokens. Throws `configuration_invalid` with what is to be set,
 * `usage` where there are several.
 */
export function chosenScheme(
  connection: Connection,
  wanted: string | undefined,
  { env }: SecretReader,
): SignInScheme {
  const { source, securitySchemes } = connection;
  const able = Object.entries(securitySchemes).filter(
    ([, { type }]) => type === 'oauth2' || type === 'openIdConnect',
  );
  const settingsOf = ([name, scheme]: readonly [string, SecurityScheme]) =>
    findSettings(connection, name, scheme, env);
  const isByItself = Object.entries(securitySchemes).some((one) => settingsOf(one)?.kind === 'login');
  if (able.length === 0) {
    if (isByItself) throw nobodyHasTo(source);
    throw new ToolcribError(
      'configuration_invalid',
      `The description of source "${source}" has no OAuth 2 or OpenID Connect scheme to sign in to.`,
      { next: 'Add one by an overlay, or set credentials that it takes (docs/credentials.md).' },
    );
  }
  const ready = able.flatMap(([name, scheme]): SignInScheme[] => {
    const settings = settingsOf([name, scheme]);
    if (settings?.kind !== 'oauth2' || settings.oauth2.tokenFile === undefined) return [];
    return [{ name, scheme, settings, file: settings.oauth2.tokenFile }];
  });
  const named = wanted === undefined ? ready : ready.filter(({ name }) => name === wanted);
  const [first] = named;
  if (first === undefined) {
    if (isByItself) throw nobodyHasTo(source);
    const schemes = able.map(([name]) => name).join(', ');
    throw new ToolcribError(
      'configuration_invalid',
      `No sign-in to source "${source}" is configured${wanted === undefined ? '' : ` for scheme ${wanted}`}; it has: ${schemes}.`,
      {
        pointer: `#/sources/${source}/credentials/oauth2/tokenFile`,
        next: `Set credentials.oauth2 of ${source}: clientId, scopes, and tokenFile, where the tokens are kept.`,
      },
    );
  }
  const files = new Set(named.map(({ file }) => file));
  if (named.length > 1 && files.size > 1) {
    throw new ToolcribError(
      'usage',
      `Source "${source}" has several sign-ins: name one by --scheme: ${named.map(({ name }) => name).join(', ')}.`,
    );
  }
  return (
    named.find(({ scheme }) => scheme.type === 'oauth2' && scheme.authorizationCode !== undefined) ?? first
  );
}

function nobodyHasTo(source: string): ToolcribError {
  return new ToolcribError(
    'configuration_invalid',
    `Nobody has to sign in to source "${source}": the gateway logs in by itself, as credentials.login of it says.`,
    { next: 'Call one of its tools, or see `toolcrib doctor`, which names what the login lacks.' },
  );
}
