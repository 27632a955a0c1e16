import type { SecurityAlternative, SecurityScheme } from '../../operations/index.ts';
import type { Problem } from '../../operations/text/schema-problems.ts';
import type { AuthDef, ProviderManifest } from './manifest.ts';

export interface ProviderSecurity {
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  readonly alternatives: readonly SecurityAlternative[];
}

/** RFC 9110 §11.1: the word before the credential. */
const SCHEME_WORD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) <[^<>]+>$/;
const BASIC_FORMAT = /^Basic base64\(<[^<>]+>:(?:<[^<>]+>)?\)$/i;
const BARE_FORMAT = /^<[^<>]+>$/;
const DEFAULT_KEY_HEADER = 'X-Api-Key';

/** Security schemes by name; each is an alternative by itself, in the manifest's order. */
export function securityOf({ auth }: Pick<ProviderManifest, 'auth'>): ProviderSecurity {
  const schemes: Record<string, SecurityScheme> = {};
  const alternatives: SecurityAlternative[] = [];
  for (const [name, definition] of named(auth)) {
    schemes[name] = schemeOf(definition);
    alternatives.push({ [name]: [] });
  }
  return { schemes, alternatives };
}

/** Formats that no scheme can write, and names that stand twice. */
export function checkAuth({ auth, onBehalfOf }: Pick<ProviderManifest, 'auth' | 'onBehalfOf'>): Problem[] {
  const problems: Problem[] = [];
  const names = new Set<string>();
  for (const [index, definition] of listOf(auth).entries()) {
    const path = Array.isArray(auth) ? ['auth', index] : ['auth'];
    const name = definition.name ?? definition.type;
    if (names.has(name)) {
      problems.push({ path, message: `Two ways to authenticate are called ${name}: give one a name.` });
    }
    names.add(name);
    const message = refusedFormat(definition);
    if (message !== undefined) problems.push({ path: [...path, 'format'], message });
    if (definition.in === 'query' && (definition.type !== 'api-key' || definition.parameter === undefined)) {
      problems.push({ path: [...path, 'in'], message: 'Only an api-key with parameter goes in the query.' });
    }
  }
  if (onBehalfOf?.in === 'token' && !listOf(auth).some(({ type }) => type === 'oauth2')) {
    problems.push({ path: ['onBehalfOf'], message: 'Only an oauth2 token can name the acting user.' });
  }
  return problems;
}

function named(auth: ProviderManifest['auth']): ReadonlyArray<readonly [string, AuthDef]> {
  return listOf(auth).map((definition) => [definition.name ?? definition.type, definition] as const);
}

function listOf(auth: ProviderManifest['auth']): readonly AuthDef[] {
  return Array.isArray(auth) ? (auth as readonly AuthDef[]) : [auth as AuthDef];
}

function schemeOf(definition: AuthDef): SecurityScheme {
  switch (definition.type) {
    case 'basic':
      return { type: 'http', scheme: 'basic' };
    case 'bearer':
      return { type: 'http', scheme: wordOf(definition) ?? 'bearer' };
    case 'oauth2':
      return {
        type: 'oauth2',
        ...(definition.tokenUrl === undefined ? {} : { tokenUrl: definition.tokenUrl }),
        ...(definition.refreshUrl === undefined ? {} : { refreshUrl: definition.refreshUrl }),
        scopes: definition.scopes ?? [],
      };
    case 'api-key':
      return keyScheme(definition);
  }
}

function keyScheme(definition: AuthDef): SecurityScheme {
  if (definition.in === 'query') return { type: 'apiKey', in: 'query', name: definition.parameter! };
  const name = definition.headerName ?? DEFAULT_KEY_HEADER;
  const word = wordOf(definition);
  return word === undefined ? { type: 'apiKey', in: 'header', name } : { type: 'http', scheme: word };
}

/** `bearer` in small letters, as documents write it; other words as the service wants them. */
function wordOf({ format }: AuthDef): string | undefined {
  const word = format === undefined ? undefined : SCHEME_WORD.exec(format)?.[1];
  return word?.toLowerCase() === 'bearer' ? 'bearer' : word;
}

function refusedFormat(definition: AuthDef): string | undefined {
  const { type, format, headerName } = definition;
  const authorization = headerName === undefined || headerName.toLowerCase() === 'authorization';
  if (type !== 'api-key' && !authorization)
    return `${type} goes in Authorization; use api-key for ${headerName}.`;
  if (format === undefined) return undefined;
  switch (type) {
    case 'basic':
      return BASIC_FORMAT.test(format)
        ? undefined
        : 'Write Basic base64(<token>:) or Basic base64(<user>:<password>).';
    case 'oauth2':
      return wordOf(definition) === 'bearer'
        ? undefined
        : 'An oauth2 token is sent as Bearer <token>; use bearer.';
    case 'bearer':
      return SCHEME_WORD.test(format) ? undefined : 'Write WORD <token>.';
    case 'api-key':
      if (BARE_FORMAT.test(format)) return undefined;
      if (headerName?.toLowerCase() === 'authorization' && SCHEME_WORD.test(format)) return undefined;
      return 'Write <token>, or WORD <token> with headerName: Authorization.';
  }
}
