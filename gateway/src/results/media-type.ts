/** `type/subtype` in lower case, without parameters; '' when there is none. */
export function mediaTypeOf(contentType: string | undefined): string {
  if (contentType === undefined) return '';
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** A parameter's value, unquoted, as it is written (RFC 9110 §5.6.6). */
export function mediaTypeParameter(contentType: string, name: string): string | undefined {
  if (!contentType.includes(';')) return undefined;
  for (const match of contentType.matchAll(/;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g)) {
    if (match[1]!.toLowerCase() === name) return match[2]?.replace(/\\(.)/g, '$1') ?? match[3];
  }
  return undefined;
}

/** JSON by name or by structured suffix (RFC 6839 §3.1); AWS, the web's older spellings and `vnd.name.json` too. */
export function isJsonType(type: string): boolean {
  return /^(application|text)\/(x-)?json$|\+json$|^application\/vnd\.[^;]*\.json$|^application\/x-amz-json-/.test(
    type,
  );
}

/** One JSON text a line, or a record (RFC 7464). */
export function isJsonLinesType(type: string): boolean {
  return /^application\/(x-)?(ndjson|jsonl|jsonlines|json-seq)$|^text\/(ndjson|jsonl)$|\+json-seq$/.test(
    type,
  );
}

export function isXmlType(type: string): boolean {
  return /^(application|text)\/xml(-external-parsed-entity|-dtd)?$|\+xml$/.test(type);
}

export function isFormType(type: string): boolean {
  return type === 'application/x-www-form-urlencoded';
}

const TEXTUAL =
  /^application\/(x-)?(yaml|javascript|ecmascript|graphql|sql|toml|sh|www-form-urlencoded|pem-file|x509-pem)$|^application\/graphql-response|\+yaml$/;

/** Readable as text, whatever it says. */
export function isTextType(type: string): boolean {
  return type.startsWith('text/') || isXmlType(type) || isJsonLinesType(type) || TEXTUAL.test(type);
}

/** Bytes that mean nothing as text. */
export function isBinaryType(type: string): boolean {
  if (isXmlType(type) || isJsonType(type) || isTextType(type)) return false;
  return /^(image|audio|video|font|model)\/|^application\/(octet-stream|pdf|zip|gzip|x-gzip|x-tar|wasm|protobuf|x-protobuf|cbor|msgpack|vnd\.ms-|vnd\.openxmlformats|x-7z|x-bzip|zstd)/.test(
    type,
  );
}

/** Says of a file that it is one, or of parts that they are several, and nothing of what is in them. */
export function isUnsaidType(type: string): boolean {
  return /^multipart\/|^(application|binary)\/(x-)?(octet-stream|binary|force-download|download)$/.test(type);
}
