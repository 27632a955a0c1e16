import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Answer, ReceivedRequest } from './loopback-service.ts';
import type { DoubleCredentials, DoubleNode } from './n8n-node.ts';

/** What a webhook says to a caller that it does not let in, in n8n 2.41.1's own words. */
export function refusal(
  { parameters, credentials = {} }: DoubleNode,
  { headers }: ReceivedRequest,
  known: DoubleCredentials,
): Answer | undefined {
  const value = (type: string): Record<string, string> => known[credentials[type]?.name ?? ''] ?? {};
  const authorization = headers.authorization;
  const { ignoreBots } = (parameters['options'] ?? {}) as Record<string, unknown>;
  // Everything but browsers, in short: a name alone, or with a version, is a program.
  if (ignoreBots === true && !/^Mozilla\//.test(headers['user-agent'] ?? ''))
    return refused(403, 'Authorization data is wrong!');
  switch (parameters['authentication'] ?? 'none') {
    case 'basicAuth': {
      const { user, password } = value('httpBasicAuth');
      if (authorization === undefined) return refused(401, 'Authorization is required!');
      const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
      return authorization === expected ? undefined : refused(401, 'Authentication data is wrong!');
    }
    case 'headerAuth': {
      const { name = '', value: expected } = value('httpHeaderAuth');
      if (headers[name.toLowerCase()] === expected) return undefined;
      return refused(403, 'Authorization data is wrong!');
    }
    case 'jwtAuth': {
      if (authorization === undefined) return refused(401, 'No token provided');
      const token = authorization.replace(/^Bearer /, '');
      return isSigned(token, value('jwtAuth')['secret'] ?? '') ? undefined : refused(403, 'invalid token');
    }
    default:
      return undefined;
  }
}

/** The scheme that it names is Basic for every kind; the text has no type. */
function refused(status: 401 | 403, body: string): Answer {
  return { status, headers: { 'www-authenticate': 'Basic realm="Webhook"' }, body };
}

/** HS256 (RFC 7518 §3.2). */
function isSigned(token: string, secret: string): boolean {
  const [head, claims, signature = ''] = token.split('.');
  const expected = createHmac('sha256', secret).update(`${head}.${claims}`).digest();
  const given = Buffer.from(signature, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
