import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type CallRequest,
  type CompletedResult,
  createGateway,
  type Gateway,
  type GatewayOptions,
  type JsonObject,
} from '../../../src/index.ts';
import { type ArmDouble, type ArmOptions, startArm } from '../../doubles/arm/arm.ts';

export const MARK = ' ⚠️ Connection not authenticated';
/** Words of the seed for a call to a connection at which nobody is signed in; group 2 is the link. */
export const CONSENT =
  /^Connection "([^"]+)" is not authenticated\.\n\nPlease open this URL to consent:\n(\S+)\n\nAfter consenting, retry this tool call\.$/;

export interface OfficeOptions {
  readonly arm?: ArmOptions;
  /** Beside where the group is: keys of the source's `azure`. */
  readonly azure?: object;
  /** Beside `azure`: keys that every source has. */
  readonly source?: object;
  /** Other sources. */
  readonly sources?: object;
  /** Keys of the configuration beside `sources`. */
  readonly configuration?: object;
  readonly options?: GatewayOptions;
}

/** A gateway with one source of kind `azure`, `office`, at a loopback Azure. */
export interface Office {
  readonly arm: ArmDouble;
  readonly gateway: Gateway;
  readonly folder: string;
  /** How often clients were told that tools changed. */
  readonly announced: number;
  call(tool: string, args?: JsonObject, more?: Partial<CallRequest>): Promise<CompletedResult>;
  names(): string[];
  descriptionOf(tool: string): string | undefined;
  /** Resolves as soon as it holds; looked at whenever tools change. */
  until(holds: () => boolean): Promise<void>;
  /** Another gateway over the same state folder: the next start. Options count beside those of the first. */
  again(more?: OfficeOptions): Promise<Office>;
  /** Before the test ends: the gateway alone. */
  stop(): Promise<void>;
}

/** The keys of a source at this Azure. */
export const azureAt = (arm: ArmDouble, more: object = {}) => ({
  subscription: arm.subscription,
  resourceGroup: arm.resourceGroup,
  armEndpoint: arm.url,
  authentication: 'envvar',
  refresh: false,
  consentRedirectUrl: 'https://elsewhere.example/back',
  ...more,
});

/** Ends with the test. */
export async function openArm(options: ArmOptions = {}): Promise<ArmDouble> {
  const arm = await startArm({ fillerApis: 0, ...options });
  onTestFinished(() => arm.close());
  return arm;
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-azure-seed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function openOffice(options: OfficeOptions = {}, given?: ArmDouble): Promise<Office> {
  const arm = given ?? (await openArm(options.arm));
  return openAt(arm, await temporaryFolder(), options);
}

async function openAt(arm: ArmDouble, folder: string, options: OfficeOptions): Promise<Office> {
  const { azure, source, sources, configuration } = options;
  const gateway = await createGateway(
    {
      stateDirectory: join(folder, 'state'),
      // who lists once waits for all of it, however busy the machine is
      watch: false,
      ...configuration,
      sources: { office: { azure: azureAt(arm, azure), ...source }, ...sources },
    } as never,
    {
      baseDirectory: folder,
      azure: { token: async () => arm.token() },
      logger: QUIET,
      ...options.options,
    },
  );
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= gateway.close();
    return stopped;
  };
  onTestFinished(stop);
  const state = { announced: 0 };
  gateway.onChange((change) => {
    if (change === 'tools') state.announced++;
  });
  const office: Office = {
    arm,
    gateway,
    folder,
    get announced() {
      return state.announced;
    },
    async call(tool, args = {}, more = {}) {
      const result = await gateway.call({ tool, arguments: args, ...more });
      if (result.kind !== 'completed') throw new Error(`${tool} asks for input`);
      return result;
    },
    names: () => gateway.view().tools.map(({ name }) => name),
    descriptionOf: (tool) => gateway.view().tools.find(({ name }) => name === tool)?.tool.description,
    until: (holds) => untilChange(gateway, holds),
    again: (more = {}) => openAt(arm, folder, merged(options, more)),
    stop,
  };
  return office;
}

function untilChange(gateway: Gateway, holds: () => boolean): Promise<void> {
  const done = Promise.withResolvers<void>();
  const look = () => {
    if (holds()) done.resolve();
  };
  const stop = gateway.onChange(look);
  look();
  return done.promise.finally(stop);
}

function merged(first: OfficeOptions, more: OfficeOptions): OfficeOptions {
  return {
    azure: { ...first.azure, ...more.azure },
    source: { ...first.source, ...more.source },
    sources: { ...first.sources, ...more.sources },
    configuration: { ...first.configuration, ...more.configuration },
    options: { ...first.options, ...more.options },
  };
}

/** Faults of a broken Azure are what the tests are about. */
export const QUIET = {
  level: 'silent',
  error() {},
  warn() {},
  info() {},
  debug() {},
  async flush() {},
} as unknown as NonNullable<GatewayOptions['logger']>;

/** The texts of a result. */
export const textOf = ({ content }: Pick<CompletedResult, 'content'>): string =>
  content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');

export const jsonOf = (result: Pick<CompletedResult, 'content'>) => {
  const [first] = result.content;
  if (first?.type !== 'text') throw new Error('there is no text');
  return JSON.parse(first.text);
};

/** Signs in at the page behind a link, as a person's browser would. */
export async function consentAt(link: string): Promise<void> {
  const { status } = await fetch(link, { redirect: 'manual' });
  if (status !== 302) throw new Error(`the page of the consent answered ${status}`);
}

/** The link of a refused call, in the words of the seed. */
export function linkIn(text: string): string {
  const link = CONSENT.exec(text)?.[2];
  if (link === undefined) throw new Error(`these are not the words of the seed: ${text}`);
  return link;
}
