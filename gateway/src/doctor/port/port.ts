import { createServer } from 'node:net';
import {
  type Configuration,
  type Environment,
  isLoopbackHost,
  type ServerAddress,
} from '../../config/index.ts';
import type { Finding } from '../finding.ts';
import { gatewayAt } from './gateway-at.ts';
import { portHolder } from './port-holder.ts';

/** Tries to listen where `serve` would, and says who is there already. */
export async function checkPort({ server, auth }: Configuration, env: Environment): Promise<Finding> {
  const { host, port, token } = server;
  const check = 'server';
  if (!isLoopbackHost(host) && token === undefined && auth.mode === 'local') {
    return {
      check,
      status: 'error',
      message: `Host ${host} can be reached from other machines, and there is no token.`,
      next: 'Set `server.token`, or use 127.0.0.1.',
    };
  }
  const problem = await listenProblem(host, port);
  if (problem === undefined) return { check, status: 'ok', message: `${host}:${port} is free` };
  if (problem.code === 'EADDRINUSE') return { check, ...(await inUse(server, env)) };
  const next =
    problem.code === 'EACCES'
      ? 'Choose a port above 1023 with --port or `server.port`.'
      : 'Choose another address with `server.host`, or another port with --port.';
  return { check, status: 'error', message: `Cannot listen on ${host}:${port}: ${problem.message}.`, next };
}

/** Why nobody can listen there now; undefined: it is free. Port 0 is always free. */
export function listenProblem(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen({ host, port }, () => probe.close(() => resolve(undefined)));
  });
}

/** Who listens there, as far as it can be known, and what to do. */
export async function inUse(
  address: ServerAddress,
  env: Environment,
): Promise<Pick<Finding, 'status' | 'message' | 'next'>> {
  const { host, port } = address;
  const another = 'Choose another port with --port or `server.port`.';
  const ours = await gatewayAt(address, env);
  if (ours !== undefined) {
    return {
      status: 'info',
      message: `${host}:${port} is in use by a gateway that already runs: ${ours.label}, console at ${ours.url}/.`,
      next: `Use that one, or stop it. ${another}`,
    };
  }
  const holder = await portHolder(port);
  if (holder === undefined) {
    const look = process.platform === 'win32' ? `netstat -ano | findstr :${port}` : `lsof -i :${port}`;
    return {
      status: 'warning',
      message: `${host}:${port} is in use by another program.`,
      next: `${another} \`${look}\` says who has this one.`,
    };
  }
  return {
    status: 'warning',
    message: `${host}:${port} is in use by ${holder.name} (process ${holder.pid}).`,
    next: `Stop it, or choose another port with --port or \`server.port\`.`,
  };
}
