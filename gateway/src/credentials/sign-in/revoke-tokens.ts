import type { Egress, TlsIdentity } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import { askProvider, formRequest } from '../provider-request.ts';
import { outOfOrderHint, refusalIn } from '../token-endpoint.ts';

/** What somebody who signs out no longer needs. */
export interface Revocation {
  readonly url: string;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Says who asks in the form, or gives the `Authorization` header for it (RFC 6749 §2.3.1). */
  readonly authenticate: (form: URLSearchParams) => string | undefined;
  /** What it shows there: never repeated in an error. */
  readonly clientSecret?: string | undefined;
  /** Shown beside a secret, or in place of one (RFC 8705 §2). */
  readonly tls?: TlsIdentity | undefined;
}

/** Some answer so for a token that has ended, where RFC 7009 §2.2 has a success. */
const ENDED: ReadonlySet<unknown> = new Set(['invalid_token', 'invalid_grant']);

/**
 * Ends the tokens of a sign-in (RFC 7009 §2.1), the one that others come from first. Throws `credentials_refused` in the
 * provider's words, `upstream_unreachable`, `egress_blocked`.
 */
export async function revokeTokens(
  egress: Egress,
  revocation: Revocation,
  signal: AbortSignal,
): Promise<void> {
  const { refreshToken, accessToken } = revocation;
  if (refreshToken !== undefined) await revoke(egress, revocation, ['refresh_token', refreshToken], signal);
  await revoke(egress, revocation, ['access_token', accessToken], signal);
}

async function revoke(
  egress: Egress,
  { url, authenticate, clientSecret, tls }: Revocation,
  [hint, token]: readonly [hint: string, token: string],
  signal: AbortSignal,
): Promise<void> {
  const what = `The revocation endpoint ${url.split(/[?#]/, 1)[0]}`;
  const form = new URLSearchParams({ token, token_type_hint: hint });
  const request = { ...formRequest(url, form, authenticate(form)), ...(tls && { tls }) };
  const { status, json } = await askProvider(egress, request, what, signal);
  if (status >= 200 && status < 300) return;
  const error = json?.['error'];
  if (ENDED.has(error)) return;
  // it ends by itself, soon; the refresh token does not
  if (error === 'unsupported_token_type' && hint === 'access_token') return;
  const { said } = refusalIn(json, [token, clientSecret], 'no reason in the answer');
  throw new ToolcribError('credentials_refused', `${what} answered ${status}: ${said}`, {
    status,
    ...outOfOrderHint(status),
  });
}
