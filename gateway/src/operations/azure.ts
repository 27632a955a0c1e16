import type { HttpInvocation } from './invocation/http-invocation.ts';
import type { Json } from './json/json.ts';

/** How tokens for Azure Resource Manager are obtained. */
export type AzureAuthentication = 'interactive' | 'azcli' | 'env' | 'envvar';

/** One resource group whose API connections become tools; defaults filled in. */
export interface AzureSettings {
  readonly subscription: string;
  readonly resourceGroup: string;
  /** Region of managed APIs. Default `westus`. */
  readonly location: string;
  readonly authentication: AzureAuthentication;
  readonly tenant?: string;
  /** Origin of Azure Resource Manager. Default https://management.azure.com. */
  readonly armEndpoint: string;
  /** OAuth scope of tokens. Default: `<origin>/.default` of the public or sovereign cloud. */
  readonly scope: string;
  /** Origin of the sign-in service, for sovereign clouds; absent: `AZURE_AUTHORITY_HOST`, else the public one. */
  readonly authorityHost?: string;
  /** Deprecated operations without a newer revision stay. Default true. */
  readonly includeDeprecated: boolean;
  /** Tools listed for one API; the rest is reached by `<api>_discover`. Absent: all. */
  readonly maxToolsPerApi?: number;
  /** Names of the connections to serve; absent: all. */
  readonly connections?: readonly string[];
  /** `explain`: a refused value is answered with the valid ones. `check`: it is refused before it is sent. Default `explain`. */
  readonly dynamicValues: 'explain' | 'check' | 'off';
  /** Pages that one call follows where the operation is pageable. Default 10; 1: none. */
  readonly pages: number;
  /** Milliseconds after which connections are listed again; 0: never. Default 5 minutes. */
  readonly refreshMs: number;
  /** Where the browser goes after a consent. Default http://localhost:8080. */
  readonly consentRedirectUrl: string;
}

/** Whether a source serves the connection of this name; ARM's names are equal whatever their case. */
export function servesConnection({ connections }: Pick<AzureSettings, 'connections'>, name: string): boolean {
  const wanted = name.toLowerCase();
  return connections === undefined || connections.some((one) => one.toLowerCase() === wanted);
}

/** What tools of one connection begin with: its API, and its own name where that is another. */
export function connectorPrefix(api: string, connection: string): string {
  return connection === api ? api : `${api}_${connection}`;
}

/** An operation of a managed connector, sent through `dynamicInvoke` of one API connection. */
export interface AzureInvocation
  extends Omit<HttpInvocation, 'kind' | 'servers' | 'security' | 'actingUser'> {
  readonly kind: 'azure';
  /** Name of the API connection in its resource group. */
  readonly connection: string;
  /** Name of its managed API, e.g. `office365`. */
  readonly api: string;
  /** As the connector's Swagger says it, e.g. `SendEmailV2`. */
  readonly operationId: string;
  /** Nested internal values that are sent and not asked for; `withFixedValues` puts them into the arguments. */
  readonly fixed?: readonly FixedValue[];
  /** Arguments whose values another operation of the connector lists. */
  readonly choices?: readonly ParameterChoices[];
  /** Arguments whose schema another operation of the connector tells at run time. */
  readonly shapes?: readonly DynamicShape[];
  /** `x-ms-pageable`. */
  readonly pageable?: {
    /** Member of the answer that holds the address of the next page, e.g. `@odata.nextLink`. */
    readonly nextLink: string;
    /** Member that holds the rows. Default `value`. */
    readonly rows?: string;
    /** Argument that limits the rows (`$top` and its like), where there is one. */
    readonly limit?: string;
  };
}

/** A value inside an argument that the connector's description fixes. */
export interface FixedValue {
  /** JSON Pointer into the arguments; `*` stands for every item of a list. Counts where its parent is given. */
  readonly argument: string;
  readonly value: Json;
}

/** Where a parameter of a helper operation comes from; `argument` is a JSON Pointer into the call's arguments. */
export type HelperParameter =
  | { readonly value: Json }
  | { readonly argument: string }
  /** A member of the tree node that is opened (`selectedItemValuePath`). */
  | { readonly selected: string };

/** One call of a helper operation of the same connector; parameters by their names on the wire. */
export interface HelperCall {
  /** operationId; hidden operations count. */
  readonly operation: string;
  readonly parameters: Readonly<Record<string, HelperParameter>>;
}

/** `x-ms-dynamic-values`, `-list` and `-tree`. Paths are member names joined by `/`. */
export interface ParameterChoices extends HelperCall {
  /** JSON Pointer into the arguments; `*` stands for every item of a list. */
  readonly argument: string;
  readonly kind: 'values' | 'list' | 'tree';
  /** Where the rows are in the answer; absent: the answer itself. */
  readonly items?: string;
  readonly value: string;
  readonly title?: string;
  /** Trees: how a node is opened, and which rows can be opened. */
  readonly browse?: HelperCall & { readonly items?: string };
  readonly isParent?: string;
}

/** `x-ms-dynamic-schema` and `-properties` of a request. */
export interface DynamicShape extends HelperCall {
  /** JSON Pointer into the arguments; empty: the arguments themselves. */
  readonly argument: string;
  /** Where the schema is in the answer; absent: the answer itself. */
  readonly schema?: string;
}

/** The tools that a source of kind `azure` has beside those of its connections. */
export const ARM_TOOLS = [
  'list_managed_apis',
  'list_connections',
  'get_connection',
  'put_connection',
  'delete_connection',
  'get_consent_link',
  'get_parameter_options',
  'list_dynamic_tools',
  'refresh_tools',
] as const;
export type ArmTool = (typeof ARM_TOOLS)[number];

/** One of the source's own tools. */
export interface ArmInvocation {
  readonly kind: 'arm';
  readonly tool: ArmTool;
}
