import type { BodyFormat, HttpInvocation } from '../../operations/index.ts';
import { mediaKindOf } from '../openapi/media-types.ts';
import type { Place } from '../openapi/place.ts';
import type { DeclaredParameters } from '../openapi/requests/declared-parameters.ts';
import { mediaTypes } from '../openapi/requests/swagger-body.ts';
import { isBinarySchema } from '../openapi/schemas/binary.ts';
import type { CompiledInput } from './compiled-input.ts';
import type { ConnectorDocument } from './connector-document.ts';

/**
 * Accept and Content-Type describe the message: they are never asked for. Their default goes along, else what the
 * operation consumes and produces. Returns the media type that the operation wants for its body.
 */
export function applyMediaHeaders(
  { reading }: ConnectorDocument,
  input: CompiledInput,
  { beside, body, form }: DeclaredParameters,
  { node }: Place,
  request: Pick<HttpInvocation, 'accept' | 'body'>,
): string | undefined {
  let contentType: string | undefined;
  for (const { node: header } of beside) {
    if (header.in !== 'header') continue;
    const name = String(header.name);
    const isContentType = /^content-type$/i.test(name);
    if (!isContentType && !/^accept$/i.test(name)) continue;
    const listed = Array.isArray(header.enum) ? header.enum[0] : undefined;
    const usual = isContentType
      ? (request.body?.contentType ??
        mediaTypes(node.consumes)?.[0] ??
        mediaTypes(reading.root.consumes)?.[0])
      : request.accept[0];
    const said = [header.default, listed, usual, 'application/json'].find((one) =>
      isMediaType(one),
    ) as string;
    input.add({ in: 'header', name, const: said.trim() });
    if (isContentType && (body !== undefined || form.length > 0)) contentType = said.trim();
  }
  return contentType;
}

function isMediaType(value: unknown): boolean {
  return typeof value === 'string' && /^\s*[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+/.test(value);
}

/** How the body is written: bytes whatever the media type says, and the media type that a header asks for. */
export function bodyFormat(
  { reading }: ConnectorDocument,
  input: CompiledInput,
  { body }: DeclaredParameters,
  format: BodyFormat | undefined,
  asked: string | undefined,
): BodyFormat | undefined {
  if (format === undefined) return undefined;
  const schema = body === undefined ? undefined : reading.references.object(body.node.schema, '#')?.node;
  const whole = input.binding('body', '');
  const binary = format.binary === true || (whole !== undefined && isBinarySchema(schema));
  const contentType = mediaTypeOf(format, asked, binary);
  for (const binding of input.bindings)
    if (binding.in === 'body') input.replace(binding, { ...binding, contentType } as typeof binding);
  if (!binary || whole?.arg === undefined) return { ...format, contentType };
  const { description } = input.schema(whole.arg);
  const text = typeof description === 'string' ? description.replace(/ \(file content, base64\)$/, '') : '';
  input.setSchema(whole.arg, {
    type: 'string',
    contentEncoding: 'base64',
    description:
      text === '' || text === 'File content, base64'
        ? 'File content, base64'
        : `${text} (file content, base64)`,
  });
  return { ...format, contentType, binary: true };
}

function mediaTypeOf({ contentType }: BodyFormat, asked: string | undefined, binary: boolean): string {
  const kind = mediaKindOf(contentType);
  if (asked !== undefined && !asked.includes('*') && (binary || mediaKindOf(asked) === kind)) return asked;
  return binary && ['json', 'form', 'multipart'].includes(kind) ? 'application/octet-stream' : contentType;
}
