/** The file name of a Content-Disposition header (RFC 6266 §4.3), as a bare name without folders. */
export function fileNameOf(disposition: string | undefined): string | undefined {
  if (disposition === undefined) return undefined;
  const extended = /;\s*filename\*\s*=\s*([A-Za-z0-9!#$&+^_`{}~-]+)'[^']*'([^;\s]+)/i.exec(disposition);
  const name = extended ? decodedName(extended[2]!) : plainName(disposition);
  const bare = name
    ?.split(/[/\\]/)
    .at(-1)
    ?.replace(/[\u0000-\u001f\u007f]/g, '')
    .trim()
    .slice(0, 200);
  return bare === undefined || bare === '' || bare === '.' || bare === '..' ? undefined : bare;
}

function plainName(disposition: string): string | undefined {
  const match = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition);
  return match?.[1]?.replace(/\\(.)/g, '$1') ?? match?.[2];
}

/** RFC 8187 §3.2.1; a name in another charset than UTF-8 is left as it stands. */
function decodedName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
