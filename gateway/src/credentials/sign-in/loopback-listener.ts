import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ToolcribError } from '../../errors.ts';
import { answerPage } from '../answer-page.ts';

/** Where the browser comes back to after a sign-in (RFC 8252 §7.3). */
export interface LoopbackListener {
  readonly redirectUri: string;
  /** The parameters of the first answer whose state `fits`; others are turned away and change nothing. */
  answer(fits: (state: string) => boolean, signal: AbortSignal): Promise<URLSearchParams>;
  /** An address as the browser shows it; false where it is no answer to what is waited for. */
  offer(address: string): boolean;
  close(): Promise<void>;
}

const RANDOM = 'http://127.0.0.1:0/callback';

/**
 * Listens on 127.0.0.1, on a random port unless the provider knows one: `at` is the redirect URI that is registered
 * there, on 127.0.0.1 or localhost. Throws `configuration_invalid` where somebody else has the port.
 */
export async function listenForAnswer(at: string = RANDOM): Promise<LoopbackListener> {
  const wanted = new URL(at);
  const received = Promise.withResolvers<URLSearchParams>();
  let fits: ((state: string) => boolean) | undefined;
  let authority = '';
  const take = (parameters: URLSearchParams): boolean => {
    // a parameter given twice has no one value (RFC 6749 §3.1)
    const once = ['state', 'code', 'iss', 'error'].every((name) => parameters.getAll(name).length <= 1);
    const taken = once && fits?.(parameters.get('state') ?? '') === true;
    if (taken) received.resolve(parameters);
    return taken;
  };
  const server = createServer((request, response) => {
    const parameters = parametersOf(request, authority, wanted.pathname);
    if (parameters === undefined) return answerPage(response, 404, 'There is nothing here.');
    if (take(parameters)) answerPage(response, 200, 'You can close this window and go back to Toolcrib.');
    else answerPage(response, 400, 'This is no answer to the sign-in that was started here.');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(portTaken(at, cause)));
    server.listen(Number(wanted.port), '127.0.0.1', resolve);
  });
  authority = `${wanted.hostname}:${(server.address() as AddressInfo).port}`;
  return {
    redirectUri: `http://${authority}${wanted.pathname}`,
    async answer(test, signal) {
      fits = test;
      const onAbort = () => received.reject(signal.reason);
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        return await received.promise;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    offer(address) {
      const url = URL.parse(address.trim());
      const isOurs = url?.origin === `http://${authority}` && url.pathname === wanted.pathname;
      return isOurs && take(url.searchParams);
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const forced = setTimeout(() => server.closeAllConnections(), 500);
      await closed;
      clearTimeout(forced);
    },
  };
}

/** Only a GET of the one path, asked for by the name that we gave (no rebinding). */
function parametersOf(
  { method, url = '', headers }: IncomingMessage,
  authority: string,
  path: string,
): URLSearchParams | undefined {
  const target = URL.parse(url, `http://${authority}`);
  const isOurs = method === 'GET' && headers.host === authority && target?.pathname === path;
  return isOurs ? target.searchParams : undefined;
}

function portTaken(at: string, cause: unknown): ToolcribError {
  return new ToolcribError('configuration_invalid', `Nothing can listen at the redirect URI ${at}.`, {
    next: 'End the program that has the port, or register another redirect URI.',
    cause,
  });
}
