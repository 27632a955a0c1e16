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
