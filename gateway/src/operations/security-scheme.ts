/** OpenAPI Security Scheme Object, reduced to what a request needs. */
export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: string }
  | {
      readonly type: 'apiKey';
      readonly in: 'header' | 'query' | 'cookie';
      readonly name: string;
      /** The word that goes before the key, where the document's text says one: `Token`. */
      readonly prefix?: string;
    }
  | {
      readonly type: 'oauth2';
      readonly tokenUrl?: string;
      readonly refreshUrl?: string;
      readonly scopes: readonly string[];
      /** Name and password are exchanged for a token (RFC 6749 §4.3), as a service's own login does. */
      readonly password?: true;
      /** A person signs in (RFC 6749 §4.1). */
      readonly authorizationCode?: AuthorizationCodeFlow;
    }
  | { readonly type: 'openIdConnect'; readonly url: string }
  | { readonly type: 'mutualTLS' };

export interface AuthorizationCodeFlow {
  readonly authorizationUrl: string;
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
}
