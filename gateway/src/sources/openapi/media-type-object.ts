import type { Place } from './place.ts';
import type { Reading } from './reading.ts';

/** A Media Type Object, behind its reference. One that says nothing is none; one that cannot be read is reported. */
export function mediaTypeObject(
  { references, log }: Reading,
  declared: unknown,
  pointer: string,
): Place | undefined {
  const found = references.object(declared, pointer);
  if (found === undefined && declared !== null) {
    const message = 'The media type cannot be read; what it describes may be anything.';
    log.report('media-type-invalid', 'warning', message, pointer);
  }
  return found;
}
