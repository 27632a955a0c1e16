import type { SecurityAlternative, SecurityScheme } from '../../operations/index.ts';
import type { N8nConfig } from './config.ts';
import type { NodeAuthentication } from './webhook.ts';
import { WebhookUnusable } from './webhook.ts';

/** Scheme names where n8n does not name a credential. */
const DEFAULT_NAMES: Readonly<Record<Exclude<NodeAuthentication, 'none'>, string>> = {
  basicAuth: 'basic',
  headerAuth: 'header',
  jwtAuth: 'jwt',
  n8nOAuth2: 'n8n',
};

export interface AuthenticationFacts {
  readonly authentication: NodeAuthentication;
  readonly credential: string | undefined;
  /** What an annotation says. */
  readonly header: string | undefined;
}

/**
 * One security scheme for each credential of n8n, under the credential's name: that is what `credentials.schemes` of
 * the source is keyed by. The header's name is kept in the credential, which n8n never tells. Throws WebhookUnusable.
 */
export class SecuritySchemes {
  readonly #config: N8nConfig;
  readonly #schemes = new Map<string, SecurityScheme>();

  constructor(config: N8nConfig) {
    this.#config = config;
  }

  alternatives(facts: AuthenticationFacts): readonly SecurityAlternative[] {
    if (facts.authentication === 'none') return [];
    const scheme = this.#schemeOf(facts);
    const wanted = facts.credential ?? DEFAULT_NAMES[facts.authentication];
    // Two credentials of n8n may have one name; each kind of authentication then has its own scheme.
    const name = this.#fits(wanted, scheme) ? wanted : `${wanted} (${DEFAULT_NAMES[facts.authentication]})`;
    if (!this.#fits(name, scheme))
      throw new WebhookUnusable(
        'n8n-credential-ambiguous',
        `its credential ${JSON.stringify(wanted)} stands for another header elsewhere: rename one of the two in n8n`,
      );
    this.#schemes.set(name, scheme);
    return [{ [name]: [] }];
  }

  all(): Record<string, SecurityScheme> {
    return Object.fromEntries([...this.#schemes].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #fits(name: string, scheme: SecurityScheme): boolean {
    const known = this.#schemes.get(name);
    return known === undefined || JSON.stringify(known) === JSON.stringify(scheme);
  }

  #schemeOf({ authentication, credential, header }: AuthenticationFacts): SecurityScheme {
    if (authentication === 'basicAuth') return { type: 'http', scheme: 'basic' };
    if (authentication !== 'headerAuth') return { type: 'http', scheme: 'bearer' };
    const { authHeaders = {} } = this.#config;
    const named =
      credential !== undefined && Object.hasOwn(authHeaders, credential)
        ? authHeaders[credential]
        : undefined;
    const name = header ?? named ?? authHeaders['*'];
    if (name !== undefined) return { type: 'apiKey', in: 'header', name };
    throw new WebhookUnusable(
      'n8n-header-unknown',
      `it wants Header Auth, and n8n does not tell the header's name: write it as authHeaders: { ${JSON.stringify(credential ?? '*')}: X-… }`,
    );
  }
}
