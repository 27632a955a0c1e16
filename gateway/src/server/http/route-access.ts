import { ToolcribError } from '../../errors.ts';
import type { Principal } from '../../operations/index.ts';
import { operatorNeeded } from '../../principals/directory/actor.ts';
import type { RequestOwner } from './reception.ts';
import type { Route } from './route.ts';

/** Where credentials are welcome that decide approvals and do nothing else. */
const FOR_APPROVERS: ReadonlySet<string> = new Set(['approvals', 'sessions']);

/** Whether this caller may come to this route at all. Throws `tool_forbidden`, `admin_needed`, `owner_needed`. */
export function checkRouteAccess(route: Route, { principal, depth, session }: RequestOwner): void {
  if (depth > 0 && route.access === 'dangerous') {
    throw new ToolcribError('tool_forbidden', `${route.operationId} is never called by a tool.`);
  }
  if (!FOR_APPROVERS.has(route.tag)) refuseApprover(principal);
  if (route.audience === 'operator') requireOperator(principal);
  if (route.audience === 'owner' && session?.kind !== 'owner') {
    throw new ToolcribError(
      'owner_needed',
      'Only the owner of the machine does this, signed in to the console.',
    );
  }
}

/** What spans all organisations is for the owner of the process and the holder of the server's token. */
export function requireOperator({ kind }: Principal): void {
  if (kind !== 'user') return;
  throw operatorNeeded('sees and changes this');
}

/** A credential that decides about calls makes none and sees nothing else. */
export function refuseApprover({ purpose }: Principal): void {
  if (purpose === undefined) return;
  throw new ToolcribError('tool_forbidden', 'This credential decides approvals and nothing else.');
}
