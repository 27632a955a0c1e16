import { z } from 'zod';
import { route } from '../../route.ts';
import { ARTIFACT, artifactsOf, shownArtifact } from './artifact-schemas.ts';

export const listArtifacts = route({
  method: 'get',
  path: '/api/v1/artifacts',
  operationId: 'listArtifacts',
  summary: 'List stored full outputs',
  description: 'Newest first: the own ones; the operator sees all. `next` continues the list.',
  access: 'read',
  tag: 'artifacts',
  query: z.strictObject({
    after: z
      .string()
      .max(128)
      .optional()
      .describe('Id of the last artifact of the page before; of one that is gone: `cursor_invalid`.'),
    user: z.string().min(1).max(300).optional().describe('Whose, for the operator.'),
    q: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Text in the name, which is that of the operation or file.'),
    limit: z.coerce.number().int().min(1).max(1000).optional().describe('Default 100.'),
  }),
  response: {
    description: 'Artifacts.',
    schema: z.object({ artifacts: z.array(ARTIFACT), next: z.string().optional() }),
  },
  handle: async ({ query: { after, user, q, limit = 100 } }, { gateway, principal }) => {
    const artifacts = await (await artifactsOf(gateway, principal)).list({
      limit,
      ...(after === undefined ? {} : { after }),
      ...(user === undefined ? {} : { user }),
      ...(q === undefined ? {} : { text: q }),
    });
    const next = artifacts.length === limit ? artifacts.at(-1)?.id : undefined;
    return {
      artifacts: artifacts.map((artifact) => shownArtifact(artifact, principal)),
      ...(next === undefined ? {} : { next }),
    };
  },
});
