import { ToolcribError } from '../../errors.ts';
import { isBeyondArguments } from '../../operations/http/caller-headers.ts';
import { OF_CONNECTION } from '../../operations/http/connection-headers.ts';
import { HTTP_TOKEN } from '../../operations/http/http-token.ts';
import type { TemplateInvocation } from '../../operations/index.ts';
import { renderHeader, type TemplateValues, templateNames } from '../../templates/index.ts';

type Header = readonly [name: string, value: string];

const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie']);
/** Any text that a header can hold, in place of a secret that is not read. */
const MASK = '****';

/** Names of the secrets that the headers of a tool ask for, each once. */
export function secretNames({ headers }: TemplateInvocation): readonly string[] {
  const names = templateNames({ ...headers }).filter(({ namespace }) => namespace === 'secrets');
  return [...new Set(names.map(({ path }) => path.join('.')))];
}

/** Values that a dry run shows in place of secrets. */
export function maskedSecrets(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, MASK]));
}

/**
 * The headers of a request, and which of them carry a credential (lower case). What a caller says never stands in one that
 * authenticates, frames the message or names its type. Throws `skill_invalid`, `arguments_invalid`, `template_value_missing`.
 */
export function templateHeaders(
  { headers }: TemplateInvocation,
  values: TemplateValues,
): { readonly headers: readonly Header[]; readonly credentialHeaders: readonly string[] } {
  const rendered: Header[] = [];
  const credentialHeaders: string[] = [];
  const seen = new Set<string>();
  for (const [name, template] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!HTTP_TOKEN.test(name)) throw invalid(`${JSON.stringify(name.slice(0, 80))} is no name of a header`);
    if (OF_CONNECTION.has(lower)) throw invalid(`the header ${name} belongs to the connection`);
    if (seen.has(lower)) throw invalid(`the header ${name} stands there twice`);
    seen.add(lower);
    const names = templateNames(template);
    if (isBeyondArguments(lower) && names.some(isOfCaller))
      throw invalid(`the header ${name} may hold no value of a caller`);
    if (CREDENTIALS.has(lower) || names.some(({ namespace }) => namespace === 'secrets'))
      credentialHeaders.push(lower);
    rendered.push([name, renderHeader(name, template, values).trim()]);
  }
  return { headers: rendered, credentialHeaders };
}

/** Clients name their runs themselves. */
function isOfCaller({ namespace, path }: ReturnType<typeof templateNames>[number]): boolean {
  return namespace === 'args' || (namespace === 'context' && path[0] === 'run_id');
}

const invalid = (reason: string) => new ToolcribError('skill_invalid', `The headers of the tool: ${reason}.`);
