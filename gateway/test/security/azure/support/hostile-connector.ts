import type { ArmDouble, ConnectorDocument } from '../../../doubles/arm/arm.ts';
import { connectorDocument } from '../../../doubles/arm/connectors/writing.ts';
import type { JsonObject } from '../../../doubles/arm/json.ts';

/** A managed API whose author means no good; `paths` as they stand in its Swagger. */
export function hostile(name: string, paths: JsonObject, more: JsonObject = {}): ConnectorDocument {
  const swagger = connectorDocument(name, `The ${name} service`, 'Made to be read wrong.', {
    paths,
    ...more,
  });
  return { name, displayName: `The ${name} service`, swagger };
}

/** A connection of the name of its API, signed in. */
export const connected = (api: string) => ({ name: api, api });

interface Envelope {
  readonly method: string;
  readonly path: string;
  readonly queries?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What connectors were asked for so far, whatever they answered. */
export function envelopes(arm: ArmDouble): Envelope[] {
  return arm.requests
    .filter(({ path }) => path.endsWith('/dynamicInvoke'))
    .map(({ body }) => (JSON.parse(body) as { readonly request: Envelope }).request);
}
