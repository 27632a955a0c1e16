import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ToolcribError } from '../errors.ts';

/** A call of the quickstart that needs no account and shows something at once. */
export const QUICKSTART_CALL = 'searchPlaces name=Lisbon';

/** The quickstart's configuration: beside the package's code, or in the examples of a checkout. */
export function quickstartFile(): string {
  const places = ['../../quickstart/toolcrib.yaml', '../../../examples/quickstart/toolcrib.yaml'];
  const files = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const file = files.find((candidate) => existsSync(candidate));
  if (file !== undefined) return file;
  throw new ToolcribError(
    'source_unreadable',
    'There is no toolcrib.yaml in this folder, and the quickstart that comes with Toolcrib is missing.',
    { location: files.join(', ') },
  );
}
