import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProviderDouble } from '../doubles/provider-double.ts';
import { connectProvider, type ProviderClient } from './provider-client.ts';
import { PROVIDERS } from './shipped-providers.ts';

const MODERN: ClientOptions = { versionNegotiation: { mode: 'auto' } };
const ASKING: ReadonlyArray<[string, ClientOptions]> = [
  ['2025-11-25', { capabilities: { elicitation: {} } }],
  ['2026-07-28', { ...MODERN, capabilities: { elicitation: {} } }],
];

/** A generic tool's write asks like the operation that it comes to, also where that reads something first. */
describe.each(PROVIDERS)('a generic write on $manifest that a person must approve', (provider) => {
  let double: ProviderDouble;
  let provided: ProviderClient;
  let id: string;

  beforeEach(async () => {
    double = await provider.start();
    provided = await connectProvider(
      provider.manifest,
      double,
      {},
      { tools: 'static', policy: { approvals: { write: 'ask' } } },
    );
    const { candidates } = (await provided.client.callTool({ name: 'search_ats_candidates', arguments: {} }))
      .structuredContent as { candidates: ReadonlyArray<{ id: string }> };
    id = candidates[0]!.id;
    double.forget();
  });
  afterEach(async () => {
    await provided[Symbol.asyncDispose]();
    await double.close();
  });

  type Answer = Awaited<ReturnType<Client['callTool']>>;
  const change = (client: Client, _meta?: Record<string, unknown>) =>
    client.callTool({
      name: 'update_ats_candidate',
      arguments: { id, title: 'Rear admiral' },
      ...(_meta === undefined ? {} : { _meta }),
    });
  const errorOf = (answer: Answer) =>
    answer._meta?.['toolcrib/error'] as { code: string; details: { approval: string } } | undefined;
  const writes = () => double.requests.filter(({ method }) => method !== 'GET').length;

  it('goes out once when it is called again', async () => {
    const { code, details } = errorOf(await change(provided.client))!;
    expect([code, writes()]).toEqual(['approval_required', 0]);
    // Lever replaces a contact as a whole: it is read first, which nobody needs to approve
    expect(double.requests).toHaveLength(provider.manifest === 'lever' ? 1 : 0);
    await provided.approve(details.approval);
    const changed = await change(provided.client);
    expect(changed.isError, JSON.stringify(changed.content)).not.toBe(true);
    expect(writes()).toBe(1);
    expect(errorOf(await change(provided.client))?.code).toBe('approval_required');
    expect(writes()).toBe(1);
  });

  it('goes out once when the approval is named', async () => {
    const { approval } = errorOf(await change(provided.client))!.details;
    await provided.approve(approval);
    const changed = await change(provided.client, { 'toolcrib/approval': approval });
    expect(changed.isError, JSON.stringify(changed.content)).not.toBe(true);
    expect(writes()).toBe(1);
    expect(errorOf(await change(provided.client, { 'toolcrib/approval': approval }))?.code).toBe(
      'approval_void',
    );
    expect(writes()).toBe(1);
  });

  it.each(ASKING)('goes out once when the person at a client of %s agrees', async (_revision, options) => {
    const client = new Client({ name: 'asking', version: '1' }, options);
    let asked = 0;
    client.setRequestHandler('elicitation/create', () => {
      asked++;
      return { action: 'accept', content: { decision: 'approve' } };
    });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', provided.url)));
    try {
      const changed = await change(client);
      expect(changed.isError, JSON.stringify(changed.content)).not.toBe(true);
      expect([asked, writes()]).toEqual([1, 1]);
    } finally {
      await client.close();
    }
  });
});
