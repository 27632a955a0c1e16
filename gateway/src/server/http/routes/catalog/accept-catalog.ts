import { z } from 'zod';
import { ToolcribError } from '../../../../errors.ts';
import type { GatewayAdmin } from '../../admin/gateway-admin.ts';
import { route } from '../../route.ts';

export const acceptCatalog = route({
  method: 'post',
  path: '/api/v1/catalog/accept',
  operationId: 'acceptCatalog',
  summary: 'Accept changed definitions into the lock',
  description:
    'One tool, or every tool when none is named. A person decides this, never a tool: in the session of the owner only. What was rejected is accepted by its name alone.',
  access: 'dangerous',
  tag: 'catalog',
  audience: 'owner',
  body: z
    .strictObject({
      tool: z.string().min(1).optional(),
      hash: z
        .string()
        .max(200)
        .optional()
        .describe('Of the definition that was looked at; the tool has become another: record_conflict.'),
    })
    .default({}),
  response: {
    description: 'The lock holds the current definitions of these tools.',
    schema: z.object({ accepted: z.array(z.string()) }),
  },
  handle: async ({ body: { tool, hash } }, { gateway }) => {
    if (hash !== undefined) checkLookedAt(gateway, tool, hash);
    return { accepted: await gateway.accept(tool) };
  },
});

/** A source that changes what it serves between the look and the click has only the look accepted. */
function checkLookedAt(gateway: GatewayAdmin, tool: string | undefined, hash: string): void {
  if (tool === undefined)
    throw new ToolcribError('request_invalid', 'A hash is of one tool; without its name all are accepted.', {
      pointer: '/tool',
      next: 'Name the tool that was looked at.',
    });
  if (gateway.view().catalog.byTool(tool)?.hash === hash) return;
  throw new ToolcribError(
    'record_conflict',
    `Tool ${tool.slice(0, 128)} has changed since it was looked at.`,
    {
      pointer: '/hash',
      next: 'Look at the change again, then accept it.',
    },
  );
}
