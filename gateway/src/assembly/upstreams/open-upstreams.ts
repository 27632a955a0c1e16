import type { Configuration } from '../../config/configuration.ts';
import { createSecretReader, type Environment } from '../../credentials/secret-reference.ts';
import type { ShowAddress } from '../../credentials/sign-in/browser-answer.ts';
import type { SignOut, SignOutTerms } from '../../credentials/sign-in/sign-out.ts';
import type { Egress } from '../../egress/egress.ts';
import type { UpstreamDefinition, UpstreamEvent } from '../../operations/index.ts';
import type { Redactor } from '../../telemetry/redactor.ts';
import type { UpstreamSignIns } from '../../upstreams/oauth/upstream-oauth.ts';
import type { Upstreams } from '../../upstreams/upstreams.ts';

export interface UpstreamParts {
  /** The origins of the configured servers are allowed in it. */
  readonly egress: Egress;
  readonly redactor: Redactor;
  readonly env: Environment;
  readonly record: (event: UpstreamEvent) => void;
}

/** The room of upstream servers with its transports, sign-ins and secrets; nothing is started yet. */
export async function composeUpstreams({ egress, redactor, env, record }: UpstreamParts): Promise<Upstreams> {
  const [{ createUpstreams }, { createOpenTransport }, signIns] = await Promise.all([
    import('../../upstreams/create-upstreams.ts'),
    import('../../upstreams/transports/open-transport.ts'),
    signInsOf({ egress, redactor, env }),
  ]);
  const redact = (text: string) => redactor.redact(text);
  const openTransport = createOpenTransport({
    egress,
    secrets: secretsOf({ redactor, env }),
    signIns,
    redact,
  });
  return createUpstreams({ record, openTransport, redact });
}

export interface OneOffOptions {
  readonly env: Environment;
}

/** For one question of the command line, with a door of its own that closes with it. */
export async function openUpstreams(
  configuration: Configuration,
  { env }: OneOffOptions,
): Promise<Pick<Upstreams, 'configure' | 'list' | 'close'>> {
  const { egress, redactor } = await doorOf(configuration);
  const upstreams = await composeUpstreams({ egress, redactor, env, record: () => undefined });
  return {
    configure: (definitions) => upstreams.configure(definitions),
    list: (name, signal) => upstreams.list(name, signal),
    async close() {
      await upstreams.close();
      await egress.close();
    },
  };
}

/** Signs a person in to a remote server; its tokens go where the definition says. */
export async function signInToUpstream(
  configuration: Configuration,
  definition: UpstreamDefinition,
  options: OneOffOptions & {
    readonly onUrl: ShowAddress;
    readonly signal: AbortSignal;
    readonly timeoutMs?: number;
  },
): Promise<void> {
  const { env, ...asked } = options;
  await withSignIns(configuration, env, (signIns) => signIns.signIn(definition, asked));
}

/** Signs a person out again: the tokens are ended where they are from, then removed. */
export async function signOutOfUpstream(
  configuration: Configuration,
  definition: UpstreamDefinition,
  { env, ...terms }: OneOffOptions & SignOutTerms,
): Promise<SignOut> {
  return withSignIns(configuration, env, (signIns) => signIns.signOut(definition, terms));
}

async function withSignIns<T>(
  configuration: Configuration,
  env: Environment,
  use: (signIns: UpstreamSignIns) => Promise<T>,
): Promise<T> {
  const { egress, redactor } = await doorOf(configuration);
  try {
    return await use(await signInsOf({ egress, redactor, env }));
  } finally {
    await egress.close();
  }
}

async function doorOf({ egress }: Configuration) {
  const [{ createEgress }, { createRedactor }] = await Promise.all([
    import('../../egress/index.ts'),
    import('../../telemetry/redactor.ts'),
  ]);
  return { egress: createEgress(egress), redactor: createRedactor() };
}

function secretsOf({ redactor, env }: Pick<UpstreamParts, 'redactor' | 'env'>) {
  return createSecretReader(env, (secret) => redactor.add(secret));
}

async function signInsOf(parts: Omit<UpstreamParts, 'record'>) {
  const { createUpstreamSignIns } = await import('../../upstreams/oauth/upstream-oauth.ts');
  return createUpstreamSignIns({
    egress: parts.egress,
    secrets: secretsOf(parts),
    announce: (secret) => parts.redactor.add(secret),
  });
}
