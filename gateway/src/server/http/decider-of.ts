import { ToolcribError } from '../../errors.ts';
import type { Approvals } from '../../gateway-core.ts';
import type { Principal } from '../../operations/index.ts';
import type { GatewayAdmin } from './admin/gateway-admin.ts';
import { profileOf } from './profile-of.ts';
import type { RequestOwner } from './reception.ts';
import type { Session } from './sessions/session.ts';

/** Throws `not_found` where a gateway has none. */
export async function approvalsOf({ approvals }: GatewayAdmin): Promise<Approvals> {
  if (approvals !== undefined) return approvals();
  throw new ToolcribError('not_found', 'This gateway keeps no approvals.');
}

const BY_TOKEN = {
  next: 'Send the approver token (`toolcrib approvals token`), or decide in the console as the owner.',
};
const BY_OWNER = 'Sign in as the owner: run `toolcrib console` on the machine of the gateway.';
const BY_KEY = 'Add a key of yours that was made for deciding: "Let me decide" in the settings.';

type Viewer = Parameters<Approvals['get']>[1];
type Decider = Parameters<Approvals['decide']>[2];

/** An approver sees the organisation's, users their own, the operator all. */
export async function viewerOf(gateway: GatewayAdmin, principal: Principal): Promise<Viewer> {
  if (principal.kind !== 'user') return { kind: 'operator' };
  return { kind: 'user', principal, roles: (await profileOf(gateway, principal)).roles };
}

/** Throws `approval_forbidden` for credentials and sessions with which tools are called. */
export async function deciderOf(
  gateway: GatewayAdmin,
  { principal, session }: Pick<RequestOwner, 'principal' | 'session'>,
): Promise<Decider> {
  const by = session === undefined ? principal : session.decides;
  const channel = session === undefined ? 'http' : 'console';
  if (session?.kind === 'owner') return { kind: 'operator', channel, id: 'owner' };
  if (by?.kind === 'user') {
    return { kind: 'user', channel, principal: by, roles: (await profileOf(gateway, by)).roles };
  }
  if (by?.purpose === 'approve') return { kind: 'operator', channel, id: by.id };
  throw new ToolcribError(
    'approval_forbidden',
    'Whoever calls tools decides about none.',
    session === undefined ? BY_TOKEN : { next: principal.kind === 'user' ? BY_KEY : BY_OWNER },
  );
}

/** Whether a session could decide anything now: what it holds was made for it, and its user is an approver still. */
export async function decidesNow(
  gateway: GatewayAdmin,
  owner: Pick<RequestOwner, 'principal'> & { readonly session: Session },
): Promise<boolean> {
  if (owner.session.decides === undefined) return false;
  const decider = await deciderOf(gateway, owner);
  // whoever is no user decides by the credential alone
  return decider.kind !== 'user' || (await approvalsOf(gateway)).mayDecide(decider);
}
