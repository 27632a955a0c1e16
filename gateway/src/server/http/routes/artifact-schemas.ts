import { z } from 'zod';
import type { Artifact } from '../../../artifacts/index.ts';
import { ToolcribError } from '../../../errors.ts';
import type { Principal } from '../../../operations/index.ts';
import type { ArtifactAccess, GatewayAdmin } from '../gateway-admin.ts';

export const ARTIFACT_ID = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'not an artifact id'),
});

export const ARTIFACT = z.looseObject({
  id: z.string(),
  uri: z.string(),
  mimeType: z.string(),
  name: z.string(),
  size: z.number().int(),
  hash: z.string().describe('SHA-256 of the bytes, hex.'),
  createdAt: z.string(),
  expiresAt: z.string(),
});

/** The caller's artifacts. Throws `not_found` where a gateway keeps none. */
export async function artifactsOf(gateway: GatewayAdmin, principal: Principal): Promise<ArtifactAccess> {
  const artifacts = await gateway.artifacts?.(principal);
  if (artifacts === undefined) throw new ToolcribError('not_found', 'This gateway keeps no artifacts.');
  return artifacts;
}

/** Whose it is stays inside: a caller sees the own ones, the operator all. */
export function shownArtifact({ owner: _owner, ...artifact }: Artifact): Omit<Artifact, 'owner'> {
  return artifact;
}
