import type { GroupedFinding } from '../doctor/index.ts';
import type { Gateway } from '../gateway-api.ts';

/** `doctor` for a gateway that runs. Who asks while one examination is under way gets its findings. */
export function createExamination(
  gateway: Pick<Gateway, 'configuration' | 'view' | 'diagnostics'>,
  consoleFolder: string | undefined,
): () => Promise<readonly GroupedFinding[]> {
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
  return () => {
    underWay ??= run().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
