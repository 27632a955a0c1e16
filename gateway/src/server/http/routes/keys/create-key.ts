import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, KEY } from '../record-schemas.ts';

export const createKey = route({
  method: 'post',
  path: '/api/v1/keys',
  operationId: 'createKey',
  summary: 'Create an API key',
  description: 'The answer holds the key. It is shown this once and stored nowhere.',
  access: 'dangerous',
  tag: 'keys',
  body: z.strictObject({
    user: ID,
    name: z.string(),
    maxAccess: z
      .enum(['read', 'write', 'delete'])
      .optional()
      .describe('The most it allows. Default: delete.'),
    sources: z.array(z.string()).nullable().optional().describe('Sources that it is limited to.'),
    expiresInDays: z.number().positive().optional().describe('Default 90.'),
    purpose: z.enum(['approve']).optional().describe('approve: it decides approvals and calls no tool.'),
  }),
  response: {
    status: 201,
    description: 'The record, and the key this once.',
    schema: z.object({ record: KEY, key: z.string() }),
  },
  handle: async ({ body }, { gateway, principal }) =>
    directoryOf(gateway).keys.create(principal, body as never),
});
