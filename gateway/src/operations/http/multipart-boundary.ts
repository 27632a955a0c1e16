/**
 * A multipart type that says what stands between its parts: whoever writes such a body as one text knows it (OData's
 * `$batch`). Of a form the fields matter, and we write them.
 */
export function namesBoundary(contentType: string): boolean {
  return /^\s*multipart\/(?!form-data)[^;]*;(?:.*;)?\s*boundary=./i.test(contentType);
}
