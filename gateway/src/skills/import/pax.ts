import { refused } from './refuse.ts';

/**
 * What a pax header says of the next entry: its path and size. Every record counts its own bytes, so that a value may
 * hold anything (POSIX.1-2017, pax, "Extended Header"). Throws `archive_refused`.
 */
export function readPax(content: Buffer): { path?: string; size?: number } {
  const said: { path?: string; size?: number } = {};
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const digits = space < 0 ? '' : content.toString('latin1', at, space);
    const length = /^\d{1,6}$/.test(digits) ? Number(digits) : 0;
    const end = at + length;
    const equals = content.indexOf(0x3d, space);
    if (end > content.length || equals < 0 || equals >= end || content[end - 1] !== 0x0a)
      throw refused('An extended header of it is malformed.');
    const key = content.toString('utf8', space + 1, equals);
    const value = content.toString('utf8', equals + 1, end - 1);
    if (key === 'path') said.path = value;
    else if (key === 'size') {
      if (!/^\d{1,15}$/.test(value)) throw refused('An extended header of it has a size that is none.');
      said.size = Number(value);
    } else if (key.startsWith('GNU.sparse.')) throw refused('A file of it is stored with holes (sparse).');
    at = end;
  }
  return said;
}
