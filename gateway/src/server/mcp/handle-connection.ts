import { ToolcribError } from '../../errors.ts';
import { forwardChanges, sendNotice } from './change-notices.ts';
import { answering } from './protocol-errors.ts';
import type { Translation } from './translation.ts';

/** Resources that one session follows, and characters of one address: both are kept as long as the session. */
const MAX_FOLLOWED = 1000;
const MAX_URI = 8192;

/** Subscriptions of the older revisions and change notices; 2026-07-28 listens instead (`subscriptions/listen`). */
export function handleConnection({ core, server, session, followed }: Translation): void {
  const own = new Map<string, () => void>();
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    return answering(() => {
      if (own.has(uri)) return {};
      if (own.size >= MAX_FOLLOWED || uri.length > MAX_URI) {
        throw new ToolcribError('overloaded', `A session follows ${MAX_FOLLOWED} resources at most.`);
      }
      own.set(uri, followed.follow(uri, session.principal));
      return {};
    });
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    own.get(uri)?.();
    own.delete(uri);
    return {};
  });
  const stop = forwardChanges(
    core,
    {
      get principal() {
        return session.principal;
      },
      wants: (uri) => session.era === 'modern' || own.has(uri),
      tell: (change) => sendNotice(server, change),
    },
    (error) => server.onerror?.(error),
  );
  const { onclose } = server;
  server.onclose = () => {
    stop();
    for (const end of own.values()) end();
    own.clear();
    onclose?.();
  };
}
