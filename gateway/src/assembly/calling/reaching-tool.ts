import type { Catalog } from '../../catalog/catalog.ts';
import type { LiveCatalog } from '../../catalog/live-catalog.ts';
import { ToolcribError } from '../../errors.ts';
import type { CallRequest } from '../../gateway-core.ts';
import type {
  ClientFacts,
  CompletedResult,
  GrantSource,
  Operation,
  Principal,
  ResolvedCall,
  ShapedCall,
  StoredQuery,
} from '../../operations/index.ts';
import { closeToIt } from '../../operations/text/nearest-name.ts';
import { checkArguments } from '../../router/layers/validate-arguments.ts';
import type { ReachingTool } from '../../router/router.ts';
import { describeArguments } from '../../topology/calling/index.ts';
import type { GenericTool } from '../../topology/generic/generic-tools.ts';
import type { Resolution, ToolContext, TopologyTool } from '../../topology/topology.ts';
import type { Validator } from '../../validation/validator.ts';
import type { ComputedView, Views } from '../listing/views.ts';
import type { ShownHints } from './shown-hints.ts';

export interface ReachingParts {
  readonly catalog: LiveCatalog;
  readonly grants: GrantSource;
  readonly views: Views;
  readonly validator: Validator;
  readonly shown: ShownHints;
  /** Adds operations to the principal's own list. */
  readonly activate: (principal: Principal, operations: readonly string[]) => Promise<boolean>;
  /** Whose tools a conversation sees from now on; gives the skill that counts. */
  readonly selectSkill: (
    principal: Principal,
    client: ClientFacts | undefined,
    skill: string | undefined,
  ) => Promise<string | undefined>;
  readonly queryStored: (principal: Principal, query: StoredQuery, run?: string) => Promise<CompletedResult>;
  /** A call as the configuration wants it shaped; undefined: as it is. */
  readonly shapedBy: (shaped: ShapedCall, operation: Operation) => ShapedCall | undefined;
}

/** Source of events about what the gateway answers itself. */
export const OWN_SOURCE = 'toolcrib';

/** Names that clients know of other servers. */
const ALIASES: Readonly<Record<string, string>> = Object.freeze({ search_last_result: 'query_result' });

/**
 * The tool of a topology that a call names, by the caller's rights as they are now; undefined where it names none. What
 * is known of the caller may be older, so that a name that nothing has is looked for among what it may do now.
 */
export function createReaching(parts: ReachingParts) {
  const { catalog, grants, views, validator } = parts;
  return (request: CallRequest, principal: Principal): Promise<ReachingTool | undefined> | undefined => {
    const { tool: asked, client } = request;
    const known = nameIn(views(catalog.current, grants.known(principal), client), asked, catalog.current);
    if (known === undefined && catalog.current.byTool(asked) !== undefined) return undefined;
    return Promise.resolve(grants.fresh(principal)).then((fresh) => {
      const view = views(catalog.current, fresh, client);
      const name = known ?? nameIn(view, asked, catalog.current);
      if (name === undefined) {
        if (catalog.current.byTool(asked) !== undefined) return undefined;
        throw unknownTool(asked, view);
      }
      const tool = view.own.get(name);
      if (tool === undefined)
        throw new ToolcribError('tool_unknown', `There is no tool named ${name.slice(0, 128)} any more.`);
      return 'first' in tool
        ? genericReaching(tool, validator)
        : ownReaching(tool, contextOf(parts, principal, request), parts);
    });
  };
}

/** With the nearest names of those that the caller is offered: of others nothing is told. */
function unknownTool(asked: string, { tools }: ComputedView): ToolcribError {
  const close = closeToIt(
    asked,
    tools.map(({ tool }) => tool.name),
  );
  return new ToolcribError(
    'tool_unknown',
    `There is no tool named ${asked.slice(0, 128)}.${close}`,
    close === '' ? {} : { next: 'Call one of the tools that are offered, by its exact name.' },
  );
}

/** An operation that is called as an alias is itself. */
function nameIn(
  { own }: ComputedView,
  asked: string,
  { byTool }: Pick<Catalog, 'byTool'>,
): string | undefined {
  if (own.size === 0 || own.has(asked)) return own.size === 0 ? undefined : asked;
  if (byTool(asked) !== undefined) return undefined;
  const alias = Object.hasOwn(ALIASES, asked) ? ALIASES[asked] : undefined;
  return alias !== undefined && own.has(alias) ? alias : undefined;
}

/** Its own arguments are checked before they become an operation's. */
function genericReaching(tool: GenericTool, validator: Validator): ReachingTool {
  return {
    name: tool.name,
    operation: tool.first(),
    async resolve(args) {
      await validator.ready();
      checkArguments(validator, tool.tool.inputSchema, args, tool.name);
      return tool.resolve(args);
    },
  };
}

function ownReaching(
  tool: TopologyTool,
  context: (signal: AbortSignal) => ToolContext,
  { validator, shapedBy }: ReachingParts,
): ReachingTool {
  return {
    name: tool.name,
    operation: ownOperation(tool),
    isOwn: true,
    async resolve(args, signal) {
      await validator.ready();
      const problem = await tool.advise?.(args, context(signal));
      if (problem !== undefined) throw problem;
      checkArguments(validator, tool.tool.inputSchema, args, tool.name);
      return outcome(await tool.resolve(args, context(signal)), shapedBy);
    },
    explain: describeArguments,
  };
}

function outcome(
  resolution: Resolution,
  shapedBy: ReachingParts['shapedBy'],
): ResolvedCall | CompletedResult {
  if (!('kind' in resolution)) {
    const { shaped, ...plain } = resolution;
    const configured = shaped && shapedBy(shaped, resolution.operation);
    return configured === undefined ? plain : { ...plain, shaped: configured };
  }
  if (resolution.kind === 'result') return resolution.result;
  const { text, structured } = resolution;
  return {
    kind: 'completed',
    content: [{ type: 'text', text }],
    ...(structured === undefined ? {} : { structured }),
  };
}

function contextOf(
  { shown, activate, queryStored, selectSkill }: ReachingParts,
  principal: Principal,
  { client = {}, run, dryRun }: CallRequest,
): (signal: AbortSignal) => ToolContext {
  const conversation = JSON.stringify([principal.id, client.session ?? client.name ?? '']);
  return (signal) => ({
    signal,
    firstShown: (operation) => shown.first(conversation, operation),
    activate: async (operations) =>
      client.followsLists === true && dryRun !== true && activate(principal, operations),
    ...(dryRun === true ? {} : { selectSkill: (skill) => selectSkill(principal, client, skill) }),
    queryStored: (query) => queryStored(principal, query, run),
  });
}

/** What the gateway answers itself is recorded as a call of this. */
function ownOperation({ name, tool }: TopologyTool): Operation {
  return {
    id: name,
    source: OWN_SOURCE,
    description: tool.description,
    input: tool.inputSchema,
    access: 'read',
    tags: [],
    safety: { network: false, file: false, destructive: false, idempotent: true, openWorld: false },
    invocation: { kind: 'function', function: name },
  };
}
