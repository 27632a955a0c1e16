import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** A loopback service that says `{}` to whatever `answer` leaves, and what it was asked. Ends with the test. */
export async function liveService(
  answer: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean> = () => false,
): Promise<{ readonly base: string; readonly seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    seen.push({ url, headers });
    response.setHeader('content-type', 'application/json');
    if (!(await answer(request, response))) response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
