/** OpenAPI Security Scheme Object, reduced to what a request needs. */
export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: string }
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | {
      readonly type: 'oauth2';
      readonly tokenUrl?: string;
      readonly refreshUrl?: string;
      readonly scopes: readonly string[];
    }
  | { readonly type: 'openIdConnect'; readonly url: string }
  | { readonly type: 'mutualTLS' };
