import { z } from 'zod';
import { ToolcribError } from '../../../../errors.ts';
import type { FeatureSwitches } from '../../../../features/index.ts';
import type { GatewayAdmin } from '../../admin/gateway-admin.ts';

export const FEATURE = z.object({
  name: z.string().describe('SOURCE.FEATURE'),
  source: z.string(),
  enabled: z.boolean(),
  configured: z.boolean().describe('What the configuration alone says.'),
  description: z.string().optional(),
  changedAt: z.number().optional().describe('Milliseconds since the epoch; absent: it is as configured.'),
  changedBy: z.string().optional(),
});

/** Throws `not_found` where a gateway has none. */
export function featuresOf({ features }: GatewayAdmin): FeatureSwitches {
  if (features !== undefined) return features;
  throw new ToolcribError('not_found', 'This gateway has no features.');
}
