import type { JsonObject } from './json.ts';
import { objectOf, textOf } from './json.ts';
import type { SwaggerDocument } from './swagger.ts';

/** Where the answer of `export=true` holds the Swagger; `none`: it has none. */
export type ExportShape = 'root' | 'properties' | 'url' | 'original-url' | 'none';

/** A managed API of the region. */
export interface ConnectorDocument {
  readonly name: string;
  readonly displayName: string;
  readonly swagger: SwaggerDocument;
  /** Default `root`, as captured. */
  readonly export?: ExportShape;
  /** False: keys instead of a sign-in. Default true. */
  readonly consent?: boolean;
  /** `connectionParameters` beside the one for signing in. */
  readonly parameters?: JsonObject;
  readonly tier?: 'Standard' | 'Premium' | 'Enterprise';
}

/** Where resources are, and the host whose documents the addresses name. */
export interface Region {
  readonly subscription: string;
  readonly location: string;
  readonly documentsUrl: string;
}

const TOKEN_PARAMETER = {
  type: 'oauthSetting',
  oAuthSettings: {
    identityProvider: 'aadcertificate',
    clientId: '00000000-aaaa-4bbb-8ccc-000000000001',
    scopes: ['Things.Read'],
    redirectMode: 'GlobalPerConnector',
    redirectUrl: 'https://consent.example/redirect',
    properties: { IsFirstParty: 'True' },
    customParameters: { loginUri: { value: 'https://login.example' } },
  },
};

export const parametersOf = ({ consent, parameters }: ConnectorDocument): JsonObject => ({
  ...(consent === false ? {} : { token: TOKEN_PARAMETER }),
  ...parameters,
});

export const apiId = ({ subscription, location }: Region, name: string): string =>
  `/subscriptions/${subscription}/providers/Microsoft.Web/locations/${location}/managedApis/${name}`;

/** The resource, as lists and single reads show it. */
export function managedApi(api: ConnectorDocument, region: Region): JsonObject {
  const capabilities = ['actions', 'triggers'];
  return {
    properties: {
      name: api.name,
      connectionParameters: parametersOf(api),
      metadata: { source: 'marketplace', brandColor: '#0078D4', useNewApimVersion: true },
      runtimeUrls: [`https://logic-apis-${region.location}.azure-apim.net/apim/${api.name}`],
      generalInformation: {
        iconUrl: `https://icons.example/${api.name}.png`,
        displayName: api.displayName,
        description: textOf(objectOf(api.swagger.info).description),
        releaseTag: 'Production',
        tier: api.tier ?? 'Standard',
      },
      capabilities,
      isExportSupported: true,
      isSecureByDefault: false,
      isDynamicConnectionAllowed: true,
    },
    id: apiId(region, api.name),
    name: api.name,
    type: 'Microsoft.Web/locations/managedApis',
    location: region.location,
  };
}

/** The answer of `export=true`. */
export function exported(api: ConnectorDocument, region: Region): JsonObject {
  const shape = api.export ?? 'root';
  if (shape === 'root') return api.swagger;
  const resource = managedApi(api, region);
  const url = `${region.documentsUrl}/documents/${api.name}.json?sig=double`;
  const more =
    shape === 'properties'
      ? { swagger: api.swagger }
      : shape === 'url'
        ? { apiDefinitionUrl: url }
        : shape === 'original-url'
          ? { apiDefinitions: { originalSwaggerUrl: url, modifiedSwaggerUrl: url } }
          : {};
  return { ...resource, properties: { ...objectOf(resource.properties), ...more } };
}

/** Entries that only make the list long, as the real one is. */
export function fillerApis(count: number): ConnectorDocument[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `filler${index}`,
    displayName: `Filler ${index}`,
    swagger: {
      swagger: '2.0',
      info: { title: `Filler ${index}`, version: '1.0', description: 'One of many.' },
      paths: {},
    },
    consent: index % 2 === 0,
    parameters: {
      'api-key': {
        type: 'securestring',
        uiDefinition: { displayName: 'Key', constraints: { required: 'true' } },
      },
    },
    tier: 'Premium' as const,
  }));
}
