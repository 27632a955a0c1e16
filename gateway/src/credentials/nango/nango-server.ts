import { ToolcribError } from '../../errors.ts';
import { includesCredentials } from '../../operations/http/includes-credentials.ts';
import type { NangoCredential } from '../../operations/index.ts';
import { trimEndOf } from '../../operations/text/trim-runs.ts';
import { describeReference, type SecretReader } from '../secret-reference.ts';

/** One Nango environment: where it is, and the key that opens it. */
export interface NangoServer {
  /** Without trailing slash; may have a path. */
  readonly baseUrl: string;
  readonly secretKey: string;
  /** Where the key stands, for errors. */
  readonly keyPlace: string;
  /** Configuration key of all this, for errors. */
  readonly place: string;
  readonly route: 'current' | 'deprecated';
}

export type NangoServerSettings = Pick<NangoCredential, 'baseUrl' | 'secretKey' | 'route'>;

export const NANGO_CLOUD = 'https://api.nango.dev';
const DEFAULT_KEY = { env: 'NANGO_SECRET_KEY' } as const;

/** Throws `credentials_missing` without a key, `configuration_invalid` for a base URL that is none. */
export async function nangoServer(
  settings: NangoServerSettings,
  place: string,
  secrets: SecretReader,
  signal: AbortSignal,
): Promise<NangoServer> {
  const reference = settings.secretKey ?? DEFAULT_KEY;
  const secretKey = await secrets.read(reference, `${place}.secretKey`, signal);
  return {
    baseUrl: baseUrlOf(settings.baseUrl ?? NANGO_CLOUD, place),
    secretKey,
    keyPlace: `${describeReference(reference).replace('The ', 'the ')} (${place}.secretKey)`,
    place,
    route: settings.route ?? 'current',
  };
}

function baseUrlOf(text: string, place: string): string {
  const url = URL.parse(text);
  if (url === null || includesCredentials(url) || url.search !== '' || !/^https?:$/.test(url.protocol)) {
    throw new ToolcribError('configuration_invalid', `${place}.baseUrl is no plain http or https URL.`);
  }
  return trimEndOf(url.href, '/');
}
