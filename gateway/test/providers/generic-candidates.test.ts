import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProviderDouble } from '../doubles/provider-double.ts';
import { connectProvider, type ProviderClient } from './provider-client.ts';
import { PROVIDERS } from './shipped-providers.ts';

interface Candidate {
  readonly id: string;
  readonly provider: string;
  readonly email?: string;
  readonly name?: string;
}

/** The same four tools over every provider; nothing of a provider's own shows. */
describe.each(PROVIDERS)('generic candidate tools on $manifest', (provider) => {
  const { manifest } = provider;
  let double: ProviderDouble;
  let provided: ProviderClient;

  beforeAll(async () => {
    double = await provider.start();
    provided = await connectProvider(manifest, double, {}, { tools: 'static' });
  });
  afterAll(async () => {
    await provided?.[Symbol.asyncDispose]();
    await double?.close();
  });

  const call = async (name: string, args: Record<string, unknown>) => {
    const answer = await provided.client.callTool({ name, arguments: args });
    expect(answer.isError, JSON.stringify(answer.content)).not.toBe(true);
    expect(answer._meta?.['toolcrib/untrusted']).toMatchObject({ untrusted: true, source: manifest });
    return answer.structuredContent as Record<string, unknown>;
  };
  const search = async (args: Record<string, unknown>) => {
    const found = await call('search_ats_candidates', args);
    return found as { candidates: Candidate[]; nextCursor?: string };
  };

  it('are all that there is', async () => {
    expect(await provided.toolNames()).toEqual([
      'create_ats_candidate',
      'get_ats_candidate',
      'search_ats_candidates',
      'update_ats_candidate',
    ]);
  });

  it('list candidates page by page, each of them once', async () => {
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page < 20; page++) {
      const { candidates, nextCursor } = await search({
        limit: 1,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const { id, provider: from } of candidates) {
        expect(from).toBe(manifest);
        seen.add(id);
      }
      cursor = nextCursor;
      if (cursor === undefined) break;
    }
    expect(cursor).toBeUndefined();
    expect(seen.size).toBeGreaterThan(1);
  });

  it('find by e-mail and read what was found', async () => {
    const { candidates } = await search({});
    const known = candidates.find(({ email }) => email !== undefined);
    expect(known).toBeDefined();
    const found = await search({ email: known!.email });
    expect(found.candidates.map(({ id }) => id)).toContain(known!.id);
    expect(await call('get_ats_candidate', { id: known!.id })).toMatchObject({
      id: known!.id,
      name: known!.name,
      email: known!.email,
    });
  });

  it('add a candidate and change it', async () => {
    const created = await call('create_ats_candidate', {
      firstName: 'Grace',
      lastName: 'Hopper',
      email: 'grace@navy.example',
      title: 'Engineer',
    });
    expect(created).toMatchObject({ id: expect.any(String), provider: manifest });
    const { id } = created as unknown as Candidate;
    await call('update_ats_candidate', { id, title: 'Rear admiral' });
    expect(await call('get_ats_candidate', { id })).toMatchObject({
      name: 'Grace Hopper',
      email: 'grace@navy.example',
      title: 'Rear admiral',
    });
  });

  it('change the telephone number that is read, or say that the provider takes none', async () => {
    const { id } = await call('create_ats_candidate', {
      firstName: 'Joan',
      lastName: 'Clarke',
      phone: '+44 1908 640404',
    });
    expect(await call('get_ats_candidate', { id })).toMatchObject({ phone: '+44 1908 640404' });
    const update = { id, phone: '+44 1908 640405', title: 'Cryptanalyst' };
    if (!manifest.startsWith('greenhouse')) {
      await call('update_ats_candidate', update);
      expect(await call('get_ats_candidate', { id })).toMatchObject({ phone: '+44 1908 640405' });
      return;
    }
    const refused = await provided.client.callTool({ name: 'update_ats_candidate', arguments: update });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain('Greenhouse cannot take phone. (at /phone)');
  });
});
