import { z } from 'zod';
import type { SourceRemoval } from '../../admin/gateway-sources.ts';
import { route } from '../../route.ts';
import { KEEP, REVISION, SOURCE_NAME, SOURCE_PLAN, sourcesOf } from './source-schemas.ts';

export const removeSource = route({
  method: 'delete',
  path: '/api/v1/sources/{name}',
  operationId: 'removeSource',
  summary: 'Take a source out',
  description: 'Calls under way end as they began. In the session of the owner only.',
  access: 'dangerous',
  tag: 'catalog',
  audience: 'owner',
  params: SOURCE_NAME,
  query: z.strictObject({
    keep: KEEP,
    revision: REVISION,
    dryRun: z
      .enum(['true', 'false'])
      .default('false')
      .transform((value) => value === 'true'),
  }),
  response: { description: 'What would change, or what has.', schema: SOURCE_PLAN },
  handle: ({ params, query: { dryRun, ...removal } }, { gateway }) =>
    sourcesOf(gateway).remove({ ...params, ...removal } as SourceRemoval, dryRun),
});
