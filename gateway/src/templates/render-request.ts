import { ToolcribError } from '../errors.ts';
import { parseTemplate } from './parse.ts';
import { renderText, type TemplatePlace, type TemplateValues } from './values.ts';

/**
 * The address of a request. What is put in can only ever be a part of a path segment or of one query value: everything
 * but unreserved characters is percent-encoded (RFC 3986 §2.3), so that it adds no segment, parameter, host or fragment.
 *
 * @throws `template_value_missing`, `arguments_invalid` for a value that would lead to another path (`..`)
 */
export function renderUrl(url: string, values: TemplateValues): string {
  const rendered = renderText(url, values, encodeInUrl, ['url']);
  const written = parseTemplate(url).parts.map((part) => (typeof part === 'string' ? part : 'x'));
  // what the author wrote may hold dots, what was put in may not make any
  if (dots(pathOf(rendered)) > dots(pathOf(written.join(''))))
    throw new ToolcribError('arguments_invalid', 'An argument would lead out of the path of the request.');
  return rendered;
}

/**
 * The value of one header.
 *
 * @throws `arguments_invalid` for what no header can hold: controls (line ends above all) and characters beyond Latin-1
 */
export function renderHeader(name: string, text: string, values: TemplateValues): string {
  return renderText(
    text,
    values,
    (value, { namespace, path }) => {
      if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
        throw new ToolcribError(
          'arguments_invalid',
          `${[namespace, ...path].join('.')} cannot stand in the header ${name}: it has line ends, controls or characters beyond Latin-1.`,
        );
      return value;
    },
    ['headers', name],
  );
}

function encodeInUrl(value: string, { namespace, path }: TemplatePlace): string {
  if (!value.isWellFormed())
    throw new ToolcribError(
      'arguments_invalid',
      `${[namespace, ...path].join('.')} is no text that an address can hold.`,
    );
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function pathOf(url: string): string {
  return /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? '';
}

/** Segments that are `.` or `..`, escaped ones too (WHATWG URL). */
function dots(path: string): number {
  return path.split(/[/\\]/).filter((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)).length;
}
