import type { Egress, OutgoingRequest } from '../../src/egress/egress.ts';
import { type Connection, DEFAULT_LIMITS, type SecurityScheme } from '../../src/operations/index.ts';

export const NO_EGRESS: Egress = {
  request: () => Promise.reject(new Error('nothing may be sent')),
  fetch: () => Promise.reject(new Error('nothing may be sent')),
  close: () => Promise.resolve(),
};

export function connection(
  securitySchemes: Readonly<Record<string, SecurityScheme>>,
  credentials?: Connection['credentials'],
  changes: Partial<Connection> = {},
): Connection {
  return {
    name: 'pets',
    source: 'pets',
    securitySchemes,
    limits: DEFAULT_LIMITS,
    ...(credentials === undefined ? {} : { credentials }),
    ...changes,
  };
}

export function request(changes: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return { method: 'GET', url: 'https://api.example.org/pets', headers: [['Accept', '*/*']], ...changes };
}

export function header({ headers }: OutgoingRequest, name: string): string | undefined {
  const values = headers
    .filter(([other]) => other.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value);
  if (values.length > 1) throw new Error(`${name} stands ${values.length} times`);
  return values[0];
}
