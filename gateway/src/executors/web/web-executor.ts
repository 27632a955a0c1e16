import type { SecretReader } from '../../credentials/secret-reference.ts';
import type { Egress, Resolve } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { Call, Json, JsonObject, ProxySettings, WebCapability } from '../../operations/index.ts';
import type { Filters, McpToolAnswer, SearchOptions } from '../../web/provider.ts';
import { chainOf, type WebSettings } from '../../web/settings.ts';
import { createWebTools, type WebTools } from '../../web/web-tools.ts';
import type { ExecuteContext, Executor, RawResult } from '../executor.ts';
import { chunksText, pageText, searchText } from './answer-text.ts';

export interface WebExecutorOptions {
  /**
   * What the configuration holds for a source under `web:` at this moment; asked at every call, so that a provider is
   * exchanged while calls run.
   */
  readonly settings: (source: string) => unknown;
  /** The door for APIs; pages that a caller names go through one that knows nothing of the configuration. */
  readonly egress: Egress;
  readonly secrets: SecretReader;
  /** Calls a tool of a configured MCP server on behalf of a call, for providers of kind mcp. */
  readonly mcp?: (
    server: string,
    tool: string,
    args: JsonObject,
    asking: { readonly call: Call; readonly signal: AbortSignal },
  ) => Promise<McpToolAnswer>;
  /** DNS for pages, replaceable for tests. */
  readonly resolve?: Resolve;
  /** Leads to public pages. */
  readonly proxy?: () => ProxySettings | undefined;
}

export interface WebExecutor extends Executor {
  /** Ends workers, pools and doors of providers. */
  close(): Promise<void>;
}

/** Where an answer came from, for whoever frames it. */
const UNTRUSTED_META = 'toolcrib/untrusted';

/** Asks whichever provider the configuration names for the operation's capability. */
export function createWebExecutor(options: WebExecutorOptions): WebExecutor {
  const { settings, egress, secrets, mcp, resolve, proxy } = options;
  const bySource = new Map<string, WebTools>();
  const supplies = {
    egress,
    secrets,
    ...(resolve === undefined ? {} : { resolve }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(mcp === undefined
      ? {}
      : {
          mcp:
            (server: string) =>
            (
              tool: string,
              args: JsonObject,
              { signal, context }: { signal: AbortSignal; context?: unknown },
            ) =>
              mcp(server, tool, args, { call: context as Call, signal }),
        }),
  };
  const toolsOf = (source: string): WebTools => {
    const known =
      bySource.get(source) ?? createWebTools(() => settings(source) as WebSettings | undefined, supplies);
    bySource.set(source, known);
    return known;
  };

  return {
    async execute(call, context) {
      const capability = capabilityOf(call);
      if (call.dryRun) return planned(call, capability, settings(call.operation.source));
      const tools = toolsOf(call.operation.source);
      return CARRIED_OUT[capability](tools, call, context);
    },
    async close() {
      const all = [...bySource.values()];
      bySource.clear();
      await Promise.all(all.map((tools) => tools.close()));
    },
  };
}

type CarryOut = (tools: WebTools, call: Call, context: ExecuteContext) => Promise<RawResult>;

/** Arguments were validated against the operation's schema before. */
const CARRIED_OUT: Readonly<Record<WebCapability, CarryOut>> = {
  async search(tools, call, { signal, deadline }) {
    const { query, count, freshness, country, language } = call.arguments as unknown as SearchArguments;
    const own = { freshness, country, language };
    const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
    const answer = await tools.search(query, count ?? 10, { ...given, signal, deadline, context: call });
    return result(answer, searchText(answer), tools.originOf(answer.provider));
  },
  async scrape(tools, call, { signal, deadline }) {
    const answer = await tools.scrape(String(call.arguments['url']), { signal, deadline, context: call });
    return result(answer, pageText(answer), answer.finalUrl);
  },
  async retrieve(tools, call, { signal, deadline }) {
    const { query, filters, count } = call.arguments as unknown as RetrieveArguments;
    const own = { ...(count === undefined ? {} : { count }), signal, deadline, context: call };
    const answer = await tools.retrieve(query, filters ?? {}, own);
    return result(answer, chunksText(answer), tools.originOf(answer.provider));
  },
};

interface SearchArguments extends Pick<SearchOptions, 'freshness' | 'country' | 'language'> {
  readonly query: string;
  readonly count?: number;
}

interface RetrieveArguments {
  readonly query: string;
  readonly filters?: Filters;
  readonly count?: number;
}

interface Noted {
  readonly provider: string;
  readonly warnings?: readonly string[];
  readonly unavailable?: readonly { readonly provider: string; readonly reason: string }[];
}

/** Notes about the answer are ours and stand apart from what was found. */
function result(answer: Noted, text: string, origin: string | undefined): RawResult {
  const notes = [
    ...(answer.warnings ?? []),
    ...(answer.unavailable ?? []).map(({ provider, reason }) => `${provider} did not answer: ${reason}`),
  ];
  return {
    kind: 'value',
    content: [
      { type: 'text', text },
      ...(notes.length === 0 ? [] : [{ type: 'text' as const, text: `Note: ${notes.join(' ')}` }]),
    ],
    structured: answer as unknown as Json,
    meta: { [UNTRUSTED_META]: { origin: origin ?? answer.provider } },
  };
}

function capabilityOf({ operation: { invocation, id } }: Call): WebCapability {
  if (invocation.kind === 'web') return invocation.capability;
  throw new ToolcribError('internal', `${id} is no question to a web provider.`);
}

function planned(call: Call, capability: WebCapability, settings: unknown): RawResult {
  const providers = chainOf(settings, capability).map(({ provider }) => provider);
  const text = JSON.stringify({ web: capability, providers, arguments: call.arguments });
  return { kind: 'value', content: [{ type: 'text', text }] };
}
