import type { Grants } from '../../operations/index.ts';
import { isVisible } from '../../policy/explain.ts';

/** Which sources' resources and prompts may be read: those whose reading operations may be called. */
export function readableSources(grants: Grants): (source: string) => boolean {
  return (source) => isVisible({ access: 'read', source }, grants) && isConnected(grants, source);
}

/** Tools may be listed before an account is connected; resources and prompts carry content. */
function isConnected(grants: Grants, source: string): boolean {
  return grants.source(source)?.connection === 'connected';
}
