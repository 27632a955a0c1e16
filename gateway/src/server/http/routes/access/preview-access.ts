import { route } from '../../route.ts';
import { ACCESS_CHANGES, ACCESS_PREVIEW, accessOf } from './access-schemas.ts';

export const previewAccess = route({
  method: 'post',
  path: '/api/v1/access/preview',
  operationId: 'previewAccess',
  summary: 'Show what changes of access would bring, before they are saved',
  description:
    'The operations that people would gain and lose, by the same policy that decides calls. Nothing is written.',
  access: 'read',
  tag: 'access',
  body: ACCESS_CHANGES,
  response: { description: 'People for whom something would differ.', schema: ACCESS_PREVIEW },
  handle: ({ body }, { gateway, principal }) => accessOf(gateway).preview(principal, body as never),
});
