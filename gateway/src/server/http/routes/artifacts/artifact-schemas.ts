import { z } from 'zod';
import type { Artifact } from '../../../../artifacts/index.ts';
import { ToolcribError } from '../../../../errors.ts';
import { type ArtifactOwner, readOwner } from '../../../../operations/artifact-owner.ts';
import type { Principal } from '../../../../operations/index.ts';
import type { ArtifactAccess, GatewayAdmin } from '../../admin/gateway-admin.ts';

export const ARTIFACT_ID = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'not an artifact id'),
});

const OWNER = z.object({ user: z.string(), organisation: z.string().optional() });

export const ARTIFACT = z.looseObject({
  id: z.string(),
  uri: z.string(),
  mimeType: z.string(),
  name: z.string(),
  size: z.number().int(),
  hash: z.string().describe('SHA-256 of the bytes, hex.'),
  createdAt: z.string(),
  expiresAt: z.string(),
  operation: z
    .string()
    .optional()
    .describe('Whose answer it is, `source/id`; absent where an older version stored it.'),
  owner: OWNER.optional().describe('Whose call it came from; only the operator is told.'),
});

/** The caller's artifacts. Throws `not_found` where a gateway keeps none. */
export async function artifactsOf(gateway: GatewayAdmin, principal: Principal): Promise<ArtifactAccess> {
  const artifacts = await gateway.artifacts?.(principal);
  if (artifacts === undefined) throw new ToolcribError('not_found', 'This gateway keeps no artifacts.');
  return artifacts;
}

/** Not there, somebody else's, or kept no longer: all alike to who asks. */
export function noArtifact(id: string): ToolcribError {
  return new ToolcribError('not_found', `There is no artifact ${id}.`, {
    next: 'GET /api/v1/artifacts lists those of your calls. They are kept for a time: call the operation again.',
  });
}

/** Whose it is, only the operator is told. */
export type ShownArtifact = Omit<Artifact, 'owner'> & { readonly owner?: ArtifactOwner };

/** A caller sees the own ones, the operator all and whose they are. */
export function shownArtifact({ owner, ...artifact }: Artifact, { kind }: Principal): ShownArtifact {
  const whose = kind === 'user' || owner === undefined ? undefined : readOwner(owner);
  return whose === undefined ? artifact : { ...artifact, owner: whose };
}
