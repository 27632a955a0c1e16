import type { EgressResponse } from '../../egress/index.ts';
import { isRequest, type Operation } from '../../operations/index.ts';
import { isJsonType, mediaTypeOf } from '../../results/media-type.ts';
import type { HttpAnswer } from '../executor.ts';
import { redirectError } from './redirect-error.ts';
import { isSignInPage } from './sign-in-page.ts';

export interface Led extends Pick<HttpAnswer, 'redirectedTo' | 'warnings' | 'advice'> {
  /** What came is the page to sign in at: no answer, whatever its status. */
  readonly isSignInPage?: true;
}

/**
 * Where redirects led, and that what came from there is a page which nobody described: many services lead to the one to
 * sign in at instead of refusing a credential.
 */
export function ledElsewhere(
  asked: string,
  { url, headers, status, body }: EgressResponse,
  operation: Operation,
): Led {
  const { invocation } = operation;
  const redirectedTo = otherPlace(asked, url);
  if (redirectedTo === undefined) return {};
  const accepted = isRequest(invocation) ? invocation.accept : [];
  const error = redirectError(asked, url);
  if (status >= 400) return { redirectedTo, ...(error === undefined ? {} : { advice: adviceOn(error) }) };
  const isPage = mediaTypeOf(headers['content-type']) === 'text/html';
  if (!isPage || accepted.some((type) => mediaTypeOf(type) === 'text/html')) return { redirectedTo };
  if (isSignInPage(redirectedTo, body, operation)) return { redirectedTo, isSignInPage: true };
  const told =
    error === undefined
      ? ', which is a page: if that is where people sign in, the credential of this source is missing or refused.'
      : ` with the error ${error}: most likely it failed.`;
  const warning = `The service redirected this call to ${redirectedTo}${told}`;
  return { redirectedTo, warnings: [warning] };
}

/** What came from there is a page for people, or none. */
function adviceOn(error: string): NonNullable<HttpAnswer['advice']> {
  return {
    text: `The redirect names the error ${error}.`,
    next: 'Correct what the error names. Where this is a write, check its effect before you try again.',
    details: {},
  };
}

/** A call for JSON that led to a page: what ran out may be a session, which such services do not say by a 401. */
export function isSignedOut(led: Led, { invocation }: Operation): boolean {
  if (led.isSignInPage) return true;
  const accepted = isRequest(invocation) ? invocation.accept : [];
  return led.warnings !== undefined && accepted.some((type) => isJsonType(mediaTypeOf(type)));
}

/** Without its query, which may hold what is secret; undefined where only a slash at the end differs. */
function otherPlace(asked: string, answered: string): string | undefined {
  if (asked === answered) return undefined;
  const [from, to] = [URL.parse(asked), URL.parse(answered)];
  if (from === null || to === null) return undefined;
  if (from.origin !== to.origin) return to.origin + to.pathname;
  const bare = ({ pathname }: URL): string => pathname.replace(/\/$/, '');
  return bare(from) === bare(to) ? undefined : to.pathname;
}
