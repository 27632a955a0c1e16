import { headerText } from '../operations/http/header-text.ts';
import { decodeText } from './decode-text.ts';

/** The file name of a Content-Disposition header (RFC 6266 §4.3), as a bare name without folders. */
export function fileNameOf(disposition: string | undefined): string | undefined {
  if (disposition === undefined) return undefined;
  const extended = /;\s*filename\*\s*=\s*([A-Za-z0-9!#$&+^_`{}~-]+)'[^']*'([^;\s]+)/i.exec(disposition);
  const name = extended ? decodedName(extended[2]!, extended[1]!) : plainName(headerText(disposition));
  const bare = name
    ?.split(/[/\\]/)
    .at(-1)
    ?.replace(/[\u0000-\u001f\u007f]/g, '')
    .trim()
    .slice(0, 200);
  return bare === undefined || bare === '' || bare === '.' || bare === '..' ? undefined : bare;
}

/** A name with spaces is often sent without quotes. */
function plainName(disposition: string): string | undefined {
  const match = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]+))/i.exec(disposition);
  return match?.[1]?.replace(/\\(.)/g, '$1') ?? match?.[2];
}

/** RFC 8187 §3.2.1. */
function decodedName(encoded: string, charset: string): string {
  const bytes = encoded.replace(/%([0-9a-f]{2})/gi, (_all, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
  return decodeText(Buffer.from(bytes, 'latin1'), `text/plain; charset=${charset}`);
}
