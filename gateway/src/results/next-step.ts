import type { Access } from '../operations/index.ts';

export interface AnswerFacts {
  readonly retryAfterSeconds: number | undefined;
  readonly unknownOutcome: boolean;
  readonly location: string | undefined;
  /** The path has no parameter: no identifier in it can be wrong. */
  readonly fixedPath: boolean;
  /** Of an answer that redirects led to: what the operation does. */
  readonly redirected: Access | undefined;
  /** The answer says more than its status, and asks for no credential by a challenge (RFC 9110 §11.6.1). */
  readonly explained: boolean;
  /** It names the version of WebSocket that it speaks (RFC 6455 §4.4), or wants the connection upgraded to it. */
  readonly webSocket: boolean;
  /** Why the request carried no credential: the document asks for none here, or none is configured. */
  readonly anonymous: 'unasked' | 'unconfigured' | undefined;
  /** The operation signs somebody in by what its arguments hold. */
  readonly signsIn: boolean;
  /** The next call has a fresh credential of the source. */
  readonly renewed: boolean;
  /** Whose connected account the request went out for. */
  readonly accountOwner: 'organisation' | 'user' | undefined;
}

const ACCOUNT_REFUSED = {
  user: 'The service refuses the credential of your account: connect the account again.',
  organisation:
    "The service refuses the credential of the organisation's account: an admin connects the account again.",
};

const ANONYMOUS = {
  unasked:
    'No credential was sent, since the description asks for none here: if one is missing, the operator sends it by `headers` of the source, or adds `security` to an OpenAPI document by an overlay.',
  unconfigured:
    'No credential was sent, and the service wants one: the operator configures it for this source.',
};

/** A sign-in that is refused, say: what the arguments hold may be all that is wrong. */
const CORRECT_WHAT_IS_NAMED = 'Correct what the service names. ';

const SIGN_IN_REFUSED =
  'The service refuses the name, password or code in the arguments: correct them, and do not try many, since accounts are locked by that. If they are right, ';

/** Many services answer so to arguments that they cannot read. */
const FAILED_WITH_WORDS =
  'The service failed: where it names an argument, correct that; else call again later.';

/** A flag that others depend on, a token of another kind: many services answer so to what is no question of rights. */
const FORBIDDEN_WITH_WORDS =
  'The service forbids this: heed the reason that it gives. Where that is a lack of rights, the operator checks the permissions of the account and the scopes of its credential.';

const NO_SUCH_PATH =
  'Nothing is there. Unless an argument names something that is gone, the service has no such path: the operator compares the base URL of the source with the address of the service.';

/** A page beyond the last one, a record that is named in the body: the path may well be there. */
const NOTHING_BY_ITS_WORDS =
  'Nothing is there: heed what the service says of it, and correct an argument that it speaks of. If it speaks of none, it may have no such path: the operator compares the base URL of the source with the address of the service.';

/** A write that is answered by a redirect to a page is mostly done. */
const LED_NOWHERE = {
  read: 'What the service redirects to is not there: if that is a page to sign in at, the operator checks the credential configured for this source.',
  other:
    'The service answered with a redirect, and what it leads to is not there: the write may have happened. Check its effect before you try again.',
};

const WEB_SOCKET =
  'The service speaks WebSocket here, which no tool can: the operator leaves this operation out by `exclude`.';

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'The service refuses the arguments: correct what it names and call again.',
  401: 'The service refuses the credential: the operator checks the one configured for this source.',
  402: 'The service asks for payment: the operator checks the account.',
  403: 'The account may not do this: the operator checks its permissions and the scopes of its credential.',
  404: 'Nothing is there: check the identifiers, e.g. by listing or searching first.',
  405: 'The service does not offer this: the document may be older or newer than the service.',
  406: 'The service cannot answer in a type that was asked for.',
  408: 'The service gave up waiting: call again.',
  409: 'This conflicts with the present state: read it again, then decide.',
  410: 'It is gone for good: do not call for it again.',
  // also what gRPC's FAILED_PRECONDITION comes as, of calls without any If-Match
  412: 'It has changed meanwhile, or is not as this call needs it: read it again, then decide.',
  413: 'Send less at once.',
  415: 'The service does not take this media type: the document may be older or newer than the service.',
  422: 'The service refuses the arguments: correct what it names and call again.',
  429: 'Too many calls: wait before the next one.',
  501: 'The service does not offer this: it may lack a part that this needs, or be older than the document.',
};

/** What the caller can do about an answer that is no success. */
export function nextStep(status: number, facts: AnswerFacts): string {
  const { retryAfterSeconds, unknownOutcome, location, fixedPath, explained, anonymous, accountOwner } =
    facts;
  const wait = retryAfterSeconds === undefined ? '' : ` The service asks to wait ${retryAfterSeconds} s.`;
  const anew = facts.renewed ? ' The next call signs in anew.' : '';
  if (unknownOutcome)
    return `The write may have happened: check its effect before you try again.${anew}${wait}`;
  if (status === 304) return 'It has not changed since: use what you have.';
  if (status >= 300 && status < 400) {
    return location
      ? `The service points to ${location}, which was not followed.`
      : 'The service points elsewhere without saying where.';
  }
  if (facts.webSocket) return WEB_SOCKET;
  if (status === 404 && facts.redirected !== undefined)
    return LED_NOWHERE[facts.redirected === 'read' ? 'read' : 'other'] + wait;
  if (status === 404 && fixedPath) return (explained ? NOTHING_BY_ITS_WORDS : NO_SUCH_PATH) + wait;
  const isRefused = status === 401 || status === 403;
  if (isRefused && facts.signsIn) {
    const otherwise = facts.renewed
      ? 'call once more: the source signs in anew.'
      : 'the operator checks the credential of this source.';
    return SIGN_IN_REFUSED + otherwise + wait;
  }
  const known =
    isRefused && anonymous !== undefined
      ? (explained && anonymous === 'unasked' ? CORRECT_WHAT_IS_NAMED : '') + ANONYMOUS[anonymous]
      : status === 401 && accountOwner !== undefined
        ? ACCOUNT_REFUSED[accountOwner]
        : BY_STATUS[status];
  if (status === 403 && explained && anonymous === undefined) return FORBIDDEN_WITH_WORDS + wait;
  if (known !== undefined) return known + wait;
  if (status === 500 && explained) return FAILED_WITH_WORDS + wait;
  return status >= 500
    ? `The service failed: call again later.${wait}`
    : `Read the answer of the service and correct the call.${wait}`;
}
