import { z } from 'zod';
import { route } from '../../route.ts';
import { sourcesOf } from './source-schemas.ts';

export const keepSourceDocument = route({
  method: 'post',
  path: '/api/v1/source-documents',
  operationId: 'keepSourceDocument',
  summary: 'Keep an OpenAPI document for a new source',
  description:
    'The body is the document, JSON or YAML, at most 32 MiB. It is kept by its content in the state directory; the answer names the path for `openapi:`. In the session of the owner only.',
  access: 'dangerous',
  tag: 'catalog',
  audience: 'owner',
  readsBody: true,
  body: z.unknown().describe('The document.'),
  query: z.strictObject({
    name: z.string().min(1).max(300).describe('Its file name; what the source may be called comes from it.'),
  }),
  response: {
    status: 201,
    description: 'Where it is kept.',
    schema: z.object({ path: z.string(), bytes: z.number().int(), name: z.string() }),
  },
  handle: ({ query }, { gateway, request }) => sourcesOf(gateway).keepDocument(request.body, query.name),
});
