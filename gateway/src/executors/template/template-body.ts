import { ToolcribError } from '../../errors.ts';
import { isObject, type Json, readJson } from '../../operations/index.ts';
import { isFormType, isJsonType, isXmlType, mediaTypeOf } from '../../results/media-type.ts';
import {
  parseTemplate,
  renderText,
  renderTree,
  type TemplateValues,
  templateNames,
} from '../../templates/index.ts';
import { encodeStrict } from '../http/percent-encoding.ts';
import { urlencodedBody } from '../http/urlencoded-body.ts';

export interface RenderedBody {
  readonly body: string;
  /** Set where the tool's headers name none. */
  readonly contentType?: string;
}

/**
 * The body of a request. A value (an object, a list, a number …) goes out as JSON, or as the media type says: pairs of a
 * form. A text goes out as that type needs it: JSON text is read before values are put in, so that they cannot break out of
 * it; in a form they are percent-encoded, in XML and HTML escaped, in plain text as they are. Other types take no values
 * but a whole one. Throws `skill_invalid`, `arguments_invalid`, `template_value_missing`.
 *
 * @param contentType as the tool's headers say
 */
export function templateBody(
  body: Json,
  contentType: string | undefined,
  values: TemplateValues,
): RenderedBody {
  if (templateNames(body).some(({ namespace }) => namespace === 'secrets'))
    throw invalid('holds a secret: those go into headers');
  const type = mediaTypeOf(contentType);
  if (type.startsWith('multipart/')) throw invalid('is of several parts, which manifests cannot describe');
  if (typeof body === 'string') return textBody(body, type, values);
  const value = renderTree(body, values, ['body']);
  if (isFormType(type)) return { body: formOf(value) };
  return { body: JSON.stringify(value), ...typeUnlessNamed(type, 'application/json') };
}

function textBody(template: string, type: string, values: TemplateValues): RenderedBody {
  if (isJsonType(type) || type === '') return jsonOrText(template, type, values);
  if (isFormType(type)) {
    const whole = isWhole(template) ? renderTree(template, values, ['body']) : undefined;
    if (isObject(whole)) return { body: formOf(whole) };
    return { body: renderText(template, values, encoded, ['body']) };
  }
  if (isXmlType(type) || type === 'text/html')
    return { body: renderText(template, values, escapedForXml, ['body']) };
  if (type.startsWith('text/') || isWhole(template) || templateNames(template).length === 0)
    return { body: renderText(template, values, undefined, ['body']) };
  throw invalid(`is text of ${type} with values in it, and how they are written there is not known`);
}

/** Manifests write JSON as text, too: read first, it takes values like any other tree. */
function jsonOrText(template: string, type: string, values: TemplateValues): RenderedBody {
  if (isWhole(template)) return wholeBody(renderTree(template.trim(), values, ['body']), type);
  const isJson = type !== '' || JSON_START.test(template);
  const tree = isJson ? readJson(template) : undefined;
  if (tree !== undefined)
    return {
      body: JSON.stringify(renderTree(tree, values, ['body'])),
      ...typeUnlessNamed(type, 'application/json'),
    };
  if (isJson && templateNames(template).length > 0)
    throw invalid('is no JSON before values are put in: quote its templates, or write it as a mapping');
  return { body: renderText(template, values, undefined, ['body']), ...typeUnlessNamed(type, PLAIN) };
}

function wholeBody(value: Json, type: string): RenderedBody {
  if (type === '' && typeof value === 'string') return { body: value, contentType: PLAIN };
  return { body: JSON.stringify(value), ...typeUnlessNamed(type, 'application/json') };
}

const PLAIN = 'text/plain; charset=utf-8';

/** A brace or bracket that begins no template. */
const JSON_START = /^\s*(?:\[|\{(?!\{))/;

/** One reference and nothing else. */
function isWhole(template: string): boolean {
  const { parts } = parseTemplate(template.trim());
  return parts.length === 1 && typeof parts[0] === 'object';
}

function formOf(value: Json): string {
  if (!isObject(value)) throw invalid('is a form, and no mapping of its fields');
  return urlencodedBody({ kind: 'whole', part: { name: '', value, refuse } }, {});
}

const refuse = (reason: string) =>
  new ToolcribError('arguments_invalid', `The body of the request ${reason}.`);

function encoded(text: string): string {
  if (text.isWellFormed()) return encodeStrict(text);
  throw refuse('holds half a surrogate pair');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapedForXml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);

const typeUnlessNamed = (type: string, otherwise: string) => (type === '' ? { contentType: otherwise } : {});
const invalid = (reason: string) => new ToolcribError('skill_invalid', `The body of the tool ${reason}.`);
