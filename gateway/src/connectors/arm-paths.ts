import { ToolcribError } from '../errors.ts';
import { decodedFully, encodeStrict } from '../executors/http/percent-encoding.ts';
import type { AzureSettings } from '../operations/index.ts';

const PROVIDER = '/providers/Microsoft.Web';
/** What Azure's portal takes as the name of an API connection. */
const CONNECTION_NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9_.()-]{0,78}[A-Za-z0-9_()-])?$/;

/** Paths of the resources of one resource group, each segment percent-encoded. */
export interface ArmPaths {
  readonly connections: string;
  /** Throws `arguments_invalid` for a name that would leave its segment. */
  connection(name: string): string;
  invoke(connection: string): string;
  managedApis(location?: string): string;
  managedApi(api: string, location?: string): string;
  customApi(api: string, resourceGroup: string): string;
}

export function armPaths({ subscription, resourceGroup, location: home }: AzureSettings): ArmPaths {
  const ofSubscription = `/subscriptions/${segment(subscription, 'subscription')}`;
  const group = (name: string) =>
    `${ofSubscription}/resourceGroups/${segment(name, 'resource group')}${PROVIDER}`;
  const connections = `${group(resourceGroup)}/connections`;
  const connection = (name: string) => `${connections}/${segment(name, 'connection')}`;
  const managedApis = (location = home) =>
    `${ofSubscription}${PROVIDER}/locations/${segment(location, 'location')}/managedApis`;
  return {
    connections,
    connection,
    invoke: (name) => `${connection(name)}/dynamicInvoke`,
    managedApis,
    managedApi: (api, location) => `${managedApis(location)}/${segment(api, 'API')}`,
    customApi: (api, of) => `${group(of)}/customApis/${segment(api, 'API')}`,
  };
}

/**
 * One path segment. What could mean another resource, also to a server that decodes more than once, is refused before
 * it is encoded.
 */
export function segment(text: string, what: string): string {
  const seen = decodedFully(text);
  const bad =
    seen === '' ||
    seen === '.' ||
    seen === '..' ||
    /[/\\\u0000-\u001f\u007f?#]/.test(seen) ||
    text.length > 260;
  if (bad || !text.isWellFormed()) {
    throw new ToolcribError(
      'arguments_invalid',
      `${JSON.stringify(text.slice(0, 80))} is no name of a ${what}.`,
    );
  }
  return encodeStrict(text);
}

/** Whether a listed name can stand in a path at all. */
export function isSegment(text: string): boolean {
  try {
    segment(text, 'resource');
    return true;
  } catch {
    return false;
  }
}

/** For names that are about to be created. Throws `arguments_invalid`. */
export function checkConnectionName(name: string): string {
  if (CONNECTION_NAME.test(name)) return name;
  throw new ToolcribError(
    'arguments_invalid',
    `${JSON.stringify(name.slice(0, 100))} is no name for a connection: letters, digits, "_", "-", "." and parentheses, at most 80.`,
    { pointer: '/connectionName' },
  );
}
