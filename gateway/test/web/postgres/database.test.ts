import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { connectedBy } from '../../../src/web/postgres/database.ts';
import type { TimeLeft } from '../../../src/web/time-left.ts';

const time = { signal: new AbortController().signal, left: () => 5000 } as TimeLeft;
const ask = async (address: string) => {
  const database = connectedBy({ env: 'DOCS' } as never, { read: async () => address } as never, 'docs');
  try {
    await database.run(time, (query) => query('select 1'));
    throw new Error('it was reached');
  } finally {
    await database.close();
  }
};

it('an address that the driver would read as one without TLS is refused', async () => {
  await expect(ask('postgres://ann:hunter2@127.0.0.1:9/docs?sslMode=require')).rejects.toMatchObject({
    code: 'configuration_invalid',
    message: 'The address of docs has a parameter for TLS that is not known.',
  });
});

it('a certificate that cannot be read fails the call, and nothing else', async () => {
  const address = 'postgres://ann@127.0.0.1:9/docs?sslmode=verify-full&sslrootcert=/nowhere/ca.pem';
  await expect(ask(address)).rejects.toMatchObject({
    code: 'upstream_unreachable',
    message: 'A file that the address of docs names cannot be read: ENOENT.',
    location: '/nowhere/ca.pem',
  });
});

/** A database that lets everybody in and answers no question. */
async function silentDatabase() {
  const asked = new EventEmitter();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      // AuthenticationOk and ReadyForQuery
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]));
      socket.once('data', () => asked.emit('asked', socket));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { asked, server, address: `postgres://ann@127.0.0.1:${port}/docs?sslmode=disable` };
}

it('a database that falls silent keeps no call beyond its end, and no connection', async () => {
  const { asked, server, address } = await silentDatabase();
  const database = connectedBy({ env: 'DOCS' } as never, { read: async () => address } as never, 'docs');
  try {
    // more than the pool has connections
    for (let call = 0; call < 6; call++) {
      const ending = new AbortController();
      const question = once(asked, 'asked');
      const answer = database.run({ ...time, signal: ending.signal }, (query) => query('select 1'));
      answer.catch(() => undefined);
      const [socket] = (await question) as [Socket];
      const gone = once(socket, 'close');
      ending.abort();
      await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
      await gone;
    }
    const late = database.run({ ...time, left: () => 1 }, (query) => query('select 1'));
    await expect(late).rejects.toMatchObject({ code: 'deadline_exceeded' });
  } finally {
    await database.close();
    server.close();
  }
});
