import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolcribError } from '../errors.ts';
import { PACKAGE_FOLDER } from '../version.ts';

/** A call of the quickstart that needs no account and shows something at once. */
export const QUICKSTART_CALL = 'searchPlaces name=Lisbon';

/** The quickstart's configuration: beside the package's code, or in the examples of a checkout. */
export function quickstartFile(): string {
  const files = places();
  const file = files.find((candidate) => existsSync(candidate));
  if (file !== undefined) return file;
  throw new ToolcribError(
    'source_unreadable',
    'There is no toolcrib.yaml in this folder, and the quickstart that comes with Toolcrib is missing.',
    { location: files.join(', ') },
  );
}

/** Whether it is served because nothing else was named or found. */
export function isQuickstart(file: string | undefined): boolean {
  return file !== undefined && places().includes(file);
}

function places(): string[] {
  return ['quickstart', '../examples/quickstart'].map((place) =>
    join(PACKAGE_FOLDER, place, 'toolcrib.yaml'),
  );
}
