import { route } from '../../route.ts';
import { SOURCE_NAME, SOURCE_STATE, sourcesOf } from './source-schemas.ts';

export const refreshSource = route({
  method: 'post',
  path: '/api/v1/sources/{name}/refresh',
  operationId: 'refreshSource',
  summary: 'Read a source again and swap the catalog',
  description:
    'That it could not be read is no error here: it is in the answer, and the last good tools stay.',
  access: 'dangerous',
  tag: 'catalog',
  audience: 'operator',
  params: SOURCE_NAME,
  response: { description: 'How the source is now.', schema: SOURCE_STATE },
  handle: ({ params }, { gateway }) => sourcesOf(gateway).refresh(params.name),
});
