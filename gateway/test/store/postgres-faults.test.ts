import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { postgresFault } from '../../src/store/postgres-faults.ts';
import { storeError } from '../../src/store/store-errors.ts';
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from '../egress/certificates.ts';

let folder = '';
const close: Array<() => void> = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolcrib-tls-'));
});
afterEach(() => {
  for (const one of close.splice(0)) one();
  rmSync(folder, { recursive: true });
});

/** Answers the question for TLS (PostgreSQL, "SSL Session Encryption") and, where it says yes, shakes hands. */
async function serverThatSays(answer: 'S' | 'N' | 'E'): Promise<{ port: number; heard: string[] }> {
  const heard: string[] = [];
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      heard.push(bytes.subarray(8).toString('latin1'));
      socket.write(answer);
      if (answer !== 'S') return;
      const secureContext = createSecureContext({ cert: SERVER_CERTIFICATE, key: SERVER_KEY });
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      secure.on('error', () => undefined);
      secure.once('data', (within) => {
        heard.push(within.subarray(8).toString('latin1'));
        secure.destroy();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  close.push(() => server.close());
  await once(server, 'listening');
  return { port: (server.address() as net.AddressInfo).port, heard };
}

const failure = async (address: string) => {
  const error: unknown = await openStore(address).catch((thrown: unknown) => thrown);
  return error as Error & { next: string };
};

describe('TLS that the address asks for', () => {
  it.each(['sslmode=prefer', 'sslmode=require', 'sslmode=verify-full', 'ssl=true'])(
    'is never given up: %s',
    async (asked) => {
      const { port, heard } = await serverThatSays('N');
      const error = await failure(`postgres://ann:hunter2@127.0.0.1:${port}/crib?${asked}`);
      expect(error).toMatchObject({ code: 'store_unavailable' });
      expect(error.message).toContain('the server offers no TLS');
      expect(error.next).toContain('sslmode=disable');
      expect(heard).toEqual(['']);
    },
  );

  it('says that a server did not begin it', async () => {
    const { port } = await serverThatSays('E');
    const error = await failure(`postgres://ann@127.0.0.1:${port}/crib?sslmode=verify-full`);
    expect(error.message).toContain('did not begin TLS');
  });

  it('is not had from an authority that nobody named', async () => {
    const { port, heard } = await serverThatSays('S');
    const error = await failure(`postgres://ann@127.0.0.1:${port}/crib?sslmode=require`);
    expect(error).toMatchObject({ code: 'store_unavailable' });
    expect(error.message).toContain('of an authority that is not known here');
    expect(error.next).toContain('sslrootcert=');
    expect(heard).toEqual(['']);
  });

  it('is not had under another name', async () => {
    const { port, heard } = await serverThatSays('S');
    const file = join(folder, 'ca.pem');
    writeFileSync(file, AUTHORITY);
    const within = `${port}/crib?sslmode=verify-ca&sslrootcert=${file}`;
    const other = await failure(`postgres://ann@localhost:${within}`);
    expect(other.message).toContain('for another name');
    expect(other.next).toContain('as the certificate has it');
    expect(heard).toEqual(['']);
    // and is had under its own: what comes first within it is the beginning of the session
    await failure(`postgres://ann@127.0.0.1:${within}`);
    expect(heard.at(-1)).toContain('user\0ann');
  });
});

describe('what PostgreSQL says', () => {
  it.each([
    ['28P01', /password/, /%40/],
    ['28000', /does not let this user in/, /pg_hba\.conf/],
    ['3D000', /no such database/, /Create it/],
    ['25006', /read-only/, /primary/],
    ['42501', /lacks a right/, /Grant/],
    ['53100', /disk is full/, /room/],
    ['53300', /no connection left/, /max_connections/],
    ['57014', /statement_timeout/, /locks/],
    ['55P03', /lock_timeout/, /pg_locks/],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', /client certificate/, /sslcert/],
    ['ERR_OSSL_BAD_DECRYPT', /cannot be used/, /passphrase/],
    ['CERT_HAS_EXPIRED', /expired/, /new certificate/],
  ])('%s is in words, with what to do', (code, reason, next) => {
    const error = storeError({ severity: 'FATAL', code, message: 'secret of a row' });
    expect(error.message).toMatch(reason);
    expect(error.message).toContain(`(${code})`);
    expect(error.next).toMatch(next);
    expect(error.message).not.toContain('secret');
  });

  it('is its code where that is all that is known', () => {
    expect(storeError({ severity: 'ERROR', code: '22003' }).message).toBe(
      'The store refused: PostgreSQL says 22003.',
    );
    expect(storeError({ syscall: 'write', code: 'EPIPE' }).message).toBe('The store did not answer: EPIPE.');
    expect(storeError({ code: 'ECONNREFUSED' }).message).toBe('The store did not answer: ECONNREFUSED.');
  });

  it('is a connection that broke beneath a transaction', () => {
    const error = new Error('Client has encountered a connection error and is not queryable');
    expect(storeError(error).message).toBe('The store did not answer: the connection broke.');
  });

  it('is a gateway that stopped first', () => {
    const { message, next } = storeError(new Error('driver has already been destroyed'));
    expect(message).toBe('The store did not answer: the gateway stopped before the last could be written.');
    expect(next).toContain('at the next start');
  });

  it('is a question for a password that was not given', () => {
    const { reason } = postgresFault(
      new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
    )!;
    expect(reason).toBe('the server asks for a password, and none was given');
  });
});
