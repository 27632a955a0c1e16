import { z } from 'zod';
import type { Artifact } from '../../../../artifacts/index.ts';
import type { CallEvent, Event, Principal } from '../../../../operations/index.ts';
import type { GatewayAdmin } from '../../admin/gateway-admin.ts';
import { profileOf } from '../../profile-of.ts';
import { route } from '../../route.ts';
import { shownTo } from '../../shown-events.ts';
import { ARTIFACT, ARTIFACT_ID, artifactsOf, noArtifact, shownArtifact } from './artifact-schemas.ts';

export const getArtifactDescription = route({
  method: 'get',
  path: '/api/v1/artifacts/{id}/description',
  operationId: 'getArtifactDescription',
  summary: 'Describe a stored full output',
  description:
    'What the list says of one artifact, and the newest call that left it, where the event log still has that.',
  access: 'read',
  tag: 'artifacts',
  params: ARTIFACT_ID,
  response: {
    description: 'The artifact without its bytes.',
    schema: ARTIFACT.extend({
      call: z
        .object({ id: z.string(), tool: z.string(), source: z.string(), operation: z.string() })
        .optional(),
    }),
  },
  handle: async ({ params: { id } }, { gateway, principal }) => {
    const opened = await (await artifactsOf(gateway, principal)).open(id);
    if (opened === undefined) throw noArtifact(id);
    const { stream: _bytes, ...artifact } = opened;
    const end = await callOf(gateway, principal, artifact);
    return {
      ...shownArtifact(artifact, principal),
      ...(end === undefined
        ? {}
        : { call: { id: end.call, tool: end.tool, source: end.source, operation: end.operation } }),
    };
  },
});

/** The artifact is stored first, the event that names it follows; milliseconds. */
const FOLLOWS_MS = 60_000;
/** Clocks of the store and of the process may differ a little. */
const SLACK_MS = 2_000;

/** The newest call that left it, of those that this principal may know of. */
async function callOf(
  gateway: GatewayAdmin,
  principal: Principal,
  { id, createdAt }: Pick<Artifact, 'id' | 'createdAt'>,
): Promise<CallEvent | undefined> {
  const { organisation } = principal;
  const shown = shownTo(principal, await profileOf(gateway, principal));
  const stored = Date.parse(createdAt);
  const ends = await gateway.events(undefined, {
    type: 'call-completed',
    from: stored - SLACK_MS,
    to: stored + FOLLOWS_MS,
    ...(organisation === undefined ? {} : { organisation }),
    ...(principal.kind === 'user' ? { principal: principal.id } : {}),
  });
  return ends.findLast((event): event is Event & CallEvent => left(event, id) && shown(event));
}

function left(event: Event, artifact: string): boolean {
  return event.type === 'call-completed' && event.artifact === artifact;
}
