import type { PartEncoding } from '../../../operations/index.ts';
import type { Reading } from '../reading.ts';
import type { ObjectView } from '../schemas/object-view.ts';
import { isPlainObject } from './nested-query.ts';

/**
 * Says which members of a form go out as JSON because they are objects of which no encoding is said (OpenAPI 3.1
 * §4.8.15.1): what reads forms on Express, Koa and others wants brackets, or a part without a type.
 */
export function reportJsonMembers(
  reading: Reading,
  view: ObjectView,
  encoding: Readonly<Record<string, PartEncoding>>,
  kind: 'form' | 'multipart',
  pointer: string,
): void {
  for (const [name, parts] of view.properties) {
    const said = Object.hasOwn(encoding, name) ? encoding[name]! : {};
    const isSaid = [said.style, said.explode, said.contentType, said.file].some((one) => one !== undefined);
    const isObject = parts.some((part) => isPlainObject(reading, part.schema, part.pointer));
    if (isSaid || !isObject) continue;
    const brackets = `For a service that reads ${name}[member] an overlay gives it an \`encoding\` with \`style: deepObject\``;
    const message =
      kind === 'form'
        ? `The member ${name} of the form is an object and has no encoding: it is sent as one JSON text. ${brackets}.`
        : `The part ${name} is an object and has no encoding: it is sent as JSON, with that type. ${brackets}; for one that takes every part with a type for a file, with \`contentType: text/plain\`.`;
    reading.log.report('form-as-json', 'info', message, pointer);
  }
}
