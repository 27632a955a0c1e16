import type { GroupedFinding } from '../doctor/index.ts';
import type { Gateway } from '../gateway-api.ts';
import { withinTime } from '../operations/work/within-time.ts';

export interface Examinations {
  /** Who asks while one examination is under way gets its findings. */
  examine(): Promise<readonly GroupedFinding[]>;
  /** Waits for the one that is under way, which writes into the gateway's folders: they may be gone afterwards. */
  close(): Promise<void>;
}

/** The longest wait for a service, and some more, milliseconds. */
const CLOSE_MS = 6_000;

/** `doctor` for a gateway that runs. */
export function createExaminations(
  gateway: Pick<Gateway, 'configuration' | 'view' | 'diagnostics'>,
  consoleFolder: string | undefined,
): Examinations {
  let underWay: Promise<readonly GroupedFinding[]> | undefined;
  const run = async () => {
    const { examine } = await import('../doctor/index.ts');
    return examine({
      configuration: gateway.configuration,
      env: process.env,
      listening: true,
      open: () => ({ view: () => gateway.view(), diagnostics: () => gateway.diagnostics() }),
      ...(consoleFolder === undefined ? {} : { consoleFolder }),
    });
  };
  return {
    examine() {
      underWay ??= run().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
    async close() {
      if (underWay !== undefined) await withinTime(CLOSE_MS, Promise.allSettled([underWay]));
    },
  };
}
