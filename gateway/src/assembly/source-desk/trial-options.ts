import type { Egress } from '../../egress/egress.ts';
import type { GatewayOptions } from '../../gateway-api.ts';

/** What of an embedder's options a gateway for a try needs; its end leaves all of it as it was. */
export function trialOptions(options: GatewayOptions): GatewayOptions {
  const { azure, egress, hintReaders, logger, sourceKinds } = options;
  return {
    ...(azure === undefined ? {} : { azure }),
    ...(egress === undefined ? {} : { egress: withoutEnd(egress) }),
    ...(hintReaders === undefined ? {} : { hintReaders }),
    ...(logger === undefined ? {} : { logger }),
    ...(sourceKinds === undefined ? {} : { sourceKinds }),
  };
}

/** The running gateway goes on with it. */
function withoutEnd(egress: Egress): Egress {
  return Object.create(egress, { close: { value: async () => undefined } }) as Egress;
}
