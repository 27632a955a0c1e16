/** What a document says it is. */
export interface FoundVersion {
  /** `OpenAPI 3.1.0`, `Swagger 2.0` */
  readonly format: string;
}

const FORMATS: Readonly<Record<string, string>> = { openapi: 'OpenAPI', swagger: 'Swagger' };
const VERSION = /^[23]\.\d{1,2}(?:\.\d{1,3})?$/;

/** Whether the beginning of a text is that of an OpenAPI or Swagger document. A cheap look: no parser, no reference. */
export function documentVersion(head: string): FoundVersion | undefined {
  const text = head.replace(/^\uFEFF/, '');
  const pairs = /^\s*\{/.test(text) ? topLevelTexts(text) : yamlTexts(text);
  for (const [key, value] of pairs) {
    const format = Object.hasOwn(FORMATS, key) ? FORMATS[key] : undefined;
    if (format !== undefined && VERSION.test(value)) return { format: `${format} ${value}` };
  }
  return undefined;
}

/** `key: value` lines that are not indented. */
function* yamlTexts(text: string): Generator<readonly [key: string, value: string]> {
  for (const [, key = '', value = ''] of text.matchAll(/^["']?(openapi|swagger)["']?:[ \t]+["']?([\d.]+)/gm))
    yield [key, value];
}

/** Members of the outermost object whose values are texts, as far as the text reaches. */
function* topLevelTexts(text: string): Generator<readonly [key: string, value: string]> {
  let depth = 0;
  let key: string | undefined;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth !== 1) continue;
    else if (token === ',') key = undefined;
    else if (token !== ':') {
      if (key === undefined) key = token.slice(1, -1);
      else yield [key, token.slice(1, -1)];
    }
  }
}
