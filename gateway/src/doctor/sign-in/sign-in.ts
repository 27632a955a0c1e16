import type { Configuration } from '../../config/index.ts';
import type { Finding } from '../finding.ts';
import { aboutClients } from './clients.ts';
import { readIssuer } from './issuer-reading.ts';
import { aboutKeys } from './keys.ts';
import { aboutPeople } from './people.ts';

/** Whether clients of MCP and people at the console can sign in at the identity provider, which is asked once. */
export async function checkSignIn(configuration: Configuration): Promise<Finding[]> {
  const { jwt, mode } = configuration.auth;
  if (jwt === undefined) return [];
  if (mode !== 'team') {
    const message = 'auth.jwt is configured, and nobody looks at sign-in tokens.';
    const next = 'Set `auth.mode: team`, or take auth.jwt out.';
    return [{ check: 'client sign-in', status: 'warning', message, next }];
  }
  const reading = await readIssuer(configuration, jwt.issuer);
  return [
    ...(await aboutClients(configuration.server, jwt, reading)),
    ...(await aboutKeys(configuration, jwt, reading)),
    ...(jwt.console === undefined ? [] : await aboutPeople(configuration.server, jwt.issuer, reading)),
  ];
}
