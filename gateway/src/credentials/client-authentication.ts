import type { TlsIdentity } from '../egress/egress.ts';
import { encodeComponent } from './place-credential.ts';

/** How a client shows at the endpoints of an authorization server who it is. */
export interface ClientAuthentication {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly clientAuthentication: 'basic' | 'body';
  /** Shown beside a secret, or in place of one (RFC 8705 §2). */
  readonly tls?: TlsIdentity;
}

/**
 * Says in the form who asks, or gives the `Authorization` header that says it (RFC 6749 §2.3.1). Without a secret the
 * client only names itself.
 */
export function authenticateClient(client: ClientAuthentication, form: URLSearchParams): string | undefined {
  const { clientId, clientSecret } = client;
  if (isAskedInBasic(client)) return clientBasic(clientId, clientSecret);
  form.set('client_id', clientId);
  if (clientSecret !== undefined) form.set('client_secret', clientSecret);
  return undefined;
}

function isAskedInBasic({ clientSecret, clientAuthentication }: ClientAuthentication): boolean {
  return clientSecret !== undefined && clientAuthentication === 'basic';
}

/** What to do where the header may be why a client was refused. */
export function basicHint(client: ClientAuthentication): { readonly next?: string } {
  if (!isAskedInBasic(client)) return {};
  const { clientId, clientSecret = '' } = client;
  // RFC 6749 §2.3.1 is not everywhere kept: LemonLDAP::NG 2.16 and Glewlwyd 2.7 take id and secret as they arrive
  if (formEncode(clientId + clientSecret) === clientId + clientSecret) return {};
  return {
    next: 'Check client id, secret and scopes with the provider. Some do not decode the characters of this id or secret: try `clientAuthentication: body`.',
  };
}

/** RFC 6749 §2.3.1: id and secret are form-encoded before they are joined. */
function clientBasic(clientId: string, clientSecret = ''): string {
  const pair = `${formEncode(clientId)}:${formEncode(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** Leaves `~`, which `URLSearchParams` encodes: it stands in many secrets, and not every server decodes them. */
function formEncode(value: string): string {
  return encodeComponent(value).replaceAll('%20', '+');
}
