import { z } from 'zod';
import { route } from '../../route.ts';
import { sourcesOf } from './source-schemas.ts';

export const getSourceOptions = route({
  method: 'get',
  path: '/api/v1/source-options',
  operationId: 'getSourceOptions',
  summary: 'Get what a new source can be, and where it can be kept',
  access: 'read',
  tag: 'catalog',
  audience: 'operator',
  response: {
    description: 'Kinds of sources, shipped providers and presets, the configuration file.',
    schema: z.object({
      kinds: z.array(z.string()),
      providers: z.array(z.string()),
      presets: z.array(z.string()),
      file: z
        .object({ path: z.string(), writable: z.boolean() })
        .optional()
        .describe('Absent: a source can be kept for this run only.'),
      maxDocumentBytes: z.number().int(),
      skills: z.array(z.string()).describe('Sources that imported skills go to.'),
    }),
  },
  handle: (_input, { gateway }) => sourcesOf(gateway).options(),
});
