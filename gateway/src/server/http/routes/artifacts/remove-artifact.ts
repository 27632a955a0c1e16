import { checkMayChange } from '../../../../principals/directory/actor.ts';
import { route } from '../../route.ts';
import { ARTIFACT_ID, artifactsOf, noArtifact } from './artifact-schemas.ts';

export const removeArtifact = route({
  method: 'delete',
  path: '/api/v1/artifacts/{id}',
  operationId: 'removeArtifact',
  summary: 'Remove a stored full output',
  description:
    'Only by the principal whose call it came from, or the operator; not with a key that only reads or is limited to some sources.',
  access: 'dangerous',
  tag: 'artifacts',
  params: ARTIFACT_ID,
  response: { status: 204, description: 'It is gone.' },
  handle: async ({ params: { id } }, { gateway, principal }) => {
    checkMayChange({ principal });
    const removed = await (await artifactsOf(gateway, principal)).remove(id);
    if (!removed) throw noArtifact(id);
    return undefined;
  },
});
