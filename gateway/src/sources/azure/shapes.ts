import type { DynamicShape, JsonObject } from '../../operations/index.ts';
import type { ArgumentPlaces } from './argument-places.ts';
import { shapeOf } from './extensions.ts';
import { helperCall, type InputsOf, type Unusable } from './helper-calls.ts';

/** Which operation tells the schema of an argument; the older extension where the newer one cannot be used. */
export function dynamicShapeOf(
  node: JsonObject,
  argument: string,
  places: ArgumentPlaces,
  inputsOf: InputsOf,
): DynamicShape | Unusable | undefined {
  const preferred = shapeOf(node);
  if (preferred === undefined) return undefined;
  const found = read(preferred, argument, places, inputsOf);
  if (!('problem' in found)) return found;
  const older = shapeOf({ 'x-ms-dynamic-schema': node['x-ms-dynamic-schema'] ?? null });
  const second = older === undefined ? found : read(older, argument, places, inputsOf);
  return 'problem' in second ? found : second;
}

function read(
  extension: JsonObject,
  argument: string,
  places: ArgumentPlaces,
  inputsOf: InputsOf,
): DynamicShape | Unusable {
  const call = helperCall(extension, places, inputsOf);
  if ('problem' in call) return call;
  const schema = extension.itemValuePath ?? extension['value-path'];
  return { ...call, argument, ...(typeof schema === 'string' && schema !== '' ? { schema } : {}) };
}
