/** What a `WWW-Authenticate: Bearer` header asks for (RFC 6750 §3, RFC 9728 §5.1); foreign text. */
export interface Challenge {
  readonly resourceMetadata?: string;
  readonly scopes?: readonly string[];
  readonly error?: string;
}

const PARAMETER = /([!#$%&'*+\-.^_`|~0-9A-Za-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/y;
const SCHEME = /(?:^|,)\s*bearer(?:\s+|$)/i;
const MAX_LENGTH = 8192;

/** The Bearer challenge of a header that may hold several; empty where there is none. */
export function parseChallenge(header: string | null): Challenge {
  const text = (header ?? '').slice(0, MAX_LENGTH);
  const start = SCHEME.exec(text);
  if (start === null) return {};
  const parameters = parametersFrom(text, start.index + start[0].length);
  const scope = parameters.get('scope');
  const metadata = parameters.get('resource_metadata');
  const error = parameters.get('error');
  return {
    ...(metadata === undefined ? {} : { resourceMetadata: metadata }),
    ...(scope === undefined ? {} : { scopes: scopesOf(scope) }),
    ...(error === undefined ? {} : { error }),
  };
}

/** RFC 6749 §3.3: what is no scope token is left out. */
export function scopesOf(text: string): readonly string[] {
  return [
    ...new Set(text.split(' ').filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/.test(scope))),
  ].slice(0, 100);
}

/** Up to the next scheme: there a name stands without an equals sign. */
function parametersFrom(text: string, from: number): Map<string, string> {
  const parameters = new Map<string, string>();
  for (let at = from; ; ) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(text);
    if (match === null) return parameters;
    const [, name = '', quoted, token] = match;
    const value = quoted?.replace(/\\(.)/g, '$1') ?? token ?? '';
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
    at = PARAMETER.lastIndex;
    const comma = /^\s*,\s*/.exec(text.slice(at));
    if (comma === null) return parameters;
    at += comma[0].length;
  }
}
