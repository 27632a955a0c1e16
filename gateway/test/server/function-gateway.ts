import type { Catalog, CatalogEntry } from '../../src/catalog/catalog.ts';
import type { Configuration } from '../../src/config/configuration.ts';
import { asToolcribError, ToolcribError } from '../../src/errors.ts';
import { createFunctionExecutor } from '../../src/executors/function/function-executor.ts';
import type { CallRequest, Change, View } from '../../src/gateway-core.ts';
import {
  type Call,
  type Connection,
  canonicalHash,
  DEFAULT_LIMITS,
  type Description,
  type Event,
  type EventBody,
  factsOf,
  LOCAL_PRINCIPAL,
  type Operation,
  type Result,
} from '../../src/operations/index.ts';
import type { GatewayAdmin } from '../../src/server/http/admin/gateway-admin.ts';
import type { FunctionSource } from '../../src/sources/function/define.ts';
import { describeFunctions } from '../../src/sources/function/describe.ts';
import { createFunctionRegistry } from '../../src/sources/function/registry.ts';
import { formFaults } from '../../src/validation/form-faults.ts';

export interface FunctionGateway extends GatewayAdmin {
  /** Serves these functions instead. */
  swap(source: FunctionSource): void;
  announce(change: Change): void;
}

/** A gateway over one function source, without the layers of the router: what the servers need, and no more. */
export function functionGateway(
  initial: FunctionSource,
  configuration: Partial<Configuration> = {},
): FunctionGateway {
  const listeners = new Set<(change: Change) => void>();
  const eventListeners = new Set<(event: Event) => void>();
  const events: Event[] = [];
  const announce = (change: Change) => {
    for (const listener of listeners) listener(change);
  };
  const record = (body: EventBody) => {
    const event = { ...body, sequence: events.length + 1, time: new Date().toISOString() } as Event;
    events.push(event);
    for (const listener of eventListeners) listener(event);
  };
  const announceOf: Parameters<typeof createFunctionRegistry>[1] = (change, source) =>
    announce(typeof change === 'string' ? change : { ...change, source });
  let served = serve(initial, announceOf);

  const request = ({ signal, channel }: Omit<CallRequest, 'tool'>) => ({
    ...(signal === undefined ? {} : { signal }),
    ...(channel === undefined ? {} : { channel }),
  });

  return {
    name: 'functions',
    version: '1.2.3',
    configuration: configuration as Configuration,
    diagnostics: () => served.view.catalog.diagnostics,
    accept: async (tool) => (tool === undefined ? [] : [tool]),
    swap(source) {
      served = serve(source, announceOf);
      announce('tools');
    },
    announce,
    view: () => served.view,
    async call(requested) {
      const entry = served.view.catalog.byTool(requested.tool);
      if (entry === undefined)
        throw new ToolcribError('tool_unknown', `There is no tool named ${requested.tool}.`);
      const call = callOf(requested, entry.load(), entry.tool.name);
      record({ type: 'call-started', ...identity(call) });
      const result = await run(call, served);
      const error = result.kind === 'completed' ? result.error : undefined;
      record({
        type: error ? 'call-failed' : 'call-completed',
        ...identity(call),
        durationMs: 1,
        ...(error ? { code: error.code } : {}),
      });
      return result;
    },
    readResource: (uri, given) => served.registry.readResource(uri, request(given)),
    getPrompt: (name, args, given) => served.registry.getPrompt(name, args, request(given)),
    complete: (question) => served.registry.complete(question),
    mayRead: async () => true,
    formFaults: async (form, content) => formFaults(form, content),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onEvent(listener) {
      eventListeners.add(listener);
      return () => eventListeners.delete(listener);
    },
    events: async (after = 0) => events.filter((event) => event.sequence > after),
  };
}

type Served = ReturnType<typeof serve>;

function serve(source: FunctionSource, announce: Parameters<typeof createFunctionRegistry>[1]) {
  const registry = createFunctionRegistry({ functions: source }, announce);
  const connection = { name: 'functions', source: 'functions', securitySchemes: {}, limits: DEFAULT_LIMITS };
  const catalog = catalogOf(describeFunctions('functions', source), connection);
  const view: View = {
    catalog,
    tools: catalog.entries,
    resources: catalog.resources,
    resourceTemplates: catalog.resourceTemplates,
    prompts: catalog.prompts,
  };
  return { registry, executor: createFunctionExecutor(registry), view, connection };
}

/** Tools as the functions declare them; the compiler has its own tests. */
function catalogOf(description: Description, connection: Connection): Catalog {
  const entries = description.operations.map(entryOf).sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  const owned = <T extends object>(items: readonly T[]) =>
    items.map((item) => ({ ...item, source: 'functions' }));
  return {
    hash: description.fingerprint,
    entries,
    byTool: (name) => entries.find((entry) => entry.tool.name === name),
    resources: owned(description.resources),
    resourceTemplates: owned(description.resourceTemplates),
    prompts: owned(description.prompts),
    skipped: [],
    diagnostics: description.diagnostics,
    sources: [
      {
        name: 'functions',
        kind: 'function',
        fingerprint: description.fingerprint,
        operations: entries.length,
      },
    ],
    connection: () => connection,
  };
}

function entryOf(operation: Operation): CatalogEntry {
  const { id, description, input, output, safety, access, title } = operation;
  return {
    name: id,
    tool: {
      name: id,
      ...(title === undefined ? {} : { title }),
      description,
      inputSchema: input,
      ...(output === undefined ? {} : { outputSchema: output }),
      annotations: {
        readOnlyHint: access === 'read',
        destructiveHint: safety.destructive,
        idempotentHint: safety.idempotent,
        openWorldHint: safety.openWorld,
      },
    },
    operation: `functions/${id}`,
    securitySchemes: {},
    source: 'functions',
    facts: factsOf(operation),
    hash: canonicalHash(operation),
    load: () => operation,
  };
}

async function run(call: Call, { executor, connection }: Served): Promise<Result> {
  try {
    const raw = await executor.execute(call, { connection, signal: call.signal, deadline: call.deadline });
    if (raw.kind === 'input_required') return raw;
    if (raw.kind !== 'value') throw new Error(`a function answered with ${raw.kind}`);
    const { content = [], structured, failed } = raw;
    const text = content[0]?.type === 'text' ? content[0].text : 'failed';
    return {
      kind: 'completed',
      content,
      ...(structured === undefined ? {} : { structured }),
      ...(failed ? { error: { code: 'upstream_failed', message: text } } : {}),
    };
  } catch (thrown) {
    const error = asToolcribError(thrown);
    if (error.code === 'capability_missing') throw error;
    const { code, message, next } = error;
    return {
      kind: 'completed',
      content: [{ type: 'text', text: `${code}: ${message}\n${next}` }],
      error: { code, message, next },
    };
  }
}

function callOf(requested: CallRequest, operation: Call['operation'], tool: string): Call {
  return {
    id: 'c0ffee',
    principal: requested.principal ?? LOCAL_PRINCIPAL,
    tool,
    operation,
    arguments: requested.arguments ?? {},
    deadline: Date.now() + 10_000,
    signal: requested.signal ?? new AbortController().signal,
    channel: requested.channel ?? {},
    dryRun: requested.dryRun ?? false,
    depth: requested.depth ?? 0,
  };
}

function identity({ id, principal, tool, operation }: Call) {
  return {
    call: id,
    principal: principal.id,
    tool,
    operation: operation.id,
    source: operation.source,
    access: operation.access,
  };
}
