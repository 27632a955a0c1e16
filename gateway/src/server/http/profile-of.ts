import type { Principal } from '../../operations/index.ts';
import type { CapabilityProfile, GatewayAdmin } from './admin/gateway-admin.ts';

const NOTHING: CapabilityProfile = Object.freeze({ roles: [], sources: [], effectiveAccess: {} });

/** What the caller may do now; nothing where a gateway cannot say. */
export async function profileOf(gateway: GatewayAdmin, principal: Principal): Promise<CapabilityProfile> {
  return (await gateway.profile?.(principal)) ?? NOTHING;
}
