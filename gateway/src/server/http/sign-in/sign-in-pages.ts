import { asToolcribError, ERRORS, ToolcribError } from '../../../errors.ts';
import { htmlPage, words } from '../html-page.ts';
import { endedCookies, sessionCookie, setCookie } from '../sessions/cookie.ts';
import type { Sessions } from '../sessions/create-sessions.ts';
import { sameText } from '../sessions/session-secret.ts';
import { BEGUN, BEGUN_MS, begunIn, begunText } from './begun-sign-in.ts';
import { pathBack } from './path-back.ts';

/** Where a browser begins. */
export const PROVIDER_PATH = '/sign-in/provider';
/** The redirect address that is registered at the provider. */
export const ANSWER_PATH = '/sign-in/answer';

export interface SignInPagesParts {
  readonly sessions: Pick<Sessions, 'provider' | 'openAnswered' | 'absoluteMs'>;
  /** Where the browser reaches this gateway. */
  readonly originOf: (request: Request) => string;
}

/** The two addresses of a sign-in at the identity provider, which a browser goes to as a whole. */
export function createSignInPages({ sessions, originOf }: SignInPagesParts) {
  /** To the provider; what only this browser may know of it goes into a cookie. */
  const begin = async (request: Request): Promise<Response> => {
    const { provider } = sessions;
    if (provider === undefined) throw nobodyAsked();
    const origin = originOf(request);
    const { address, kept } = await provider.begin(`${origin}${ANSWER_PATH}`, request.signal);
    const back = pathBack(new URL(request.url).searchParams.get('back'), origin);
    // the provider is another site: with Strict the cookie would not come back
    const cookie = {
      base: BEGUN,
      value: begunText({ ...kept, back }),
      maxAgeMs: BEGUN_MS,
      sameSite: 'Lax',
    } as const;
    return redirect(address, [setCookie(request, { ...cookie, origin })]);
  };

  const answer = async (request: Request): Promise<Response> => {
    const origin = originOf(request);
    const begun = begunIn(request, origin);
    const parameters = new URL(request.url).searchParams;
    if (begun === undefined || !sameText(parameters.get('state') ?? '', begun.state)) {
      // another tab's may be under way, and a session does not come along from another site
      return problemPage(
        new ToolcribError(
          'unauthorized',
          'It belongs to no sign-in that is under way in this browser: the last one that was begun counts once, for ten minutes.',
          {
            next: `Go on in the tab where you began last, or at ${origin}, where you may be signed in already.`,
          },
        ),
        { title: 'This answer signs nobody in', link: '<a href="/">Go on to the console</a>' },
      );
    }
    const { state: _, back, ...kept } = begun;
    const opened = await sessions.openAnswered(
      { ...kept, parameters, redirectUri: `${origin}${ANSWER_PATH}` },
      request.signal,
    );
    const cookies = [sessionCookie(request, opened.secret, sessions.absoluteMs, origin)];
    // whatever a cookie says
    return redirect(`${origin}${pathBack(back, origin)}`, [...cookies, ...endedCookies(request, BEGUN)]);
  };

  /** People are here, and no client: what went wrong is a page, and what was begun is over, once it was looked at. */
  const forPeople = (handle: (request: Request) => Promise<Response>) => async (request: Request) => {
    try {
      return await handle(request);
    } catch (thrown) {
      const error = asToolcribError(thrown);
      const response = problemPage(error);
      if (error.code === 'rate_limited') return response;
      for (const cookie of endedCookies(request, BEGUN)) response.headers.append('set-cookie', cookie);
      return response;
    }
  };

  return { begin: forPeople(begin), answer: forPeople(answer) };
}

const NOT_SIGNED_IN = {
  title: 'You are not signed in',
  link: '<a href="/sign-in">Back to the sign-in page</a>',
};

function problemPage({ message, next, code }: ToolcribError, { title, link } = NOT_SIGNED_IN): Response {
  return htmlPage({
    title: 'Sign in',
    main: `<h1>${title}</h1>
<p class="problem" role="alert">${words(message)}</p><p>${words(next)}</p>
<p>${link}</p>`,
    status: ERRORS[code].status,
  });
}

function redirect(location: string, cookies: readonly string[]): Response {
  const response = new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}

function nobodyAsked(): ToolcribError {
  return new ToolcribError('not_found', 'Nobody signs in at an identity provider here.', {
    next: 'Sign in with a key or a token. The operator can set `auth.jwt.console`.',
  });
}
