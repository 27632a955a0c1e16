import { ToolcribError } from '../../../../errors.ts';
import type { Principal } from '../../../../operations/index.ts';
import type { GatewayAdmin } from '../../admin/gateway-admin.ts';
import type { GatewaySkills } from '../../admin/gateway-skills.ts';
import { profileOf } from '../../profile-of.ts';

/** Throws `not_found` where a gateway has no source of skills. */
export async function requireSkills(gateway: GatewayAdmin): Promise<GatewaySkills> {
  const skills = await gateway.skills?.();
  if (skills !== undefined) return skills;
  throw new ToolcribError('not_found', 'This gateway has no source of skills.');
}

/**
 * Skills are programs for everybody on the gateway: those who run it install them, and users with a role that
 * `policy.skills.roles` names, by a credential without limits. Throws `skill_forbidden`.
 */
export async function requireInstaller(gateway: GatewayAdmin, principal: Principal): Promise<void> {
  const { kind, purpose, maxAccess, sources } = principal;
  if (kind !== 'user' && purpose === undefined) return;
  const roles = gateway.configuration.policy?.skills?.roles ?? [];
  const isWhole = purpose === undefined && maxAccess === 'delete' && sources === undefined;
  if (isWhole && roles.length > 0) {
    const held = (await profileOf(gateway, principal)).roles;
    if (held.some((role) => roles.includes(role))) return;
  }
  throw new ToolcribError('skill_forbidden', 'This principal may not install, replace or remove skills.');
}
