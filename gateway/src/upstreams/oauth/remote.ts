import { ToolcribError } from '../../errors.ts';
import type { TlsSettings } from '../../operations/index.ts';
import type { UpstreamDefinition, UpstreamOAuth } from '../upstreams.ts';

/** A server that may be signed in to. */
export interface Remote {
  readonly name: string;
  readonly url: string;
  readonly oauth: UpstreamOAuth;
  readonly tls?: TlsSettings;
}

/** Undefined for a process, for `oauth: none`, and where a header of the configuration says who we are. */
export function remoteOf({ name, transport }: UpstreamDefinition): Remote | undefined {
  if (transport.kind === 'stdio' || transport.oauth === 'none') return undefined;
  const fixed = Object.keys(transport.headers).some((header) => header.toLowerCase() === 'authorization');
  if (fixed && transport.oauth === undefined) return undefined;
  const { url, oauth = {}, tls } = transport;
  return { name, url, oauth, ...(tls === undefined ? {} : { tls }) };
}

/** Nobody signs in: the gateway is the client. */
export function isClientGrant({ oauth }: Remote): boolean {
  return oauth.grant === 'client_credentials';
}

export function signInNeeded({ name }: Remote, cause?: unknown): ToolcribError {
  const what = cause === undefined ? 'asks for a sign-in' : 'no longer takes the sign-in that is kept for it';
  return new ToolcribError('authorization_required', `The server "${name}" ${what}.`, {
    next: `Sign in to the server: \`toolcrib login ${name}\`.`,
    cause,
  });
}

export function scopeNeeded(remote: Remote, scopes: readonly string[]): ToolcribError {
  const { name } = remote;
  const next = isClientGrant(remote)
    ? 'Ask whoever runs the authorization server to allow the scopes to this client.'
    : `Sign in again, which asks for them: \`toolcrib login ${name}\`.`;
  const which = scopes.join(' ') || 'it does not say which scopes';
  const message = `The server "${name}" wants more than the sign-in allows: ${which}.`;
  return new ToolcribError('authorization_required', message, { next, details: { scopes } });
}
