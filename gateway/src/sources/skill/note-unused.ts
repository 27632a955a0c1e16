import { isObject, type Json, type JsonSchema, type ScriptInvocation } from '../../operations/index.ts';
import { templateNames } from '../../templates/index.ts';
import type { ManifestPath, Note } from './tool-members.ts';

const MOST_NAMED = 10;

/** Where the templates of a request and of a script stand. */
const PLACES = {
  request: 'url, headers_template or body_template',
  script: 'args_template, env, stdin_template or stdin_text',
};

/** A script without templates is given every argument on its standard input. */
export function noteUnusedByScript(
  { args, stdin, stdinText, env = {} }: Pick<ScriptInvocation, 'args' | 'stdin' | 'stdinText' | 'env'>,
  input: JsonSchema,
  path: ManifestPath,
  note: Note,
): void {
  if (args === undefined && stdin === undefined && stdinText === undefined) return;
  const items = (args ?? []).map((item) => {
    if (typeof item === 'string') return item;
    if ('each' in item) return `{{${item.each}}}`;
    return 'when' in item ? `{{${item.when}}}` : [...item];
  });
  noteUnused('script', [items, stdin ?? null, stdinText ?? null, { ...env }], input, path, note);
}

/** Nothing of a call goes on but what a template names: an argument that none does is lost, so its author is told. */
export function noteUnused(
  what: keyof typeof PLACES,
  tree: Json,
  { properties }: JsonSchema,
  path: ManifestPath,
  note: Note,
): void {
  const names = templateNames(tree).filter(({ namespace }) => namespace === 'args');
  const used = new Set(names.map((name) => name.path[0]));
  if (used.has(undefined) || !isObject(properties)) return;
  const lost = Object.keys(properties).filter((name) => !used.has(name));
  if (lost.length === 0) return;
  const more = lost.length > MOST_NAMED ? ', …' : '';
  note(
    'skill-template-unused',
    `No template of the ${what} names ${lost.slice(0, MOST_NAMED).join(', ')}${more}: it is not sent. Put it into ${PLACES[what]}.`,
    path,
    'warning',
  );
}
