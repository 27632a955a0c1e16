import type { JsonObject } from '../../operations/index.ts';

const MAX_TITLE = 120;
const TAG =
  /<\/?(?:p|br|hr|div|span|b|i|u|em|strong|code|pre|tt|ul|ol|li|dl|dt|dd|a|h[1-6]|table|thead|tbody|tr|td|th|blockquote|small|sup|sub|font|center|section|details|summary|img|note|important|fullname)(?:\s[^<>]*)?\/?>/gi;
const BLOCK =
  /<(?:br|hr|\/p|\/div|\/li|\/tr|\/h[1-6]|\/ul|\/ol|\/table|\/pre|\/dt|\/dd|\/blockquote)\b[^<>]*>/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#39': "'",
  '#34': '"',
};

/** Text for a model: HTML layout gone, Markdown and placeholders such as `<id>` kept. */
export function plainText(value: unknown): string {
  if (typeof value !== 'string') return '';
  if (!/[<&]/.test(value)) return value.trim();
  return withoutComments(value)
    .replace(/<li\b[^<>]*>/gi, '\n- ')
    .replace(BLOCK, '\n')
    .replace(TAG, '')
    .replace(/&(lt|gt|amp|quot|apos|nbsp|#39|#34);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** One that never ends is no comment. */
function withoutComments(html: string): string {
  let kept = '';
  let at = 0;
  for (let begin = html.indexOf('<!--'); begin !== -1; begin = html.indexOf('<!--', at)) {
    const end = html.indexOf('-->', begin + 4);
    if (end === -1) break;
    kept += html.slice(at, begin);
    at = end + 3;
  }
  return kept + html.slice(at);
}

/** A short name for people. */
export function titleOf(node: JsonObject, method: string, path: string): string | undefined {
  const title = summaryOf(node, method, path);
  return title === '' || title.length > MAX_TITLE || title.includes('\n') ? undefined : title;
}

/** Summary and description together, each thing said once; never empty. */
export function descriptionOf(node: JsonObject, pathItem: JsonObject, method: string, path: string): string {
  const summary = summaryOf(node, method, path) || plainText(pathItem.summary);
  const description = plainText(node.description) || plainText(pathItem.description);
  const parts: string[] = [];
  if (node.deprecated === true) parts.push('Deprecated.');
  if (summary !== '' && !startsAlike(description, summary)) parts.push(summary);
  if (description !== '') parts.push(description);
  if (summary === '' && description === '') parts.push(`${method} ${path}`);
  return parts.join('\n\n');
}

/** One that only repeats the path, as generators write where an author wrote none (`/pets`, `GET /pets`), is none. */
function summaryOf(node: JsonObject, method: string, path: string): string {
  const summary = plainText(node.summary);
  // a path has a slash
  if (summary !== '' && !summary.includes('/') && path.includes('/')) return summary;
  const bare = (text: string): string => text.toLowerCase().replace(/[{}:]|\/$/g, '');
  const isPath = [path, `${method} ${path}`].some((one) => bare(one) === bare(summary));
  return (isPath ? '' : summary) || plainText(node['x-ms-summary']);
}

/** True where a description begins with the summary, give or take case, spaces and full stops. */
export function startsAlike(description: string, summary: string): boolean {
  if (/^[a-z]/i.test(summary) && /^[a-z]/i.test(description)) {
    if (summary[0]!.toLowerCase() !== description[0]!.toLowerCase()) return false;
  }
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[\s.]+/g, ' ')
      .trim();
  return plain(description.slice(0, summary.length + 20)).startsWith(plain(summary));
}
