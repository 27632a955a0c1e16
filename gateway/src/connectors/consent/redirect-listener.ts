import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answerPage } from '../../credentials/answer-page.ts';

/** Where the browser comes back to after a consent, as long as somebody waits for it. */
export interface RedirectListener {
  /** Listens where it can; resolves in either case: without it, the connection is only looked at. */
  open(): Promise<void>;
  close(): void;
}

export interface RedirectListenerOptions {
  /** `http://localhost:8080`; anything but loopback http is not ours to listen on. */
  readonly redirectUrl: string;
  /** Confirms a consent with its code; the connection that it was for, undefined: none that we know of. */
  confirm(code: string): Promise<string | undefined>;
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);
const MAX_CODE_LENGTH = 8_192;

export function redirectListener({ redirectUrl, confirm }: RedirectListenerOptions): RedirectListener {
  const expected = URL.parse(redirectUrl);
  const isOurs = expected?.protocol === 'http:' && LOOPBACK.has(expected.hostname);
  let server: Server | undefined;
  let opening: Promise<void> | undefined;

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const code = codeOf(request, expected!);
    if (code === undefined) return answerPage(response, 404, 'There is nothing here.');
    if (code === '')
      return answerPage(response, 400, 'This is no answer to a consent. You can close this window.');
    try {
      const connection = await confirm(code);
      if (connection === undefined)
        return answerPage(response, 400, 'No consent is open here. You can close this window.');
      answerPage(response, 200, `The connection "${connection}" is signed in. You can close this window.`);
    } catch {
      // what is wrong with a code is Azure's to say, and it may still have counted
      answerPage(
        response,
        502,
        'The consent could not be confirmed from here. You can close this window and try again.',
      );
    }
  };

  const listen = () =>
    new Promise<void>((resolve) => {
      const opened = createServer((request, response) => void answer(request, response));
      opened.requestTimeout = 10_000;
      opened.once('error', () => {
        // the port is somebody else's
        if (server === opened) server = undefined;
        resolve();
      });
      opened.listen(Number(expected!.port || 80), '127.0.0.1', resolve);
      opened.unref();
      server = opened;
    });

  return {
    async open() {
      if (!isOurs || server?.listening === true) return;
      opening ??= listen().finally(() => {
        opening = undefined;
      });
      await opening;
    },
    close() {
      const closing = server;
      server = undefined;
      closing?.close();
      closing?.closeIdleConnections();
    },
  };
}

/** Only a GET of the one path, asked for by the name that we gave (no rebinding); `''`: it has no code, or several. */
function codeOf({ method, url = '', headers }: IncomingMessage, expected: URL): string | undefined {
  const target = URL.parse(url, expected.origin);
  const fits =
    method === 'GET' &&
    headers.host === expected.host &&
    target?.origin === expected.origin &&
    target.pathname === expected.pathname;
  if (!fits) return undefined;
  const codes = target.searchParams.getAll('code');
  const [code = ''] = codes;
  return codes.length === 1 && code.length <= MAX_CODE_LENGTH ? code : '';
}
