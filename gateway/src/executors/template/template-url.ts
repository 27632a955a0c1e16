import { ToolcribError } from '../../errors.ts';
import { parseTemplate, renderUrl, type TemplateValues, templateNames } from '../../templates/index.ts';
import { isDotSegment } from '../http/path-template.ts';
import { decodedFully } from '../http/percent-encoding.ts';

/** Stands for what is put in; no address holds it. */
const SLOT = '\u0000';
const PARTS = /^(https?:\/\/)([^/?#]*)([^?#]*)/i;
const CONTROL = /[\u0000-\u001f\u007f]/;
/** WHATWG URLs drop or turn what stands raw here, so that the address read would not be the one checked. */
const MISREAD = /[\s\\\u0001-\u001f\u007f]/;

export interface RenderedUrl {
  /** Absolute, without a fragment. */
  readonly url: string;
  /** Of the template's own text: `https://api.example.com`. */
  readonly origin: string;
}

/** Scheme and host as the author wrote them. Throws `skill_invalid` where something is put in there. */
export function originOfTemplate(template: string): string {
  return readTemplate(template).origin;
}

/**
 * The address of a request. Whatever the values are: scheme, host, port and the path up to the first of them stay as the
 * author wrote them, a value adds no segment, no parameter and no fragment, and no decoding of a segment with a value in it
 * holds a dot segment. Throws `skill_invalid`, `arguments_invalid`, `template_value_missing`.
 */
export function templateUrl(template: string, values: TemplateValues): RenderedUrl {
  const { origin, path, prefix, hasFragment } = readTemplate(template);
  const [rendered = ''] = renderUrl(template.trim(), values).split('#', hasFragment ? 1 : undefined);
  checkSegments(path, PARTS.exec(rendered)?.[3] ?? '');
  const url = URL.parse(rendered);
  if (url === null || url.origin !== origin || !url.pathname.startsWith(prefix))
    throw new ToolcribError(
      'arguments_invalid',
      `The arguments would lead the request away from ${origin}${prefix}.`,
    );
  return { url: url.href, origin };
}

interface UrlTemplate {
  readonly origin: string;
  /** As written, with a slot where something is put in. */
  readonly path: string;
  /** The path's own text before the first slot, up to its last slash, without dot segments. */
  readonly prefix: string;
  readonly hasFragment: boolean;
}

function readTemplate(template: string): UrlTemplate {
  if (templateNames(template).some(({ namespace }) => namespace === 'secrets'))
    throw invalid('holds a secret: addresses stand in logs');
  const { parts, problem } = parseTemplate(template.trim());
  if (problem !== undefined) throw invalid(`cannot be read: ${problem}`);
  const skeleton = parts
    .map((part) => (typeof part === 'string' ? part.replaceAll(SLOT, '') : SLOT))
    .join('');
  if (MISREAD.test(skeleton)) throw invalid('holds white space, backslashes or control characters');
  const [, scheme = '', authority = '', path = ''] = PARTS.exec(skeleton) ?? [];
  if (scheme === '') throw invalid('does not begin with http:// or https://');
  if (authority.includes(SLOT)) throw invalid('has a value in its host, which only the author may name');
  if (authority.includes('@')) throw invalid('holds a user name: credentials go into headers');
  const origin = URL.parse(scheme + authority)?.origin;
  if (origin === undefined) throw invalid('is no address');
  const slot = path.indexOf(SLOT);
  const own = slot === -1 ? path : path.slice(0, path.lastIndexOf('/', slot) + 1);
  const prefix = URL.parse(origin + own)?.pathname ?? '/';
  return { origin, path, prefix, hasFragment: skeleton.includes('#') };
}

/** A server or a proxy may decode more than once before it routes. */
function checkSegments(template: string, rendered: string): void {
  const segments = rendered.split('/');
  for (const [index, written] of template.split('/').entries()) {
    if (!written.includes(SLOT)) continue;
    const decoded = decodedFully(segments[index] ?? '');
    if (decoded === '') throw refused('is empty: the path would then name something else');
    if (CONTROL.test(decoded)) throw refused('holds control characters, which no path may');
    if (decoded.split(/[/\\]/).some(isDotSegment))
      throw refused('holds a dot segment, which would leave its place in the path');
  }
}

const refused = (reason: string) =>
  new ToolcribError('arguments_invalid', `What the arguments put into the path ${reason}.`);
const invalid = (reason: string) => new ToolcribError('skill_invalid', `The url of the tool ${reason}.`);
