import { ToolcribError } from '../../../../errors.ts';
import type { GatewayAdmin } from '../../admin/gateway-admin.ts';
import type { ToolInspection } from '../../admin/tool-inspection.ts';

/** Throws `not_found` where a gateway cannot say more of its tools than their definitions. */
export function inspectionOf({ inspection }: Pick<GatewayAdmin, 'inspection'>): ToolInspection {
  if (inspection === undefined)
    throw new ToolcribError('not_found', 'This gateway says nothing about its tools but what they are.');
  return inspection;
}
