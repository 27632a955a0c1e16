import type { ServerContext } from '@modelcontextprotocol/server';
import { answering } from './protocol-errors.ts';
import type { ListKind } from './published-lists.ts';
import type { ListsOf, Translation } from './translation.ts';

/** Lists by pages. */
export function handleLists({ core, server, session: { spliceTools } }: Translation, lists: ListsOf): void {
  const list = (
    kind: ListKind,
    params: { cursor?: string | undefined } | undefined,
    { mcpReq: { envelope } }: ServerContext,
  ) =>
    answering(async () => {
      await core.freshen?.();
      const { items, nextCursor } = lists(envelope).page(kind, params?.cursor);
      return { [kind]: items, ...(nextCursor === undefined ? {} : { nextCursor }) } as never;
    });
  server.setRequestHandler('tools/list', ({ params }, context) => {
    if (spliceTools === undefined) return list('tools', params, context);
    return answering(async () => {
      await core.freshen?.();
      const { json, nextCursor } = lists(context.mcpReq.envelope).page('tools', params?.cursor);
      spliceTools(json, context.mcpReq.id);
      return { tools: [], ...(nextCursor === undefined ? {} : { nextCursor }) };
    });
  });
  server.setRequestHandler('resources/list', ({ params }, context) => list('resources', params, context));
  server.setRequestHandler('resources/templates/list', ({ params }, context) =>
    list('resourceTemplates', params, context),
  );
  server.setRequestHandler('prompts/list', ({ params }, context) => list('prompts', params, context));
}
