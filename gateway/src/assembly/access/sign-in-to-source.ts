import type { Configuration, SourceConfiguration } from '../../config/configuration.ts';
import type { Environment } from '../../credentials/secret-reference.ts';
import { createSecretReader, type SecretReader } from '../../credentials/secret-reference.ts';
import type { ShowAddress } from '../../credentials/sign-in/browser-answer.ts';
import type { SignInRecord } from '../../credentials/sign-in/sign-in-record.ts';
import type { SignOut, SignOutTerms } from '../../credentials/sign-in/sign-out.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import type { Gateway } from '../../gateway-api.ts';
import type { Connection } from '../../operations/index.ts';
import { inTrialGateway } from '../source-desk/trial-gateway.ts';

/** The source that is meant, and how it is read. */
export interface SignInSource {
  readonly configuration: Configuration;
  readonly name: string;
  readonly source: SourceConfiguration;
  readonly env: Environment;
  /** Reads the source for its security schemes. */
  readonly open: (configuration: Configuration) => Promise<Gateway>;
  /** By its name in the document. */
  readonly scheme?: string | undefined;
}

/** Signs a person in to the service behind a source. No other source is read, and no gateway needs to run. */
export async function signInToSource(
  from: SignInSource,
  asked: { readonly onUrl: ShowAddress; readonly signal: AbortSignal },
): Promise<SignInRecord> {
  const { signInToConnection } = await import('../../credentials/sign-in/sign-in-to-connection.ts');
  return withConnection(from, (connection, parts) =>
    // nothing is logged here, and errors hold no secret
    signInToConnection(connection, { ...asked, ...parts, scheme: from.scheme, announce }),
  );
}

/** Signs a person out again, in the same way. */
export async function signOutOfSource(from: SignInSource, terms: SignOutTerms): Promise<SignOut> {
  const { signOutOfConnection } = await import('../../credentials/sign-in/sign-out-of-connection.ts');
  return withConnection(from, (connection, parts) =>
    signOutOfConnection(connection, { ...terms, ...parts, scheme: from.scheme }),
  );
}

async function withConnection<T>(
  { configuration, name, source, env, open }: SignInSource,
  use: (
    connection: Connection,
    parts: { readonly egress: Egress; readonly secrets: SecretReader },
  ) => Promise<T>,
): Promise<T> {
  const connection = await inTrialGateway(name, source, configuration, open, (gateway) =>
    connectionIn(gateway, name),
  );
  const { createEgress } = await import('../../egress/index.ts');
  const egress = createEgress(configuration.egress);
  try {
    return await use(connection, { egress, secrets: createSecretReader(env, announce) });
  } finally {
    await egress.close();
  }
}

const announce = () => undefined;

function connectionIn(gateway: Gateway, name: string): Connection {
  const connection = gateway.view().catalog.connection(name);
  if (connection !== undefined) return connection;
  const problem = gateway
    .diagnostics()
    .find(({ source, severity }) => source === name && severity === 'error');
  throw new ToolcribError(
    'source_invalid',
    `Source "${name}" cannot be read${problem === undefined ? '' : `: ${problem.message}`}`,
    problem?.pointer === undefined ? {} : { pointer: problem.pointer },
  );
}
