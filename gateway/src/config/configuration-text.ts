import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { ToolcribError } from '../errors.ts';
import { isUtf16 } from '../operations/text/file-text.ts';
import { unreadable } from '../operations/text/unreadable.ts';

/**
 * The text of a file. `what` it is: `configuration`, `preset`. Throws `source_unreadable`, and `configuration_invalid`
 * where it is no UTF-8: what cannot be decoded would be lost, in a password too.
 */
export async function configurationText(file: string, what: string): Promise<string> {
  const bytes = await bytesOf(file, what);
  if (isUtf16(bytes)) {
    throw new ToolcribError('configuration_invalid', `The ${what} is UTF-16.`, {
      location: file,
      next: 'Save it as UTF-8; Windows PowerShell writes UTF-16 with `>`, and UTF-8 with `Set-Content -Encoding utf8`.',
    });
  }
  const text = bytes.toString('utf8');
  const at = isUtf8(bytes) ? text.indexOf('\0') : text.indexOf('\uFFFD');
  if (at < 0) return text;
  const fault = text[at] === '\0' ? 'has a NUL character' : 'is no UTF-8';
  throw new ToolcribError('configuration_invalid', `The ${what} ${fault}.`, {
    location: `${file}:${text.slice(0, at).split('\n').length}`,
    next: 'Save it as text in UTF-8.',
  });
}

async function bytesOf(file: string, what: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new ToolcribError('source_unreadable', `The ${what} cannot be read: ${unreadable(error)}.`, {
      location: file,
      cause: error,
    });
  }
}
