import { join } from 'node:path';
import { CompileCache } from '../catalog/compile-cache.ts';
import { LiveCatalog } from '../catalog/live-catalog.ts';
import type { Configuration } from '../config/configuration.ts';
import { DEFAULT_SURFACE } from '../config/settings/topology.ts';
import { DEFAULT_UNTRUSTED } from '../config/settings/untrusted.ts';
import type { Gateway, GatewayOptions } from '../gateway-api.ts';
import type { CallRequest } from '../gateway-core.ts';
import { LOCAL_PRINCIPAL, untrustedReads } from '../operations/index.ts';
import type { FunctionSource } from '../sources/function/define.ts';
import { createGovernedGrants } from './access/governed-grants.ts';
import { readableOutputs } from './access/readable-outputs.ts';
import { readableSources } from './access/readable-sources.ts';
import { createCalls } from './calling/calls.ts';
import { changeNotices } from './change-notices.ts';
import { announceSwap } from './compiling/announce-swap.ts';
import { comesBack } from './compiling/comes-back.ts';
import { createLockReview } from './compiling/lock-review.ts';
import { contextOf, sourceCompiler } from './compiling/source-compiler.ts';
import { SourceWatch } from './compiling/watch-sources.ts';
import { createLiveConfiguration } from './configuration/live-configuration.ts';
import { reachedDestinations } from './configuration/reached-destinations.ts';
import { SELF_ORIGIN } from './connections.ts';
import { createConnectorRooms } from './connectors/connector-rooms.ts';
import { createFaults } from './faults.ts';
import { faultsTold } from './faults-told.ts';
import { createGatewayEvents } from './gateway-events.ts';
import { createGatewayStore } from './gateway-store.ts';
import { lazily } from './lazily.ts';
import { lazyEgress } from './lazy-egress.ts';
import { createGatewayLists } from './listing/gateway-lists.ts';
import { createReadSecret } from './read-secret.ts';
import { createRunning } from './running.ts';
import { SelfService } from './self-service.ts';
import { createSkillSide } from './skills/skill-side.ts';
import { createRunSources } from './source-desk/run-sources.ts';
import { createStarting } from './starting.ts';
import { createReads } from './upstreams/reads.ts';
import { createUpstreamRoom, type UpstreamRoom } from './upstreams/upstream-room.ts';

export interface Composing {
  /** The whole, for whatever is asked once it is there. */
  readonly gateway: () => Gateway;
  /** Where it can be reached over HTTP, once it listens. */
  readonly address: () => string | undefined;
}

/** Every room around one configuration, none of which has begun anything yet. */
export function composeRooms(given: Configuration, options: GatewayOptions, { gateway, address }: Composing) {
  const live = createLiveConfiguration(given, options.functions ?? {});
  const runSources = createRunSources(given);
  const configuration = live.current;
  const { sources } = configuration;
  const { announce, announceGrants, onChange } = changeNotices();
  const faults = lazily(() => createFaults(options.logger));
  const report = faultsTold(
    (error, what, untold) =>
      void faults().then(
        ({ logger }) => logger.error({ err: error, ...(untold === 0 ? {} : { untold }) }, what),
        // it cannot be loaded now, as without a free file descriptor: this is not told
        () => undefined,
      ),
  );
  const store = createGatewayStore(configuration);
  const events = createGatewayEvents(store, report);
  const functions = lazily(async () => {
    const { createFunctionRegistry } = await import('../sources/function/registry.ts');
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
  const starting = createStarting((listable) => options.whileStarting?.(gateway(), listable));
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
    gateway,
    view: (principal) => gateway().view(principal),
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
    address,
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
  const { found, views } = lists;
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
    address,
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
    const { ownedArtifacts } = await import('./owned-artifacts.ts');
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
  return {
    announce,
    cache,
    calls,
    catalog,
    configuration,
    connectors,
    delivered,
    door,
    egress,
    events,
    faults,
    grants,
    lists,
    live,
    lock,
    lockChanged,
    onChange,
    openDoor,
    outputs,
    readSecret,
    reads,
    report,
    runSources,
    running,
    self,
    skillSide,
    starting,
    store,
    upstreams,
    watch,
  };
}
