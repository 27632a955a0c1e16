import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  generateToolsFromManifest,
  getManifest,
  type ProxyRequest,
  registerGeneratedTools,
} from '../../src/sources/manifest/index.ts';
import type { ToolText } from '../../src/sources/manifest/register-tools.ts';
import { argumentsOf, expectedRequest, isWithheld } from '../doubles/operation-table.ts';
import type { ProviderDouble } from '../doubles/provider-double.ts';
import { requestDifferences } from '../doubles/request-differences.ts';
import { connectProvider, type ProviderClient } from './provider-client.ts';
import { PROVIDERS } from './shipped-providers.ts';

interface Answer {
  readonly error?: { readonly approval?: string };
}

type Handler = (args: Record<string, unknown>) => Promise<ToolText>;

/** The tools of a server that somebody else runs, each call a request for the proxy of a gateway. */
describe.each(PROVIDERS)('$manifest through the proxy', (provider) => {
  const { manifest, prefix, operations, rules, actingUser } = provider;
  const offered = Object.entries(operations).filter(([, one]) => !isWithheld(one));
  const handlers = new Map<string, Handler>();
  let double: ProviderDouble;
  let provided: ProviderClient;

  const proxyRequest = async (request: ProxyRequest): Promise<unknown> => {
    const send = async () => {
      const response = await fetch(new URL('/api/v1/proxy', provided.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
      return { ok: response.ok, body: (await response.json()) as Answer };
    };
    let answer = await send();
    if (answer.body.error?.approval !== undefined) {
      await provided.approve(answer.body.error.approval);
      answer = await send();
    }
    if (!answer.ok) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };

  beforeAll(async () => {
    double = await provider.start();
    provided = await connectProvider(manifest, double);
    const server = {
      registerTool: (name: string, _definition: object, run: Handler) => handlers.set(name, run),
    };
    const tools = generateToolsFromManifest(getManifest(manifest)!, 'read-write');
    registerGeneratedTools(server, tools, { proxyRequest });
  });
  afterAll(async () => {
    await provided?.[Symbol.asyncDispose]();
    await double?.close();
  });
  beforeEach(() => double.forget());

  it.each(offered)('%s goes out as the provider documents it', async (id, operation) => {
    const answer = await handlers.get(prefix + id)!({ ...argumentsOf(operation) });
    expect(answer.isError, answer.content[0]?.text).not.toBe(true);
    expect(double.requests).toHaveLength(1);
    const request = double.requests[0]!;
    expect(requestDifferences(request, expectedRequest(operation, rules, actingUser))).toEqual([]);
  });
});
