import type { Logger } from '../telemetry/logger.ts';
import type { Redactor } from '../telemetry/redactor.ts';

/** Where faults go, and what takes secrets out of everything that is written. */
export interface Faults {
  readonly redactor: Redactor;
  readonly logger: Logger;
}

/** `given` replaces the log on standard error, which has readable lines on a terminal and JSON elsewhere. */
export async function createFaults(given: Logger | undefined): Promise<Faults> {
  const [{ createRedactor }, { createLogger }] = await Promise.all([
    import('../telemetry/redactor.ts'),
    import('../telemetry/logger.ts'),
  ]);
  const redactor = createRedactor();
  return { redactor, logger: given ?? createLogger({ redactor, pretty: process.stderr.isTTY === true }) };
}
