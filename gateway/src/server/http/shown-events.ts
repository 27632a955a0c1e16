import { type Event, type Principal, reachesSource } from '../../operations/index.ts';
import type { CapabilityProfile } from './admin/gateway-admin.ts';

/**
 * Which events a caller may read: the operator all of them; an admin the organisation's; a user the own calls; nothing
 * of a removed organisation or user that had the id before. What belongs to no organisation is the operator's. A credential that
 * is limited to some sources reads of those alone.
 */
export function shownTo(
  { kind, id, organisation, sources }: Principal,
  { roles, since = 0 }: Pick<CapabilityProfile, 'roles' | 'since'>,
): (event: Event) => boolean {
  if (kind !== 'user') return () => true;
  if (organisation === undefined) return () => false;
  const admin = roles.includes('admin');
  return (event) =>
    'organisation' in event &&
    event.organisation === organisation &&
    (sources === undefined || ('source' in event && reachesSource({ sources }, event.source))) &&
    Date.parse(event.time) >= since &&
    (admin || ('principal' in event && event.principal === id));
}
