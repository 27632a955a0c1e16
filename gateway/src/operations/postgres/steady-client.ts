import type { Client, ClientConfig } from 'pg';
import { type ErrorCode, ToolcribError } from '../../errors.ts';

type MadeClient = new (config?: ClientConfig) => Client;

/** Of which address ("the address of the store"), and the code of a file that cannot be read. */
interface Failing {
  readonly name: string;
  readonly code: ErrorCode;
}

/**
 * The driver's client, but for one whose files of certificates cannot be read: the driver reads them while it makes a
 * client, and its pool makes some where nobody hears an error, which would end the process. Here connecting fails.
 */
export function steadyClient(Made: MadeClient, { name, code }: Failing): MadeClient {
  return function SteadyClient(config?: ClientConfig): Client {
    try {
      return new Made(config);
    } catch (error) {
      return unconnectable(new Made({ ssl: false }), fileFault(error, name, code));
    }
  } as unknown as MadeClient;
}

function unconnectable(client: Client, error: Error): Client {
  const connect = (done?: (error: Error) => void) => {
    if (done === undefined) return Promise.reject(error);
    process.nextTick(done, error);
    return undefined;
  };
  return Object.assign(client, { connect: connect as Client['connect'] });
}

function fileFault(error: unknown, name: string, code: ErrorCode): Error {
  const { syscall, code: why, path } = error as NodeJS.ErrnoException;
  if (syscall === undefined || path === undefined) return error as Error;
  return new ToolcribError(code, `A file that ${name} names cannot be read: ${why}.`, {
    location: path,
    next: 'Make the files of sslrootcert, sslcert and sslkey readable; a restart is not needed.',
    cause: error,
  });
}
