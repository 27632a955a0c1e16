import { isLoopbackHost } from '../../config/index.ts';
import { ToolcribError } from '../../errors.ts';
import { includesCredentials } from '../../operations/http/includes-credentials.ts';
import { trimEndOf } from '../../operations/text/trim-runs.ts';

/** Where a team's gateway is. */
export interface RemoteAddress {
  /** What the API's paths begin with; ends without a slash. */
  readonly base: string;
  /** With what its query asks for. */
  readonly mcp: string;
  /** The same as somebody may write it. */
  readonly text: string;
}

/** What an address of `/mcp` may ask for. */
const ASKABLE: ReadonlySet<string> = new Set(['topology', 'skill', 'source', 'maxAccess']);

/**
 * The gateway's address as somebody wrote it, with or without /mcp. The key goes there, so it must be https, or
 * a host that is this machine or was allowed by name. Throws `usage`.
 */
export function remoteAddress(text: string, allowPrivate: readonly string[] = []): RemoteAddress {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ToolcribError(
      'usage',
      `--remote takes the address of a gateway, such as https://tools.example.com; ${JSON.stringify(text)} is none.`,
    );
  }
  if (includesCredentials(url)) {
    throw new ToolcribError('usage', 'An address holds no credential: use --key env:NAME.');
  }
  const named = allowPrivate.some((host) => [url.hostname, url.host, url.origin].includes(host));
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname) && !named) {
    throw new ToolcribError(
      'usage',
      `The key would travel unprotected to ${url.host}: use https, or --allow-private ${url.hostname} within a network that you trust.`,
    );
  }
  const base = `${url.origin}${trimEndOf(url.pathname, '/').replace(/\/mcp$/, '')}`;
  const unknown = [...url.searchParams.keys()].find((name) => !ASKABLE.has(name));
  if (unknown !== undefined) {
    throw new ToolcribError(
      'usage',
      `The address of a gateway takes ${[...ASKABLE].join(', ')}; ${JSON.stringify(unknown)} means nothing there.`,
    );
  }
  return { base, mcp: `${base}/mcp${url.search}`, text: `${base}${url.search}` };
}
