import { isIP } from 'node:net';
import { ToolcribError } from '../errors.ts';
import type { ServerConfiguration } from './configuration.ts';

/** True for names and addresses that only this machine can reach. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === 'localhost' || bare.endsWith('.localhost') || bare === '::1') return true;
  return isIP(bare) === 4 && bare.startsWith('127.');
}

export const LISTEN_HOST =
  'Use an address or a name such as 127.0.0.1, without scheme and port; the port is set apart.';

/** An address or a name to listen on. */
export function isListenHost(value: string): boolean {
  return isIP(value.replace(/^\[|\]$/g, '')) === 6 || /^[^\s/:?#@]+$/.test(value);
}

/** Where a server listens, and how it speaks there. */
export type ServerAddress = Pick<ServerConfiguration, 'host' | 'port' | 'tls'>;

/** Where this machine reaches a server that listens there: an address of all interfaces is none to connect to. */
export function localAddress({ host, port, tls }: ServerAddress): string {
  const bare = host.replace(/^\[|\]$/g, '');
  const reached = bare === '0.0.0.0' || bare === '::' ? '127.0.0.1' : bare;
  return `${tls === undefined ? 'http' : 'https'}://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

/** Refuses to listen where others can reach it without a token (fail closed). */
export function requireTokenBeyondLoopback(server: ServerConfiguration): void {
  if (server.token !== undefined || isLoopbackHost(server.host)) return;
  throw new ToolcribError(
    'configuration_invalid',
    `Host ${server.host} can be reached from other machines, and there is no token. ` +
      'Set server.token, or pass --token env:NAME.',
  );
}
