import { ToolcribError } from '../../errors.ts';
import {
  type CallChannel,
  type InputRequest,
  isObject,
  type JsonObject,
  samplesWithTools,
} from '../../operations/index.ts';

/** Throws `capability_missing`, naming what a client would have to declare to be asked this. */
export function refuseUndeclared({ method, params }: InputRequest, declared: JsonObject | undefined): void {
  const requiredCapabilities = missingCapability(method, params, declared);
  if (requiredCapabilities === undefined) return;
  throw new ToolcribError('capability_missing', 'The client cannot be asked this.', {
    details: { requiredCapabilities },
  });
}

/** Undefined: nothing is missing. A bare `elicitation: {}` means forms (MCP). */
export function missingCapability(
  method: InputRequest['method'],
  params: JsonObject | undefined,
  declared: JsonObject = {},
): JsonObject | undefined {
  if (method === 'roots/list') return declared['roots'] === undefined ? { roots: {} } : undefined;
  if (method === 'sampling/createMessage') {
    const { sampling } = declared;
    if (!samplesWithTools(params)) return sampling === undefined ? { sampling: {} } : undefined;
    return isObject(sampling) && sampling['tools'] !== undefined ? undefined : { sampling: { tools: {} } };
  }
  const { elicitation } = declared;
  const mode = params?.['mode'] === 'url' ? 'url' : 'form';
  if (!isObject(elicitation)) return { elicitation: { [mode]: {} } };
  const able = isObject(elicitation[mode]) || (mode === 'form' && elicitation['url'] === undefined);
  return able ? undefined : { elicitation: { [mode]: {} } };
}

/** A client that declared nothing to ask for is asked nothing: for that alone its call needs no holding. */
export function canAnswer({ clientCapabilities: declared }: CallChannel): boolean {
  return ['elicitation', 'sampling', 'roots'].some((name) => isObject(declared?.[name]));
}
