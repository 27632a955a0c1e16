import type { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { openConnectors } from './connectors.ts';
import { createDestinationCheck } from './destination.ts';
import type { EgressOptions } from './egress.ts';
import { systemResolve } from './system-resolve.ts';

export interface Agents {
  /** Of `node:http` or `node:https`, by `http:` or `https:`; fits what the exporters of OpenTelemetry take. */
  agent(protocol: string): Promise<Agent>;
  close(): Promise<void>;
}

/**
 * For a library that sends by itself: its connections go where those of the door would go, through the operator's proxy
 * or past it. They fail with EgressFailure.
 */
export async function openAgents(
  { allow, proxy, resolve = systemResolve }: Pick<EgressOptions, 'allow' | 'proxy' | 'resolve'>,
  tls: Pick<ConnectionOptions, 'ca' | 'cert' | 'key'> = {},
): Promise<Agents> {
  const check = createDestinationCheck(allow);
  const connectors = await openConnectors(check, resolve, proxy, tls);
  const opened: Agent[] = [];
  return {
    async agent(protocol) {
      const { Agent } = await (protocol === 'https:' ? import('node:https') : import('node:http'));
      const agent = new Agent({ keepAlive: true });
      agent.createConnection = ({ host, port }, callback) => {
        const url = new URL(`${protocol}//${bracketed(String(host))}:${port}`);
        const { hostname } = url;
        const ended = (error: Error | null, socket: Socket | null) => callback?.(error, socket as Socket);
        connectors.to(url)({ hostname, host: url.host, protocol, port: String(port) }, ended);
        return undefined;
      };
      opened.push(agent);
      return agent;
    },
    async close() {
      for (const agent of opened) agent.destroy();
      await connectors.close();
    },
  };
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
