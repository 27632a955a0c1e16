import { ToolcribError } from '../errors.ts';

const CONNECTION_HEADERS =
  /^(host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|proxy-.*)$/i;

/** Headers that describe the connection or the body are not the operator's to set (RFC 9110 §7.6.1). */
export function refuseConnectionHeader(source: string, header: string): void {
  if (!CONNECTION_HEADERS.test(header)) return;
  throw new ToolcribError(
    'configuration_invalid',
    `Source ${source} sets the header ${header}, which belongs to the connection itself.`,
    { pointer: `#/sources/${source}/headers/${header}` },
  );
}
