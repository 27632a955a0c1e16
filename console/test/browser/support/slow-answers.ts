import { Server, type ServerResponse } from 'node:http';

/**
 * With `SLOW_ANSWERS=2000` in the environment each request of the HTTP API waits up to so many milliseconds before it
 * is handled, and its answer as long again, in no order: what a page takes for granted on a quick machine shows.
 */
export function slowAnswers(): void {
  const most = Number(process.env['SLOW_ANSWERS'] ?? 0);
  if (most === 0) return;
  // most are quick, so that some overtake others
  const wait = () => Math.random() * (Math.random() < 0.4 ? most : most / 20);
  const emit = Server.prototype.emit as (this: Server, name: string, ...given: unknown[]) => boolean;
  Server.prototype.emit = function (this: Server, name: string, ...given: unknown[]): boolean {
    const [request, response] = given as [{ readonly url: string }, ServerResponse];
    if (name !== 'request' || !/^\/api\/v1\/(?!events)/.test(request.url))
      return emit.call(this, name, ...given);
    const end = response.end.bind(response) as (...content: unknown[]) => ServerResponse;
    response.end = (...content: unknown[]) => {
      setTimeout(end, wait(), ...content);
      return response;
    };
    setTimeout(() => emit.call(this, name, ...given), wait());
    return true;
  };
}
