import { readFile } from 'node:fs/promises';
import type { Signal } from './told-exporter.ts';

export interface OtlpTls {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

const FILES = { ca: 'CERTIFICATE', cert: 'CLIENT_CERTIFICATE', key: 'CLIENT_KEY' } as const;

/**
 * The files that `OTEL_EXPORTER_OTLP_CERTIFICATE` and its like name, which the SDK reads for its own agent only. One that
 * cannot be read counts as absent, as it does there.
 */
export async function otlpTls(what: Signal, env: NodeJS.ProcessEnv): Promise<OtlpTls> {
  const read = async ([option, variable]: readonly [string, string]) => {
    const path =
      env[`OTEL_EXPORTER_OTLP_${what.toUpperCase()}_${variable}`] || env[`OTEL_EXPORTER_OTLP_${variable}`];
    const content = path ? await readFile(path).catch(() => undefined) : undefined;
    return content === undefined ? [] : [[option, content] as const];
  };
  return Object.fromEntries((await Promise.all(Object.entries(FILES).map(read))).flat());
}
