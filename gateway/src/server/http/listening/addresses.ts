import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { asToolcribError } from '../../../errors.ts';
import type { Listening } from '../../../gateway-core.ts';
import type { OpenWork } from '../../../operations/work/open-work.ts';
import { withinTime } from '../../../operations/work/within-time.ts';
import type { Answer } from '../../whole-answer.ts';
import { startListening, stopListening } from './listener.ts';
import { followCertificate, type ReadCertificate } from './server-certificate.ts';

export interface AddressParts {
  readonly respond: (request: Request) => Promise<Answer>;
  /** A request is answered, or its connection is gone. */
  readonly ended: (request: Request) => void;
  /** Waits for the calls that are under way. */
  readonly settled: OpenWork['settled'];
  /** How long open calls may take once an address closes, milliseconds. */
  readonly drainMs: number;
  /** What is shown in TLS; absent: http is spoken. */
  readonly certificate?: ReadCertificate | undefined;
  readonly onError?: ((error: Error) => void) | undefined;
}

/** The addresses that a server listens at. */
export interface Addresses {
  /** Throws `port_in_use`, `configuration_invalid`. */
  open(host: string, port: number): Promise<Listening>;
  /** Refuses new connections; resolves once the open ones are gone: what is left after the drain time is cut once all callers were `told`. */
  stop(told: Promise<unknown>): Promise<unknown>;
}

/** What a finished answer may take to reach its client once its address closes. */
export const FLUSH_MS = 250;

export function createAddresses(parts: AddressParts): Addresses {
  const { respond, ended, settled, drainMs, certificate, onError } = parts;
  const servers = new Set<Server>();
  /** One address less. Open calls finish; streams are cut, since they would never end by themselves. */
  const stopOne = async (server: Server) => {
    servers.delete(server);
    let gone = false;
    const stopped = stopListening(server, drainMs).then(() => {
      gone = true;
    });
    // a connection that was open may still bring a call
    do {
      await settled(drainMs);
      // a call that has ended hands its answer to the connection within the current turn
      await turnOfTheLoop();
      await withinTime(FLUSH_MS, stopped);
    } while (!gone && !(await settled(0)));
    server.closeAllConnections();
    await stopped;
  };
  return {
    async open(host, port) {
      const shown = await certificate?.();
      const { server, ...at } = await startListening(respond, host, port, ended, shown, (error) =>
        onError?.(asToolcribError(error)),
      );
      servers.add(server);
      if (shown !== undefined) {
        const follow = { shown, read: certificate!, onError };
        server.once('close', followCertificate(server as TlsServer, follow));
      }
      return { url: at.url, port: at.port, close: () => stopOne(server) };
    },
    stop: (told) => Promise.all([...servers].map((server) => stopListening(server, drainMs, told))),
  };
}
