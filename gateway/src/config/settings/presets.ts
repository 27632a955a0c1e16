import { dirname, join, resolve } from 'node:path';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import { isObject, type Json, type JsonObject, UNSAFE_KEYS } from '../../operations/index.ts';
import { didYouMean } from '../../operations/text/nearest-name.ts';
import { problemsOf } from '../../operations/text/schema-problems.ts';
import { PACKAGE_FOLDER } from '../../version.ts';
import { configurationText } from '../configuration-text.ts';
import type { ConfigurationContext } from '../context.ts';
import { absolutePath, type Environment } from '../directories.ts';
import { readDocument } from '../document.ts';
import { configurationError } from '../issues.ts';

/** Presets that come with Toolcrib. */
export const SHIPPED_PRESETS: readonly string[] = Object.freeze(['croit']);

/** Settings for a known API, as they are written: a configuration's own keys win over them. */
export interface Preset {
  readonly name: string;
  readonly description?: string;
  /** Absolute path. */
  readonly file: string;
  /** Keys of a source, paths in them absolute. */
  readonly source: JsonObject;
  /** Options of topologies. */
  readonly topology: JsonObject;
}

interface PresetContext {
  readonly env: Environment;
  /** Relative paths are relative to it. */
  readonly baseDirectory: string;
}

/**
 * A shipped preset by its name, or one of the operator's by its path. Throws `configuration_invalid` for a name that
 * is none and for a file that is no preset, `source_unreadable`.
 */
export async function loadPreset(name: string, { env, baseDirectory }: PresetContext): Promise<Preset> {
  const file = SHIPPED_PRESETS.includes(name)
    ? join(PACKAGE_FOLDER, 'presets', `${name}.yaml`)
    : absolutePath(ownFile(name), baseDirectory, env);
  const { value, lineOf } = await readDocument(await configurationText(file, 'preset'), file);
  const { presetShape } = await import('../schema/presets.ts');
  const parsed = presetShape.safeParse(value);
  if (!parsed.success) throw configurationError(problemsOf(parsed.error.issues, value), file, lineOf);
  const { description, source = {}, topology = {} } = parsed.data;
  return {
    name: parsed.data.name,
    file,
    ...(description === undefined ? {} : { description }),
    source: withAbsoluteOverlays(source as JsonObject, dirname(file)),
    topology: topology as JsonObject,
  };
}

/** A configuration's value with what its presets say, and the files of these. */
interface WithPresets {
  readonly value: unknown;
  readonly files: readonly string[];
}

/**
 * A configuration's value with the presets that its sources name merged beneath their own keys, and beneath
 * `topology`. Whatever is not as it should be stays as it is: the schema says so.
 */
export async function withPresets(value: unknown, context: ConfigurationContext): Promise<WithPresets> {
  if (!isObject(value) || !isObject(value['sources'])) return { value, files: [] };
  const files = new Set<string>();
  const sources: JsonObject = { ...value['sources'] };
  let topology: JsonObject = {};
  for (const [name, entry] of Object.entries(sources)) {
    if (!isObject(entry) || typeof entry['preset'] !== 'string' || UNSAFE_KEYS.has(name)) continue;
    const preset = await presetOf(name, entry['preset'], context);
    files.add(preset.file);
    sources[name] = sourceWith(preset.source, entry);
    topology = merged(topology, preset.topology, true);
  }
  const plain = { ...value, sources };
  if (Object.keys(topology).length === 0) return { value: plain, files: [...files] };
  const own = value['topology'];
  const stated = typeof own === 'string' ? { name: own } : (own ?? {});
  const whole = { ...plain, topology: isObject(stated) ? merged(topology, stated) : stated };
  return { value: whole, files: [...files] };
}

/** An error of its own file has its place there; a name that is none stands in the configuration. */
async function presetOf(source: string, preset: string, context: ConfigurationContext): Promise<Preset> {
  try {
    return await loadPreset(preset, context);
  } catch (error) {
    if (!isToolcribError(error) || error.location !== undefined) throw error;
    throw configurationError(
      [{ path: ['sources', source, 'preset'], message: error.message }],
      context.file,
      context.lineOf,
    );
  }
}

/** A path alone becomes the document of an object, so that the preset's overlays are applied before its own. */
function sourceWith(preset: JsonObject, entry: JsonObject): JsonObject {
  const described = preset['openapi'];
  const own = entry['openapi'];
  if (!isObject(described) || own === undefined) {
    const { openapi: _openapi, ...rest } = preset;
    return merged(rest, entry);
  }
  const stated = typeof own === 'string' ? { document: own } : own;
  if (!isObject(stated)) return merged(preset, entry);
  const overlay = [...listOf(described['overlay']), ...listOf(stated['overlay'])];
  const openapi = { ...merged(described, stated), ...(overlay.length === 0 ? {} : { overlay }) };
  return { ...merged(preset, entry), openapi };
}

/** Objects are merged, everything else of `over` replaces; with `join`, lists follow each other. */
function merged(under: JsonObject, over: JsonObject, join = false): JsonObject {
  const result: JsonObject = { ...under };
  for (const [key, value] of Object.entries(over)) {
    if (UNSAFE_KEYS.has(key)) continue;
    const before = Object.hasOwn(result, key) ? result[key] : undefined;
    if (isObject(before) && isObject(value)) result[key] = merged(before, value, join);
    else if (join && Array.isArray(before) && Array.isArray(value)) result[key] = [...before, ...value];
    else result[key] = value;
  }
  return result;
}

function withAbsoluteOverlays(source: JsonObject, folder: string): JsonObject {
  const described = source['openapi'];
  if (!isObject(described)) return source;
  const overlay = listOf(described['overlay']).map((one) =>
    typeof one === 'string' && !/^(https?|file):/i.test(one) ? resolve(folder, one) : one,
  );
  return { ...source, openapi: { ...described, ...(overlay.length === 0 ? {} : { overlay }) } };
}

function listOf(value: Json | undefined): Json[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** Only what looks like a path is one: a misspelt name is no file. */
function ownFile(name: string): string {
  if (/[\\/]|\.(ya?ml|json)$/i.test(name)) return name;
  throw new ToolcribError(
    'configuration_invalid',
    `There is no preset "${name}"; there is ${SHIPPED_PRESETS.join(', ')}.${didYouMean(name, SHIPPED_PRESETS)} A file of your own is named by its path, such as ./${name}.yaml.`,
  );
}
