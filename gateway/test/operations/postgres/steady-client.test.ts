import pg from 'pg';
import { expect, it } from 'vitest';
import { steadyClient } from '../../../src/operations/postgres/steady-client.ts';
import { openStore } from '../../../src/store/open-store.ts';

const address = 'postgres://ann:hunter2@127.0.0.1:1/crib?sslmode=verify-full&sslrootcert=/nowhere/ca.pem';
const failing = { name: 'the address of the store', code: 'store_unavailable' } as const;
const fault = {
  code: 'store_unavailable',
  message: 'A file that the address of the store names cannot be read: ENOENT.',
  location: '/nowhere/ca.pem',
};

it('a certificate that cannot be read is a fault of the connection, wherever it is made', async () => {
  const Client = steadyClient(pg.Client, failing);
  const config = { connectionString: address };
  await expect(new Client(config).connect()).rejects.toMatchObject(fault);
  const said = Promise.withResolvers<unknown>();
  new Client(config).connect((error?: Error) => said.resolve(error));
  expect(await said.promise).toMatchObject(fault);
  const client = new Client(config);
  await expect(client.connect()).rejects.toMatchObject(fault);
  await client.end();
});

it('a pool under load goes on behind it', async () => {
  const pool = new pg.Pool({ connectionString: address, max: 2, Client: steadyClient(pg.Client, failing) });
  const asked = await Promise.allSettled(Array.from({ length: 10 }, () => pool.query('select 1')));
  expect(asked.map(({ status }) => status)).toEqual(Array(10).fill('rejected'));
  await pool.end();
});

it('a store says which', async () => {
  await expect(openStore(address)).rejects.toMatchObject(fault);
});
