import { z } from 'zod';
import { ToolcribError } from '../../../errors.ts';
import { route } from '../route.ts';

export const getArtifact = route({
  method: 'get',
  path: '/api/v1/artifacts/{id}',
  operationId: 'getArtifact',
  summary: 'Get a stored full output',
  access: 'read',
  tag: 'artifacts',
  params: z.object({ id: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'not an artifact id') }),
  response: { description: 'The bytes as they were stored.', mediaType: 'application/octet-stream' },
  handle: async ({ params: { id } }, { gateway, principal }) => {
    const artifact = await gateway.artifact?.(id, principal);
    if (artifact === undefined) throw new ToolcribError('not_found', `There is no artifact ${id}.`);
    return new Response(artifact.bytes as Uint8Array<ArrayBuffer>, {
      headers: { 'content-type': artifact.mimeType, 'content-disposition': `attachment; filename="${id}"` },
    });
  },
});
