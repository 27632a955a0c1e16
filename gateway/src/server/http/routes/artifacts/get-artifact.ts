import { route } from '../../route.ts';
import { artifactResponse } from './artifact-response.ts';
import { ARTIFACT_ID, artifactsOf, noArtifact } from './artifact-schemas.ts';

export const getArtifact = route({
  method: 'get',
  path: '/api/v1/artifacts/{id}',
  operationId: 'getArtifact',
  summary: 'Get a stored full output',
  description:
    'The bytes as they were stored, to the principal whose call they came from. One range per request (Range, If-Range); ETag is their hash.',
  access: 'read',
  tag: 'artifacts',
  params: ARTIFACT_ID,
  response: { description: 'The bytes as they were stored.', mediaType: 'application/octet-stream' },
  handle: async ({ params: { id } }, { gateway, principal, request }) => {
    const artifact = await (await artifactsOf(gateway, principal)).open(id);
    if (artifact === undefined) throw noArtifact(id);
    return artifactResponse(artifact, request);
  },
});
