import { isObject, type Json, type JsonSchema } from '../../operations/index.ts';
import { templateNames } from '../../templates/index.ts';
import type { ManifestPath, Note } from './tool-members.ts';

const MOST_NAMED = 10;

/** Nothing of a call is sent but what a template names: an argument that none does is lost, so its author is told. */
export function noteUnused(tree: Json, { properties }: JsonSchema, path: ManifestPath, note: Note): void {
  const names = templateNames(tree).filter(({ namespace }) => namespace === 'args');
  const used = new Set(names.map((name) => name.path[0]));
  if (used.has(undefined) || !isObject(properties)) return;
  const lost = Object.keys(properties).filter((name) => !used.has(name));
  if (lost.length === 0) return;
  const more = lost.length > MOST_NAMED ? ', …' : '';
  note(
    'skill-template-unused',
    `No template of the request names ${lost.slice(0, MOST_NAMED).join(', ')}${more}: it is not sent. Put it into url, headers_template or body_template.`,
    path,
    'warning',
  );
}
