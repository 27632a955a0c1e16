import type { Catalog } from '../../catalog/catalog.ts';
import type { OwnedPrompt } from '../../catalog/unique-names.ts';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import { passedMeta } from '../../executors/mcp/passed-meta.ts';
import type { CallRequest, GatewayCore, PromptRead, ResourceRead } from '../../gateway-core.ts';
import {
  type Completion,
  DEFAULT_LIMITS,
  type InputRequiredResult,
  type JsonObject,
  LOCAL_PRINCIPAL,
  type Principal,
  personKey,
  traceOf,
  type UntrustedRule,
} from '../../operations/index.ts';
import { isInterface, withoutInterface } from '../../operations/mcp-apps.ts';
import { isOurFailure } from '../../router/layers/taint.ts';
import type { SkillRoom } from '../../skills/room.ts';
import type { FunctionRegistry } from '../../sources/function/registry.ts';
import type {
  UpstreamPrompt,
  UpstreamRequest,
  UpstreamResource,
  Upstreams,
} from '../../upstreams/upstreams.ts';
import type { LinkedResources } from './linked-resources.ts';
import { type Readable, resourceOwners } from './resource-owners.ts';

export interface ReadsParts {
  readonly catalog: () => Catalog;
  readonly functions: () => Promise<FunctionRegistry>;
  readonly upstreams: () => Promise<Pick<Upstreams, 'read' | 'prompt' | 'complete' | 'follow'>>;
  /** Which sources this principal may read, and which skills' texts, by fresh grants. */
  readonly readable: (principal: Principal) => Promise<ReadRights>;
  readonly linked: LinkedResources;
  /** The source that has a file of a skill which is not listed. */
  readonly skillSource: (uri: string) => string | undefined;
  /** The live side of a source of skills. */
  readonly skills: (source: string) => Promise<Pick<SkillRoom, 'read' | 'get'>>;
  /** What is done to what this upstream wrote; undefined where the operator vouches for it. */
  readonly untrusted: (source: string) => UntrustedRule | undefined;
  /** What an upstream wrote goes to this caller. Throws `store_unavailable`. */
  readonly delivered?: (source: string, request: ReadRequest) => Promise<void>;
}

export interface ReadRights {
  readonly source: Readable;
  readonly skill: (skill: string) => boolean;
}

type ReadRequest = Omit<CallRequest, 'tool' | 'arguments'>;

/** Resources, prompts and completions of every source, asked of the one that owns them and may be read. */
export type Reads = Required<
  Pick<GatewayCore, 'readResource' | 'getPrompt' | 'complete' | 'follow' | 'mayRead'>
>;

export function createReads(parts: ReadsParts): Reads {
  const { catalog, functions, upstreams, readable, linked, skills, skillSource, untrusted, delivered } =
    parts;
  const isOf = (wanted: string) => (source: string) =>
    catalog().sources.some(({ name, kind }) => name === source && kind === wanted);
  const isUpstream = isOf('mcp');
  const isSkills = isOf('skills');

  /** By the lists, then by what this caller was referred to, then the one upstream that it can be. */
  const ownerOf = (uri: string, may: Readable, principal: Principal): string | undefined => {
    const owners = resourceOwners(catalog());
    const listed = owners.owner(uri, may);
    if (listed !== undefined) return listed;
    const referred = linked.source(uri, personKey(principal));
    if (referred !== undefined && may(referred)) return referred;
    const holding = skillSource(uri);
    if (holding !== undefined && may(holding)) return holding;
    const offering = owners.upstreams.filter(may);
    return offering.length === 1 ? offering[0] : undefined;
  };
  const upstreamRequest = (source: string, request: ReadRequest): UpstreamRequest => ({
    principal: personKey(request.principal ?? LOCAL_PRINCIPAL),
    signal: request.signal ?? new AbortController().signal,
    deadline: Date.now() + (catalog().connection(source)?.limits ?? DEFAULT_LIMITS).timeoutMs,
    channel: request.channel ?? {},
    repeatable: true,
    ...traceOf(request),
  });
  /** What is read of this upstream, and asked meanwhile, is cleaned as its results are. */
  const hardening = async (source: string, request: ReadRequest) => {
    const {
      hardenChannel,
      hardenCompletion,
      hardenFailure,
      hardenMeta,
      hardenPrompt,
      hardenQuestions,
      hardenResource,
    } = await import('../../results/index.ts');
    const metaOf = (meta: JsonObject | undefined) => {
      const passed = passedMeta(meta ?? {});
      return Object.keys(passed).length === 0 ? {} : { meta: hardenMeta(passed, rule) };
    };
    const rule = untrusted(source);
    const { channel } = request;
    const told = (error: unknown) => (rule === undefined ? error : hardenFailure(error, source, rule));
    return {
      request: upstreamRequest(
        source,
        rule === undefined || channel === undefined
          ? request
          : { ...request, channel: hardenChannel(channel, source, rule) },
      ),
      question: (asked: InputRequiredResult) =>
        rule === undefined ? asked : hardenQuestions(asked, source, rule),
      resource: ({ contents, meta }: UpstreamResource): UpstreamResource => ({
        contents: contents.map((part) => hardenResource(part, source, rule)),
        ...metaOf(meta),
      }),
      prompt: ({ meta, ...read }: UpstreamPrompt): UpstreamPrompt => ({
        ...hardenPrompt(read, rule),
        ...metaOf(meta),
      }),
      completion: (offered: Completion) => hardenCompletion(offered, rule),
      /** Its words go to the caller, as what it asked for would have. */
      async failure(error: unknown): Promise<never> {
        if (isOurFailure(error)) throw error;
        await delivered?.(source, request);
        throw told(error);
      },
      /** The same of a completion, which nobody reads but who types. */
      async refusal(error: unknown): Promise<never> {
        throw isOurFailure(error) ? error : told(error);
      },
    };
  };

  return {
    async readResource(uri, request): Promise<ResourceRead | InputRequiredResult> {
      const principal = request.principal ?? LOCAL_PRINCIPAL;
      const { source: may, skill: mayHave } = await readable(principal);
      const owner = ownerOf(uri, may, principal);
      if (owner !== undefined && isUpstream(owner) && isInterface(uri)) throw unknownResource(uri);
      if (owner !== undefined && isSkills(owner)) {
        const { readSkillResource, skillIn } = await import('../skills/skill-reads.ts');
        if (!mayHave(skillIn(uri))) throw unknownResource(uri);
        return readSkillResource(await skills(owner), uri);
      }
      if (owner === undefined || !isUpstream(owner)) {
        return (await functions()).readResource(uri, functionRequest(request), may);
      }
      const hardened = await hardening(owner, request);
      const read = await (await upstreams()).read(owner, uri, hardened.request).catch((error: unknown) => {
        if (isToolcribError(error) && error.code === 'resource_unknown') throw unknownResource(uri, error);
        return hardened.failure(error);
      });
      if ('kind' in read) return hardened.question(read);
      await delivered?.(owner, request);
      const { contents, ...beside } = hardened.resource(read);
      if (contents.length === 0 && !resourceOwners(catalog()).lists(uri, owner)) throw unknownResource(uri);
      return { ...resourceRead(uri, contents), ...beside };
    },
    async getPrompt(name, args, request): Promise<PromptRead | InputRequiredResult> {
      const { principal = LOCAL_PRINCIPAL } = request;
      const { source: may, skill: mayHave } = await readable(principal);
      const prompt = promptOf(catalog(), name, may);
      if (prompt !== undefined && isSkills(prompt.source)) {
        const { getSkillPrompt, unknownPrompt } = await import('../skills/skill-reads.ts');
        const skill = prompt.original ?? name;
        if (!mayHave(skill)) throw unknownPrompt(name);
        return getSkillPrompt(await skills(prompt.source), skill);
      }
      if (prompt === undefined || !isUpstream(prompt.source)) {
        return (await functions()).getPrompt(prompt?.original ?? name, args, functionRequest(request), may);
      }
      requireArguments(prompt, args);
      const { source, original = name } = prompt;
      const hardened = await hardening(source, request);
      const read = await (await upstreams())
        .prompt(source, original, args, hardened.request)
        .catch(hardened.failure);
      if ('kind' in read) return hardened.question(read);
      await delivered?.(source, request);
      const messages = read.messages.map((one) => ({ ...one, content: withoutInterface(one.content) }));
      return { kind: 'prompt', ...hardened.prompt({ ...read, messages }) };
    },
    async complete(question, request): Promise<Completion> {
      const { reference } = question;
      const { principal = LOCAL_PRINCIPAL } = request;
      const { source: may } = await readable(principal);
      const prompt = 'prompt' in reference ? promptOf(catalog(), reference.prompt, may) : undefined;
      const owner =
        'prompt' in reference
          ? prompt?.source
          : (resourceOwners(catalog()).templateOwner(reference.template, may) ??
            ownerOf(reference.template, may, principal));
      if (owner !== undefined && isSkills(owner)) return { values: [], total: 0 };
      if (owner === undefined || !isUpstream(owner)) {
        return (await functions()).complete(question, may);
      }
      const asked = prompt === undefined ? reference : { prompt: prompt.original ?? prompt.name };
      const hardened = await hardening(owner, request);
      const offered = await (await upstreams())
        .complete(owner, { ...question, reference: asked }, hardened.request)
        .catch(hardened.refusal);
      return hardened.completion(offered);
    },
    async follow(uri, principal = LOCAL_PRINCIPAL) {
      const owner = ownerOf(uri, (await readable(principal)).source, principal);
      if (owner === undefined || !isUpstream(owner)) return () => undefined;
      return (await upstreams()).follow(owner, uri);
    },
    async mayRead(source, principal = LOCAL_PRINCIPAL) {
      try {
        return (await readable(principal)).source(source);
      } catch (error) {
        if (isToolcribError(error) && error.code === 'unauthorized') return false;
        throw error;
      }
    },
  };
}

function promptOf(catalog: Catalog, name: string, may: Readable): OwnedPrompt | undefined {
  return catalog.prompts.find((prompt) => prompt.name === name && may(prompt.source));
}

function requireArguments({ name, arguments: expected = [] }: OwnedPrompt, args: object): void {
  const missing = expected.find(
    (argument) => argument.required === true && !Object.hasOwn(args, argument.name),
  );
  if (missing === undefined) return;
  throw new ToolcribError('arguments_invalid', `Prompt ${name} needs the argument ${missing.name}.`, {
    pointer: `/${missing.name}`,
  });
}

/** What is listed may be empty, an empty folder say; elsewhere an answer without any part means that there is nothing. */
function resourceRead(uri: string, contents: UpstreamResource['contents']): ResourceRead {
  const [first] = contents;
  if (first === undefined) return { kind: 'resource', uri, contents: { text: '' }, parts: [] };
  const plain = contents.length === 1 && first.uri === uri;
  return { kind: 'resource', uri, contents: first, ...(plain ? {} : { parts: contents }) };
}

/** 2026-07-28 asks for the address. */
function unknownResource(uri: string, cause?: unknown): ToolcribError {
  return new ToolcribError('resource_unknown', `There is no resource ${uri.slice(0, 512)}.`, {
    details: { uri },
    cause,
  });
}

function functionRequest({ signal, channel }: ReadRequest) {
  return {
    id: crypto.randomUUID().replaceAll('-', ''),
    signal: signal ?? new AbortController().signal,
    channel: channel ?? {},
  };
}
