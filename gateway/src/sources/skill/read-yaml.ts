import { ToolcribError } from '../../errors.ts';
import type { Json } from '../../operations/index.ts';
import { type LocatedYaml, readLocatedYaml } from '../manifest/located-yaml.ts';
import { yamlProblem } from '../yaml-bounds.ts';
import { PACKAGE_LIMITS } from './limits.ts';

export interface PlainYaml {
  /** JSON and nothing else, no value twice; undefined for an empty file. */
  readonly value: Json | undefined;
  readonly place: LocatedYaml['place'];
}

/**
 * YAML from strangers.
 *
 * @param file as it is named in places and messages
 * @throws `source_invalid` with the line, also for what is too large, too deep, or holds values that JSON has not
 */
export async function readYaml(text: string, file: string): Promise<PlainYaml> {
  const problem = yamlProblem(text, PACKAGE_LIMITS, await import('yaml'));
  if (problem !== undefined) throw invalid(problem, `${file}:1`);
  const { value, place } = await readLocatedYaml(text, file);
  let left = PACKAGE_LIMITS.values;
  const plain = (given: unknown, path: readonly (string | number)[]): Json => {
    if (--left < 0) throw invalid(`It has more than ${PACKAGE_LIMITS.values} values.`, `${file}:1`);
    if (given === null || typeof given === 'string' || typeof given === 'boolean') return given;
    if (typeof given === 'number' && Number.isFinite(given)) return given;
    if (Array.isArray(given)) return given.map((item, index) => plain(item, [...path, index]));
    if (typeof given === 'object' && Object.getPrototypeOf(given) === Object.prototype)
      return Object.fromEntries(
        Object.entries(given).map(([key, item]) => {
          if (key === '__proto__') throw invalid('A key is called __proto__.', place([...path, key]));
          return [key, plain(item, [...path, key])];
        }),
      );
    throw invalid('A value is none that JSON has.', place(path));
  };
  return { value: value === undefined || value === null ? undefined : plain(value, []), place };
}

function invalid(message: string, location: string): ToolcribError {
  return new ToolcribError('source_invalid', message, { location });
}
