import { z } from 'zod';
import { route } from '../../route.ts';
import { FEATURE, featuresOf } from './feature-schemas.ts';

export const setFeature = route({
  method: 'put',
  path: '/api/v1/features/{name}',
  operationId: 'setFeature',
  summary: 'Switch a feature on or off for everybody',
  description:
    'In force at the next call everywhere, and kept over restarts. It concerns every organisation, so that only the operator may.',
  access: 'dangerous',
  tag: 'features',
  audience: 'operator',
  params: z.object({ name: z.string().min(1).max(128) }),
  body: z.strictObject({
    enabled: z.boolean().nullable().describe('null: as the configuration says.'),
  }),
  response: { description: 'The feature as it is now.', schema: FEATURE },
  handle: ({ params, body }, { gateway, principal }) =>
    featuresOf(gateway).set(params.name, body.enabled ?? undefined, principal.id),
});
