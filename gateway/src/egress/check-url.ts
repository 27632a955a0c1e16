import { type CheckedAddress, createDestinationCheck } from './destination.ts';
import { EgressFailure, type FailureKind, type Resolve } from './egress.ts';
import { systemResolve } from './system-resolve.ts';

interface UrlVerdict {
  readonly allow: boolean;
  /** The only addresses that a connection may use; empty when refused. */
  readonly addresses: readonly CheckedAddress[];
  readonly reason?: string;
  /** What kind of failure the reason is. */
  readonly kind?: FailureKind;
}

interface CheckOptions {
  readonly resolve?: Resolve;
  readonly allow?: readonly string[];
}

/** Would the door let this URL through, and to which addresses? Sends nothing but DNS queries. */
export async function checkUrl(url: string, options: CheckOptions = {}): Promise<UrlVerdict> {
  return verdict(url, undefined, options);
}

interface RedirectVerdict extends UrlVerdict {
  /** Credentials and custom headers stay only within one origin. */
  readonly keepCredentials: boolean;
}

/** The same question for the target of a redirect (RFC 9110 §15.4), relative to the URL that answered. */
export async function checkRedirect(
  redirect: { readonly from: string; readonly location: string; readonly status: number },
  options: CheckOptions = {},
): Promise<RedirectVerdict> {
  const from = URL.parse(redirect.from);
  if (!from)
    return { allow: false, addresses: [], keepCredentials: false, reason: 'The redirecting URL is no URL' };
  const answer = await verdict(redirect.location, from, options);
  const target = answer.allow ? URL.parse(redirect.location, from.href) : null;
  return { ...answer, keepCredentials: target?.origin === from.origin };
}

async function verdict(text: string, base: URL | undefined, options: CheckOptions): Promise<UrlVerdict> {
  const check = createDestinationCheck(options.allow);
  try {
    const url = check.parse(text, base);
    return { allow: true, addresses: await check.addresses(url, options.resolve ?? systemResolve) };
  } catch (error) {
    if (error instanceof EgressFailure)
      return { allow: false, addresses: [], reason: error.message, kind: error.kind };
    throw error;
  }
}
