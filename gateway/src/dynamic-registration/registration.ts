import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogEntry } from '../catalog/catalog.ts';
import { parseConfiguration } from '../config/index.ts';
import { ToolcribError } from '../errors.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../gateway.ts';
import type { CallRequest } from '../gateway-core.ts';
import { type CompletedResult, isObject, type Result } from '../operations/index.ts';

/** The resource group whose connections become tools. */
export interface ArmContext {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  /** Region of the managed APIs, e.g. `westus`. */
  readonly location: string;
}

/** What else the gateway behind the tools is given; counts at the first call for a server and a resource group. */
export interface RegistrationOptions {
  /** Another Azure Resource Manager: a sovereign cloud, a proxy. */
  readonly armEndpoint?: string;
  /** Keys of `toolcrib.yaml` beside `sources`: policy, store, stateDirectory, … */
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** Where faults go; default: standard error. */
  readonly logger?: GatewayOptions['logger'];
}

/** One resource group on one server. */
export interface DynamicRegistration {
  /** What its tools call. Throws `cancelled` once it is closed. */
  call(request: CallRequest): Promise<Result>;
  /** Tools of connectors that this process may call. */
  entries(): CatalogEntry[];
  /** What the server has, by name. */
  readonly tools: Map<string, RegisteredTool>;
  /** Lists the connections and reads every schema again; what went wrong, one sentence each. */
  scan(): Promise<string[]>;
  /** What went wrong when it was opened. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

export interface RegisteredTool {
  /** Its definition as JSON text. */
  readonly definition: string;
  /** Takes it away again; absent: the server cannot. */
  readonly remove?: () => void;
}

const SOURCE = 'azure';
/** Findings that cost tools, whatever their severity. */
const COSTLY: ReadonlySet<string> = new Set(['connector-problem', 'snapshot-unreadable', 'tool-shadowed']);

/** Starts the gateway behind the tools. Rejects with ToolcribError when the connections cannot be listed and none are known. */
export async function openRegistration(
  token: () => Promise<string>,
  { subscriptionId, resourceGroup, location }: ArmContext,
  userAgent: () => string,
  { armEndpoint, configuration = {}, logger }: RegistrationOptions,
): Promise<DynamicRegistration> {
  const azure = {
    subscription: subscriptionId,
    resourceGroup,
    location,
    refresh: false,
    ...(armEndpoint === undefined ? {} : { armEndpoint }),
  };
  const parsed = await parseConfiguration(
    // a server puts schemas of arguments into one of its own, where references would lead elsewhere
    { schemaProfile: 'no-refs', ...configuration, watch: false, sources: { [SOURCE]: { azure } } },
    { baseDirectory: process.cwd(), env: process.env },
  );
  const mayBeOld = existsSync(join(parsed.stateDirectory, SOURCE));
  const gateway = await createGateway(parsed, {
    azure: { token: () => token(), userAgent },
    ...(logger === undefined ? {} : { logger }),
  });
  let closed = false;
  try {
    // what an earlier process left is served at once
    const problems = mayBeOld ? await scan(gateway) : problemsOf(gateway);
    if (connectorTools(gateway).length === 0) await checkListing(gateway);
    return {
      async call(request) {
        if (closed) throw new ToolcribError('cancelled', 'The tools of the connections were closed.');
        return gateway.call(request);
      },
      entries: () => connectorTools(gateway),
      tools: new Map(),
      scan: () => scan(gateway),
      problems,
      close() {
        closed = true;
        return gateway.close();
      },
    };
  } catch (error) {
    await gateway.close();
    throw error;
  }
}

/** A tool as it is listed, as JSON text. */
export function definitionOf({ json, tool }: CatalogEntry): string {
  return json?.() ?? JSON.stringify(tool);
}

function connectorTools(gateway: Gateway): CatalogEntry[] {
  const { catalog } = gateway.view();
  return gateway.surface('flat').tools.flatMap(({ name }) => {
    const entry = catalog.byTool(name);
    return entry?.facts.connector === undefined ? [] : [entry];
  });
}

async function scan(gateway: Gateway): Promise<string[]> {
  const { error, structured } = await own(gateway, 'refresh_tools');
  const said = isObject(structured) ? structured['errors'] : undefined;
  const errors = Array.isArray(said) ? said.map(String) : [];
  return [...new Set([...(error === undefined ? errors : [error.message]), ...problemsOf(gateway)])];
}

/** No tools at all: a group without connections, or one that cannot be read. */
async function checkListing(gateway: Gateway): Promise<void> {
  const { error } = await own(gateway, 'list_connections');
  if (error === undefined) return;
  const { code, message, next, status } = error;
  throw new ToolcribError(code, message, {
    ...(next === undefined ? {} : { next }),
    ...(status === undefined ? {} : { status }),
  });
}

async function own(gateway: Gateway, tool: string): Promise<CompletedResult> {
  const result = await gateway.call({ tool });
  if (result.kind === 'completed') return result;
  throw new ToolcribError('internal', `${tool} asks for input.`);
}

function problemsOf(gateway: Gateway): string[] {
  return gateway
    .diagnostics()
    .filter(({ code, severity }) => severity === 'error' || COSTLY.has(code))
    .map(({ message }) => message);
}
