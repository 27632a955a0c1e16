import { ToolcribError } from '../../errors.ts';
import { isObject, type Json } from '../../operations/index.ts';
import { PACKAGE_LIMITS } from './limits.ts';
import { manifestFiles, type SkillPackageFiles } from './package-files.ts';
import { type PlainYaml, readYaml } from './read-yaml.ts';
import type { InvalidSkillTool } from './snapshot.ts';
import { type RuntimeDefaults, runtimeDefaults, SYSTEM_DEFAULTS } from './tool-limits.ts';
import { type ManifestPath, Members, type Note } from './tool-members.ts';

/** A tool as it is written down. */
export interface WrittenTool {
  readonly value: Json;
  readonly path: ManifestPath;
  readonly file: string;
  readonly place: PlainYaml['place'];
}

export interface ReadManifests {
  readonly tools: readonly WrittenTool[];
  readonly runtime: RuntimeDefaults;
  /** Files that cannot be read. */
  readonly invalid: readonly InvalidSkillTool[];
}

const MANIFEST_KEYS = ['version', 'runtime', 'tools', '$schema'];
const NO_TOOLS = 'There are no tools in it.';
/** Of a mapping without `tools` that is one tool. */
const SIGNS_OF_TOOL = ['name', 'executor', 'entry', 'script', 'url', 'endpoint'];

/** Every file that describes tools: a mapping with `tools`, a list, or one tool. One broken file costs itself. */
export async function readManifests(
  content: SkillPackageFiles,
  noteIn: (place: PlainYaml['place']) => Note,
): Promise<ReadManifests> {
  const tools: WrittenTool[] = [];
  const invalid: InvalidSkillTool[] = [];
  let runtime = SYSTEM_DEFAULTS;
  let bytes = 0;
  const files = manifestFiles(content.files);
  for (const [index, { path: file, bytes: size }] of files.entries()) {
    bytes += size;
    try {
      if (index >= PACKAGE_LIMITS.manifests)
        throw unusable(`A skill has at most ${PACKAGE_LIMITS.manifests} manifests.`, file);
      if (size > PACKAGE_LIMITS.manifestBytes)
        throw unusable(`A manifest has at most ${PACKAGE_LIMITS.manifestBytes} bytes.`, file);
      if (bytes > PACKAGE_LIMITS.manifestsBytes)
        throw unusable(`The manifests of a skill have at most ${PACKAGE_LIMITS.manifestsBytes} bytes.`, file);
      const yaml = await readYaml(utf8(await content.read(file), file), file);
      const note = noteIn(yaml.place);
      const written = writtenTools(yaml, file, note);
      tools.push(...written.tools);
      if (index === 0) runtime = runtimeDefaults(written.runtime, note);
      else if (written.runtime !== undefined)
        note('skill-runtime', 'runtime counts in the first manifest only.', written.runtime.path, 'warning');
    } catch (error) {
      if (!(error instanceof ToolcribError) || error.code !== 'source_invalid') throw error;
      invalid.push({ place: error.location ?? file, error: error.message, code: 'skill-unreadable' });
    }
  }
  return { tools, runtime, invalid };
}

function writtenTools({ value, place }: PlainYaml, file: string, note: Note) {
  const written = (items: readonly Json[], path: ManifestPath) =>
    items.map((item, index) => ({ value: item, path: [...path, index], file, place }));
  if (value === undefined) {
    note('skill-tools', NO_TOOLS, [], 'warning');
    return { tools: [] };
  }
  if (Array.isArray(value)) {
    if (value.length === 0) note('skill-tools', NO_TOOLS, [], 'warning');
    return { tools: written(value, []) };
  }
  if (!isObject(value))
    throw unusable('A manifest is a mapping with tools, a list of tools, or one tool.', file);
  if (!Object.hasOwn(value, 'tools') && SIGNS_OF_TOOL.some((key) => Object.hasOwn(value, key))) {
    const { version: _version, runtime, ...tool } = value;
    const defaults = runtime === undefined ? undefined : { value: runtime, path: ['runtime'] };
    return { tools: [{ value: tool, path: [], file, place }], runtime: defaults };
  }
  const members = new Members(value, [], MANIFEST_KEYS, note);
  const list = members.get('tools');
  if (list !== undefined && !Array.isArray(list.value))
    throw new ToolcribError('source_invalid', 'tools is a list.', { location: place(list.path) });
  const runtime = members.get('runtime');
  const items = (list?.value as Json[] | undefined) ?? [];
  // an empty list beside runtime holds the defaults of tools in other files
  const isDefaults = list !== undefined && runtime !== undefined;
  if (items.length === 0 && !isDefaults) note('skill-tools', NO_TOOLS, list?.path ?? [], 'warning');
  return { tools: written(items, ['tools']), runtime };
}

function utf8(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unusable('It is no UTF-8 text.', file);
  }
}

function unusable(message: string, file: string): ToolcribError {
  return new ToolcribError('source_invalid', message, { location: `${file}:1` });
}
