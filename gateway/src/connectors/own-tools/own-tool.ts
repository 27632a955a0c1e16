import { ToolcribError } from '../../errors.ts';
import type { ArmRequest } from '../../executors/azure/connector-room.ts';
import type { FindParameterOptions } from '../../executors/azure/parameter-options.ts';
import type { RawResult } from '../../executors/executor.ts';
import type { Call, Connection, Json, JsonObject, Operation } from '../../operations/index.ts';
import type { AzureRoom } from '../room.ts';

/** Finds the room of the source that a call goes to. Throws `source_unknown`. */
export type FindAzureRoom = (connection: Connection) => Promise<AzureRoom>;

/** What the catalog has of connectors now. */
export interface ConnectorCatalog {
  /** Tools of operations of kind `azure` that this caller may see, of all sources, by name. */
  tools(call: Call): readonly { readonly name: string; readonly operation: Operation }[];
  /** How many tools one connection of a source has. */
  count(source: string, connection: string): number;
  /** Operations of the source that could not become tools: two with one name, or a definition that waits for review. */
  skipped?(source: string): number;
}

/** One call of an own tool. */
export interface OwnCall {
  readonly call: Call;
  /** The source's account. */
  readonly connection: Connection;
  readonly args: JsonObject;
  readonly room: AzureRoom;
  readonly catalog: ConnectorCatalog;
  readonly parameterOptions: FindParameterOptions;
  readonly signal: AbortSignal;
}

export interface OwnTool {
  /** A user needs the role of an admin. */
  readonly forAdmins?: true;
  /**
   * `before`: where the connections are not known, they are listed before it runs, and why they still are not is said
   * beside its answer. `itself`: it lists them. Absent: they are listed meanwhile.
   */
  readonly list?: 'before' | 'itself';
  run(own: OwnCall): Promise<RawResult>;
  /** The first request that it would send; absent: it sends none. Throws as `run` does before sending. */
  plan?(own: OwnCall): ArmRequest;
}

/** JSON on lines of its own. `structured` where it is more, or no object by itself. */
export function answer(value: Json, structured?: JsonObject, notes: readonly string[] = []): RawResult {
  const texts = [JSON.stringify(value, null, 2), ...notes];
  const object =
    structured ?? (value !== null && typeof value === 'object' && !Array.isArray(value) ? value : undefined);
  return {
    kind: 'value',
    content: texts.map((text) => ({ type: 'text', text })),
    ...(object === undefined ? {} : { structured: object }),
  };
}

/** A text argument; undefined where it is absent. Throws `arguments_invalid`. */
export function textArgument(args: JsonObject, name: string): string | undefined {
  const value = args[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw new ToolcribError('arguments_invalid', `${name} is a text that is not empty.`, {
    pointer: `/${name}`,
  });
}

/** The connection that a call is about, within what the configuration allows. */
export function connectionArgument({ args, room }: OwnCall): string {
  const name = textArgument(args, 'connectionName');
  if (name === undefined) {
    throw new ToolcribError('arguments_invalid', 'connectionName is missing.', {
      pointer: '/connectionName',
    });
  }
  room.checkReach(name);
  return spelled(name, room);
}

/** As the connection that is there is spelled: Azure does not tell names by their case. */
export function spelled(name: string, room: Pick<AzureRoom, 'connections'>): string {
  const known = room.connections().map((connection) => connection.name);
  if (known.includes(name)) return name;
  return known.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
}
