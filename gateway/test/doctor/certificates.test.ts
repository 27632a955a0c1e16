import { afterEach, expect, it, vi } from 'vitest';
import { parseConfiguration } from '../../src/config/index.ts';
import { checkCertificates } from '../../src/doctor/certificates.ts';
import { AUTHORITY, CLIENT_CERTIFICATE, CLIENT_KEY, SERVER_KEY } from '../egress/certificates.ts';

afterEach(() => vi.useRealTimers());

const ENV = { CERTIFICATE: CLIENT_CERTIFICATE, KEY: CLIENT_KEY, OTHER: SERVER_KEY, CA: AUTHORITY };

async function findings(tls: object, env: Record<string, string> = ENV) {
  const source = { openapi: 'https://bank.test/openapi.json', tls };
  return checkCertificates(
    await parseConfiguration({ sources: { bank: source } }, { env, baseDirectory: '/' }),
    env,
  );
}

const CLIENT = { certificate: { env: 'CERTIFICATE' }, key: { env: 'KEY' } };

it('says until when a certificate is valid', async () => {
  expect(await findings(CLIENT)).toEqual([
    {
      check: 'certificate of bank',
      status: 'ok',
      message: 'the client certificate is valid until 2126-10-31',
    },
  ]);
});

it.each([
  ['2126-10-25', 'warning', 'The client certificate ends on 2126-10-31.'],
  ['2126-11-25', 'error', 'The client certificate ended on 2126-10-31.'],
])('on %s: %s', async (today, status, message) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(today) });
  expect(await findings(CLIENT)).toMatchObject([
    { status, message, next: expect.stringContaining('renewed') },
  ]);
});

it.each([
  [
    'a key of another certificate',
    { ...CLIENT, key: { env: 'OTHER' } },
    'does not belong to the certificate',
  ],
  ['a variable that is not set', { ...CLIENT, key: { env: 'NOWHERE' } }, 'NOWHERE'],
  ['a file that is missing', { ca: { file: './ca.pem' } }, '/ca.pem'],
])('finds %s', async (_what, tls, message) => {
  expect(await findings(tls)).toMatchObject([{ status: 'error', message: expect.stringContaining(message) }]);
});

it('reads an authority alone', async () => {
  expect(await findings({ ca: { env: 'CA' } })).toMatchObject([{ status: 'ok' }]);
});

it('is silent where nothing is named', async () => {
  const configuration = await parseConfiguration({}, { env: {}, baseDirectory: '/' });
  expect(await checkCertificates(configuration, {})).toEqual([]);
});
