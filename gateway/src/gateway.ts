import { checkSource, checkTopology } from './assembly/check-names.ts';
import { closeAll } from './assembly/close-all.ts';
import { followFiles } from './assembly/configuration/follow-files.ts';
import { createReconfigure } from './assembly/configuration/reconfigure.ts';
import { lazily } from './assembly/lazily.ts';
import { mayBeFlat } from './assembly/listing/topologies.ts';
import { keepCompiledCode } from './assembly/node-compile-cache.ts';
import { composeRooms } from './assembly/rooms.ts';
import { trialOptions } from './assembly/source-desk/trial-options.ts';
import type { Configuration } from './config/configuration.ts';
import { ToolcribError } from './errors.ts';
import type { Gateway, GatewayOptions } from './gateway-api.ts';
import { ARTIFACT_URI_PREFIX, LOCAL_PRINCIPAL } from './operations/index.ts';
import { VERSION } from './version.ts';

export type { Gateway, GatewayOptions } from './gateway-api.ts';

/**
 * One configuration with every room around it; resolves when the catalog is there. Rejects with ToolcribError when
 * no source at all could be read; a single failing source costs only its own tools.
 */
export async function createGateway(given: Configuration, options: GatewayOptions = {}): Promise<Gateway> {
  let reachedAt: string | undefined;
  const rooms = composeRooms(given, options, { gateway: () => gateway, address: () => reachedAt });
  const { configuration, live, store, events, faults, report, announce, onChange } = rooms;
  const { egress, door, openDoor, self, watch, cache, readSecret, runSources } = rooms;
  const { catalog, lock, lockChanged, grants, lists, upstreams, connectors, skillSide } = rooms;
  const { starting, running, calls, reads, outputs, delivered } = rooms;
  const { topologies, views } = lists;
  const { rooms: skills } = skillSide;
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
  let closing: Promise<void> | undefined;
  /** Calls that were open have ended, and no more begin. */
  let isClosed = false;
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
    unfollow = followFiles(configuration, {
      options,
      started: starting.started,
      review: lockChanged,
      reconfigure: gateway.reconfigure,
      faults,
      report,
    });
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
