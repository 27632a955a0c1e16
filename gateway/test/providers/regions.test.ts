import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shippedManifest } from '../../src/sources/manifest/shipped.ts';
import type { ProviderDouble } from '../doubles/provider-double.ts';
import { startZohoRecruit, zohoToken } from '../doubles/zoho-recruit.ts';
import { connectProvider } from './provider-client.ts';

/** The shipped manifest with its hosts of two data centres replaced by the doubles that stand for them. */
async function manifestFor(us: ProviderDouble, eu: ProviderDouble, directory: string): Promise<string> {
  const shipped = await readFile(shippedManifest('zoho-recruit'), 'utf8');
  const file = join(directory, 'zoho-recruit.yaml');
  const replaced = shipped
    .replaceAll('https://recruit.zoho.com/recruit/v2', us.url)
    .replaceAll('https://recruit.zoho.eu/recruit/v2', eu.url);
  await writeFile(file, replaced);
  return file;
}

describe('zoho-recruit data centres', () => {
  let us: ProviderDouble;
  let eu: ProviderDouble;
  let directory: string;
  let manifest: string;

  beforeAll(async () => {
    [us, eu] = await Promise.all([startZohoRecruit({ region: 'us' }), startZohoRecruit({ region: 'eu' })]);
    directory = await mkdtemp(join(tmpdir(), 'toolcrib-regions-'));
    manifest = await manifestFor(us, eu, directory);
  });
  afterAll(async () => {
    await Promise.all([us.close(), eu.close()]);
    await rm(directory, { recursive: true, force: true });
  });

  const connect = (region: string | undefined, tokenOf: string) => {
    us.forget();
    eu.forget();
    const source = {
      manifest: { file: manifest },
      baseUrl: undefined,
      region,
      credentials: { bearer: zohoToken(tokenOf) },
    };
    const allow = [us, eu].map(({ url }) => new URL(url).origin);
    return connectProvider('zoho-recruit', us, source, { egress: { allow } });
  };

  it.each([
    [undefined, 'us'],
    ['us', 'us'],
    ['eu', 'eu'],
  ] as const)('region %s sends to %s only', async (region, expected) => {
    await using provided = await connect(region, expected);
    const answer = await provided.call('list_candidates');
    expect(answer.isError, answer.text).toBe(false);
    expect([us.requests.length, eu.requests.length]).toEqual(expected === 'us' ? [1, 0] : [0, 1]);
  });

  it("refuses another data centre's token with the provider's own words", async () => {
    await using provided = await connect('us', 'eu');
    const answer = await provided.call('list_candidates');
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/401/);
    expect(answer.text).toMatch(/The token is not valid here/);
    expect(eu.requests).toEqual([]);
  });

  it('an unknown region is refused, never taken for the default', async () => {
    const outcome = await connect('mars', 'us').then(
      async (provided) => {
        await using open = provided;
        return open.call('list_candidates').then(({ text }) => text);
      },
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(/no region "mars"/);
    expect(us.requests).toEqual([]);
  });
});
