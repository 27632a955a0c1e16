import { join } from 'node:path';
import { createGovernedGrants } from './assembly/access/governed-grants.ts';
import { readableOutputs } from './assembly/access/readable-outputs.ts';
import { readableSources } from './assembly/access/readable-sources.ts';
import { createCalls } from './assembly/calling/calls.ts';
import { changeNotices } from './assembly/change-notices.ts';
import { checkSource, checkTopology } from './assembly/check-names.ts';
import { closeAll } from './assembly/close-all.ts';
import { announceSwap } from './assembly/compiling/announce-swap.ts';
import { comesBack } from './assembly/compiling/comes-back.ts';
import { followLock } from './assembly/compiling/follow-lock.ts';
import { createLockReview } from './assembly/compiling/lock-review.ts';
import { contextOf, sourceCompiler, withFunctions } from './assembly/compiling/source-compiler.ts';
import { SourceWatch } from './assembly/compiling/watch-sources.ts';
import { followConfiguration } from './assembly/configuration/follow-configuration.ts';
import { createLiveConfiguration } from './assembly/configuration/live-configuration.ts';
import { reachedDestinations } from './assembly/configuration/reached-destinations.ts';
import { createReconfigure } from './assembly/configuration/reconfigure.ts';
import { SELF_ORIGIN } from './assembly/connections.ts';
import { createConnectorRooms } from './assembly/connectors/connector-rooms.ts';
import { createFaults } from './assembly/faults.ts';
import { createGatewayEvents } from './assembly/gateway-events.ts';
import { createGatewayStore } from './assembly/gateway-store.ts';
import { lazily } from './assembly/lazily.ts';
import { lazyEgress } from './assembly/lazy-egress.ts';
import { createGatewayLists } from './assembly/listing/gateway-lists.ts';
import { mayBeFlat } from './assembly/listing/topologies.ts';
import { keepCompiledCode } from './assembly/node-compile-cache.ts';
import { createReadSecret } from './assembly/read-secret.ts';
import { createRunning } from './assembly/running.ts';
import { SelfService } from './assembly/self-service.ts';
import { createSkillSide } from './assembly/skills/skill-side.ts';
import { createRunSources } from './assembly/source-desk/run-sources.ts';
import { trialOptions } from './assembly/source-desk/trial-options.ts';
import { createStarting } from './assembly/starting.ts';
import { createReads } from './assembly/upstreams/reads.ts';
import { createUpstreamRoom, type UpstreamRoom } from './assembly/upstreams/upstream-room.ts';
import { CompileCache } from './catalog/compile-cache.ts';
import { LiveCatalog } from './catalog/live-catalog.ts';
import type { Configuration } from './config/configuration.ts';
import { DEFAULT_SURFACE } from './config/settings/topology.ts';
import { DEFAULT_UNTRUSTED } from './config/settings/untrusted.ts';
import { ToolcribError } from './errors.ts';
import type { Gateway, GatewayOptions } from './gateway-api.ts';
import type { CallRequest } from './gateway-core.ts';
import { ARTIFACT_URI_PREFIX, LOCAL_PRINCIPAL, untrustedReads } from './operations/index.ts';
import type { FunctionSource } from './sources/function/define.ts';
import { VERSION } from './version.ts';

export type { Gateway, GatewayOptions } from './gateway-api.ts';

/**
 * Composes every room around one configuration and resolves when the catalog is there. Rejects with
 * ToolcribError when no source at all could be read; a single failing source costs only its own tools.
 */
export async function createGateway(given: Configuration, options: GatewayOptions = {}): Promise<Gateway> {
  const live = createLiveConfiguration(given, options.functions ?? {});
  const runSources = createRunSources(given);
  const configuration = live.current;
  const { sources } = configuration;
  const { announce, announceGrants, onChange } = changeNotices();
  const faults = lazily(() => createFaults(options.logger));
  const report = (error: unknown, what: string) =>
    void faults().then(
      ({ logger }) => logger.error({ err: error }, what),
      // it cannot be loaded now, as without a free file descriptor: this is not told
      () => undefined,
    );
  const store = createGatewayStore(configuration);
  const events = createGatewayEvents(store, (error) => report(error, 'An event could not be recorded.'));
  const functions = lazily(async () => {
    const { createFunctionRegistry } = await import('./sources/function/registry.ts');
    return createFunctionRegistry(options.functions ?? {}, (change, source) =>
      announce(typeof change === 'string' ? change : { resource: change.resource, source }),
    );
  });
  const self = new SelfService((source) => sources[source]?.kind === 'self');
  const door = lazyEgress({
    ...configuration.egress,
    local: { [SELF_ORIGIN]: (request, outgoing) => self.exchange(request, outgoing.context) },
  });
  const egress = options.egress ?? door;
  const openDoor = () => door.change(reachedDestinations(live.current, catalog.current));
  const watch = new SourceWatch((source) => void catalog.refresh(source).then(openDoor, () => undefined));
  const cache = configuration.cache
    ? new CompileCache(join(configuration.stateDirectory, 'cache'))
    : undefined;
  const starting = createStarting((listable) => options.whileStarting?.(gateway, listable));
  const connectors = createConnectorRooms({
    configuration: () => live.current,
    catalog: () => catalog.current,
    grants: { known: (principal) => grants.known(principal) },
    egress,
    faults,
    refresh: (source) => catalog.refresh(source),
    report,
    options: options.azure,
  });
  const readSecret = createReadSecret(faults);
  const skillSide = createSkillSide({
    configuration: () => live.current,
    catalog: () => catalog.built,
    egress,
    refresh: (source) => catalog.refresh(source),
    record: events.note,
    report,
    grants: {
      known: (principal) => grants.known(principal),
      fresh: (principal, source) => grants.fresh(principal, source),
      onChange: (listener) => grants.onChange(listener),
    },
    chosen: {
      chosenSkill: (principal, conversation) => found.chosenSkill(principal, conversation),
      chooseSkill: (principal, conversation, skill) => found.chooseSkill(principal, conversation, skill),
    },
    gateway: () => gateway,
    view: (principal) => gateway.view(principal),
    readSecret,
  });
  const { rooms: skills } = skillSide;
  const compilation = {
    ...options,
    connectors,
    skills,
    busyElsewhere: starting.idle,
    register: async (source: string, code: FunctionSource) => (await functions()).replace(source, code),
    describeUpstream: (...asked: Parameters<UpstreamRoom['describe']>) => upstreams.describe(...asked),
    readSecret,
  };
  const { compile, reconnect } = sourceCompiler(() => live.current, compilation, egress, watch, cache);
  const lock = createLockReview(configuration.lock, events.note, () => Object.keys(sources));
  const catalog = new LiveCatalog({
    sources: () => Object.keys(sources),
    heals: (name, error) => comesBack(sources[name], error),
    context: () => contextOf(live.current),
    compile,
    reconnect,
    review: lock.review,
    record: events.note,
    changed(changes, swapped) {
      announceSwap(changes, swapped, events.note, announce);
      skills.catalogChanged();
      running.catalogChanged();
    },
  });
  let reachedAt: string | undefined;
  const running = createRunning({
    configuration,
    policy: () => live.current.policy,
    store,
    events,
    catalog,
    egress,
    readSecret,
    announceGrants,
    report,
    faults,
    calls: () => calls,
    address: () => reachedAt,
    readStore: () => found.open(),
  });
  const grants = createGovernedGrants(running.grants, {
    configuration: () => live.current,
    catalog,
    egress,
    store,
    faults,
    record: async (event) => events.append(event),
  });
  grants.onChange(announceGrants);
  const lists = createGatewayLists({
    started: configuration,
    configuration: () => live.current,
    catalog,
    grants,
    store,
    egress,
    faults,
    brought: options,
    skills: skillSide.selections.of,
    announce,
    report,
  });
  const { found, topologies, views } = lists;
  const upstreams = createUpstreamRoom({
    configuration: () => live.current,
    egress,
    faults,
    record: events.note,
    refresh: (source) => catalog.refresh(source),
    announce,
    report,
  });
  const calls = createCalls({
    configuration: () => live.current,
    started: starting.started,
    catalog,
    egress,
    store,
    events,
    faults,
    functions,
    grants,
    upstreams: upstreams.executor,
    connectors,
    skills: skills.executor,
    skillSelection: skillSide.selections,
    isolated: skills.isolated,
    skillsReady: skills.ready,
    views,
    activate: (principal, operations) =>
      found.activate(principal, operations, (live.current.surface ?? DEFAULT_SURFACE).options.maxToolsPerApi),
    address: () => reachedAt,
    doubt: grants.doubt,
  });
  const delivered = async (
    source: string,
    { principal = LOCAL_PRINCIPAL, run }: Pick<CallRequest, 'principal' | 'run'>,
  ) => {
    if (live.current.policy.taint === undefined) return;
    await (await calls.onion()).delivered(source, { principal, ...(run === undefined ? {} : { run }) });
  };
  const outputs = async (reader: Pick<CallRequest, 'principal' | 'run'>) => {
    const { principal = LOCAL_PRINCIPAL } = reader;
    const { ownedArtifacts } = await import('./assembly/owned-artifacts.ts');
    return ownedArtifacts(await calls.artifacts(), principal, {
      readable: async () => readableOutputs(catalog.current, await grants.fresh(principal)),
      delivered: (source) => delivered(source, reader),
    });
  };
  const reads = createReads({
    catalog: () => catalog.current,
    functions,
    upstreams: upstreams.open,
    async readable(principal) {
      const held = await grants.fresh(principal);
      return { source: readableSources(held), skill: skillSide.selections.mayRead(held) };
    },
    linked: upstreams.linked,
    skills: skillSide.freshRoom,
    skillSource: skillSide.sourceOf,
    untrusted: (source) => untrustedReads(live.current.output.untrusted ?? DEFAULT_UNTRUSTED, source),
    delivered,
  });
  const lockChanged = async () => {
    await catalog.review();
    running.catalogChanged();
  };
  const httpServer = lazily(async () => {
    await topologies.load();
    const { openHttpServer } = await import('./assembly/open-http-server.ts');
    return openHttpServer({
      readSecret,
      configuration,
      gateway,
      catalog,
      grants,
      egress,
      store: store.open,
      running,
      calls,
      report,
      live,
      skillFault: skillSide.fault,
      record: events.note,
      consoleFolder: options.consoleFolder,
      inspection: { views, count: lists.count, isolated: skills.isolated },
      desk: {
        configuration: () => live.current,
        catalog,
        lock,
        upstreams: upstreams.states,
        runSources,
        reload: options.reload,
        openTrial: (trial) => createGateway(trial, trialOptions(options)),
        brought: options,
      },
    });
  });

  const explaining = { configuration: () => live.current, isolated: skills.isolated };
  const gateway: Gateway = {
    name: configuration.name,
    version: VERSION,
    get configuration() {
      return live.current;
    },
    view: (principal = LOCAL_PRINCIPAL, client) => views(catalog.current, grants.known(principal), client),
    surface(topology, principal = LOCAL_PRINCIPAL) {
      checkTopology(topology, options.topologies);
      const view = views(catalog.current, grants.known(principal), { topology });
      return { tools: view.tools, topologies: view.topologies };
    },
    async call(request) {
      if (isClosed)
        throw new ToolcribError('cancelled', 'This gateway is closed; nothing was sent.', {
          next: 'Make another one.',
        });
      const { router } = await calls.onion();
      const changed = skills.freshen(request.tool);
      if (changed !== undefined) await changed;
      return router.call(request);
    },
    freshen: () => skills.freshen(),
    get skillEntries() {
      return skillSide.entries();
    },
    skills: skillSide.skills,
    chat: skillSide.chat,
    async readResource(uri, request) {
      if (!uri.startsWith(ARTIFACT_URI_PREFIX)) return reads.readResource(uri, request);
      const { readArtifact } = await import('./assembly/read-artifact.ts');
      return readArtifact(uri, await outputs(request));
    },
    artifacts: (principal) => outputs(principal === undefined ? {} : { principal }),
    getPrompt: reads.getPrompt,
    complete: reads.complete,
    follow: reads.follow,
    mayRead: reads.mayRead,
    approvals: calls.approvals,
    tasks: { policy: () => live.current.tasks, open: calls.tasks, delivered },
    requestKey: async () => (await calls.approvals()).requestKey(),
    async formFaults(form, content) {
      const { formFaults } = await import('./validation/form-faults.ts');
      return formFaults(form, content);
    },
    onChange,
    onEvent: events.subscribe,
    onNews: events.onNews,
    events: events.list,
    diagnostics: () => catalog.current.diagnostics,
    costs: (principal = LOCAL_PRINCIPAL) => lists.costs(principal),
    async search(query, principal = LOCAL_PRINCIPAL) {
      const { searchOperations } = await import('./assembly/listing/search-operations.ts');
      const { current } = catalog;
      return searchOperations(current, await grants.fresh(principal), lists.search(current), query);
    },
    async refresh(source) {
      if (source !== undefined) checkSource(source, Object.keys(live.current.sources));
      await catalog.refresh(source);
    },
    reconfigure: createReconfigure({
      live,
      runSources,
      lists,
      rooms: [upstreams, connectors, skills],
      grants,
      catalog,
      watch,
      openDoor,
      note: events.note,
      announce,
    }),
    async accept(tool) {
      const accepted = await lock.accept(catalog.current, tool);
      await lockChanged();
      return accepted;
    },
    async reject(tool, reason) {
      await lock.reject(catalog.current, tool, reason);
      await lockChanged();
    },
    async explain(tool, principal = LOCAL_PRINCIPAL) {
      const { explainFor } = await import('./assembly/access/explained.ts');
      await skills.ready();
      return explainFor(explaining, catalog.current, await grants.fresh(principal), tool);
    },
    async agreements(principal = LOCAL_PRINCIPAL) {
      const { agreementsFor } = await import('./assembly/access/explained.ts');
      await skills.ready();
      return agreementsFor(explaining, catalog.current, await grants.fresh(principal));
    },
    fetch: async (request) => (await httpServer()).fetch(request),
    async listen(address) {
      // without these every call is refused: better known now than at the first
      await Promise.all([store.open(), calls.measurable()]);
      const listening = await (await httpServer()).listen(address);
      reachedAt = new URL(listening.url).origin;
      running.open();
      return listening;
    },
    async serveStdio(serving = {}) {
      const { serveStdio } = await import('./server/mcp/stdio/serve-stdio.ts');
      await serveStdio(gateway, {
        ...serving,
        later() {
          running.open();
          calls.measurable().catch((error) => report(error, 'Calls cannot be exported.'));
          topologies.load().catch((error) => report(error, 'Topologies could not be loaded.'));
          keepCompiledCode();
        },
      });
    },
    close: () => {
      closing ??= closeAll([
        () => unfollow?.(),
        () => unfollowLock?.(),
        () => watch.close(),
        async () => (await httpServer.made?.catch(() => undefined))?.close(),
        () => {
          isClosed = true;
        },
        () => catalog.close(),
        () => calls.close(),
        () => grants.close(),
        () => lists.close(),
        () => connectors.close(),
        () => skills.close(),
        () => upstreams.close(),
        () => cache?.settled(),
        () => running.close(),
        () => egress.close(),
        () => door.close(),
      ]);
      return closing;
    },
  };
  self.connect(httpServer);
  let unfollow: (() => void) | undefined;
  let unfollowLock: (() => void) | undefined;
  let closing: Promise<void> | undefined;
  /** Calls that were open have ended, and no more begin. */
  let isClosed = false;
  const follow = () => {
    const { file, presetFiles, watch: watching } = configuration;
    if (watching)
      unfollowLock = followLock(configuration.lock, {
        started: starting.started,
        review: lockChanged,
        report,
      });
    if (file === undefined || !watching || options.reload === undefined) return;
    const { reconfigure } = gateway;
    unfollow = followConfiguration({
      file,
      presetFiles,
      read: options.reload,
      started: starting.started,
      isEmpty: (next) =>
        Object.keys(sources).length > 0 &&
        Object.keys(withFunctions(next.sources, options.functions ?? {})).length === 0,
      reconfigure,
      faults,
      report,
    });
  };
  /** What a view needs beside the catalog. */
  const beside = async () => {
    await Promise.all([lists.open(), grants.open()]);
    await running.team();
    await grants.ask(readable.promise);
    if (!mayBeFlat(live.current) || gateway.view().topologies?.some(({ warning }) => warning !== undefined))
      await topologies.load();
  };
  /** Services are asked for roles where their operations can be read, since these say where they are. */
  const readable = Promise.withResolvers<void>();
  try {
    follow();
    await catalog.start(() => starting.listed(beside()));
    readable.resolve();
    skills.catalogChanged();
    await beside();
    // on standard input and output the first list need not wait for what `flat` does without
    if (options.whileStarting === undefined) await topologies.load();
    starting.done();
  } catch (error) {
    starting.failed(error);
    await gateway.close();
    throw error;
  }
  return gateway;
}
