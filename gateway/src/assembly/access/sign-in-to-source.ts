import type { Configuration, SourceConfiguration } from '../../config/configuration.ts';
import type { Environment } from '../../credentials/secret-reference.ts';
import { createSecretReader } from '../../credentials/secret-reference.ts';
import type { ShowAddress } from '../../credentials/sign-in/browser-answer.ts';
import type { SignInRecord } from '../../credentials/sign-in/sign-in-record.ts';
import { ToolcribError } from '../../errors.ts';
import type { Gateway } from '../../gateway-api.ts';
import type { Connection } from '../../operations/index.ts';
import { inTrialGateway } from '../source-desk/trial-gateway.ts';

export interface SourceSignIn {
  readonly env: Environment;
  /** Reads the source for its security schemes. */
  readonly open: (configuration: Configuration) => Promise<Gateway>;
  /** By its name in the document. */
  readonly scheme?: string | undefined;
  readonly onUrl: ShowAddress;
  readonly signal: AbortSignal;
}

/** Signs a person in to the service behind a source. No other source is read, and no gateway needs to run. */
export async function signInToSource(
  configuration: Configuration,
  name: string,
  source: SourceConfiguration,
  { env, open, ...asked }: SourceSignIn,
): Promise<SignInRecord> {
  const connection = await inTrialGateway(name, source, configuration, open, (gateway) =>
    connectionIn(gateway, name),
  );
  const [{ createEgress }, { signInToConnection }] = await Promise.all([
    import('../../egress/index.ts'),
    import('../../credentials/sign-in/sign-in-to-connection.ts'),
  ]);
  const egress = createEgress(configuration.egress);
  // nothing is logged here, and errors hold no secret
  const announce = () => undefined;
  try {
    const secrets = createSecretReader(env, announce);
    return await signInToConnection(connection, { ...asked, egress, secrets, announce });
  } finally {
    await egress.close();
  }
}

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
