import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { LEVEL, SCOPE, SET_LEVEL } from '../record-schemas.ts';

export const setOwnAccess = route({
  method: 'put',
  path: '/api/v1/access/me',
  operationId: 'setOwnAccess',
  summary: 'Choose an own level',
  description: 'Takes effect only up to what the admin allows.',
  access: 'dangerous',
  tag: 'access',
  body: z.strictObject({ scope: SCOPE, level: LEVEL }),
  response: { description: 'The level as it is now.', schema: SET_LEVEL },
  handle: async ({ body }, { gateway, principal }) =>
    directoryOf(gateway).levels.set(principal, { ...body, user: principal.id }),
});
