import { ToolcribError } from '../../errors.ts';
import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { checkConnectionName } from '../arm-paths.ts';
import type { AzureRoom } from '../room.ts';
import { spelled, textArgument } from './own-tool.ts';

const PARTS = ['apiName', 'displayName', 'parameterValues', 'location'] as const;

/** Name and body of the connection to put, from either form of the arguments. Throws `arguments_invalid`. */
export function connectionToPut(
  args: JsonObject,
  room: Pick<AzureRoom, 'settings' | 'managedApiId' | 'checkReach' | 'connections'>,
): { readonly name: string; readonly body: JsonObject } {
  const { body } = args;
  const given = PARTS.filter((part) => args[part] !== undefined && args[part] !== null);
  if (body !== undefined && body !== null && given.length > 0) {
    throw invalid(`Give either body, or ${given.join(', ')}: not both.`, '/body');
  }
  const named = textArgument(args, 'connectionName');
  if (body !== undefined && body !== null) {
    if (!isObject(body)) throw invalid('body is an object: the resource of Azure Resource Manager.', '/body');
    if (named === undefined) throw invalid('connectionName is missing.', '/connectionName');
    return { name: checked(named, room), body };
  }
  const api = textArgument(args, 'apiName');
  if (api === undefined) {
    throw invalid(
      'Give connectionName and body, or apiName; `list_managed_apis` shows the names.',
      '/apiName',
    );
  }
  const name = checked(named ?? api, room);
  const location = textArgument(args, 'location') ?? room.settings.location;
  const values = args['parameterValues'];
  if (values !== undefined && values !== null && !isObject(values)) {
    throw invalid('parameterValues is an object, values by the names of the parameters.', '/parameterValues');
  }
  const properties: JsonObject = {
    displayName: textArgument(args, 'displayName') ?? name,
    api: { id: room.managedApiId(api, location) },
    ...(isObject(values) ? { parameterValues: values } : {}),
  };
  return { name, body: { location, properties } };
}

function checked(name: string, room: Pick<AzureRoom, 'checkReach' | 'connections'>): string {
  checkConnectionName(name);
  room.checkReach(name);
  return spelled(name, room);
}

/** Members of a connection's properties that hold values of parameters; Azure takes them in any case. */
const VALUES = /^(?:parameterValues|parameterValueSet|customParameterValues|alternativeParameterValues)$/i;

/** Azure does not repeat secrets; what else was put in needs no repeating either. */
export function withoutValues(resource: JsonObject): JsonObject {
  const { properties } = resource;
  if (!isObject(properties)) return resource;
  const left = Object.entries(properties).filter(([name]) => !VALUES.test(name));
  return { ...resource, properties: Object.fromEntries(left) };
}

/** The same with every value of a parameter masked: they may be keys. For dry runs. */
export function maskedBody(body: JsonObject): JsonObject {
  const { properties } = body;
  if (!isObject(properties)) return body;
  const masked = Object.entries(properties).map(([name, value]): [string, Json] => [
    name,
    VALUES.test(name) ? mask(value) : value,
  ]);
  return { ...body, properties: Object.fromEntries(masked) };
}

function mask(value: Json): Json {
  if (Array.isArray(value)) return value.map(mask);
  if (!isObject(value)) return '••••';
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mask(inner)]));
}

function invalid(message: string, pointer: string): ToolcribError {
  return new ToolcribError('arguments_invalid', message, { pointer });
}
