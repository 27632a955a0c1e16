import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ArmDouble } from '../doubles/arm/arm.ts';
import { plain } from './support/connectors.ts';
import { CONSENT, consentAt, MARK, type Office, openOffice, textOf } from './support/office.ts';

interface Question {
  readonly mode?: string;
  readonly message: string;
  readonly url: string;
}

const TOOL = 'drive_list_files';

const office = (timeout = '20s'): Promise<Office> =>
  openOffice({
    arm: {
      connectors: [plain('drive', 'ListFiles', 'ListFolders')],
      connections: [{ name: 'drive', api: 'drive', status: 'Error' }],
    },
    source: { limits: { timeout } },
  });

/** A client at the office over HTTP; `answer` is what its person does with a question. */
async function connect(
  one: Office,
  options: ClientOptions,
  answer?: (question: Question) => object | Promise<object>,
): Promise<Client> {
  const client = new Client({ name: 'person', version: '1' }, options);
  if (answer !== undefined) {
    client.setRequestHandler(
      'elicitation/create',
      async ({ params }) => (await answer(params as never)) as never,
    );
  }
  onTestFinished(() => client.close().catch(() => undefined));
  const { url } = await one.gateway.listen({ port: 0 });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  return client;
}

async function call(client: Client, name = TOOL) {
  const { content, isError } = await client.callTool({ name, arguments: {} });
  return {
    text: (content as { text: string }[]).map(({ text }) => text).join('\n'),
    failed: isError === true,
  };
}

const invoked = (arm: ArmDouble) => arm.requests.filter(({ path }) => path.endsWith('/dynamicInvoke')).length;

describe.each<[string, ClientOptions]>([
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
])('a client of %s that opens addresses for its person', (_era, options) => {
  const opens: ClientOptions = { ...options, capabilities: { elicitation: { url: {} } } };

  it('is asked by the page of the consent; signed in there, the same call goes on', async () => {
    const one = await office();
    const asked: Question[] = [];
    const client = await connect(one, opens, async (question) => {
      asked.push(question);
      await consentAt(question.url);
      return { action: 'accept' };
    });
    const { text, failed } = await call(client);
    expect([failed, JSON.parse(text)]).toEqual([false, { name: 'sample name' }]);
    expect(asked).toMatchObject([{ mode: 'url', message: expect.stringContaining('"drive"') }]);
    expect(new URL(asked[0]!.url).origin).toBe(one.arm.sideUrl);
    await one.until(() => !one.descriptionOf(TOOL)!.includes(MARK));
    // the first attempt was refused, the second is the call; nobody asks again
    expect(invoked(one.arm)).toBe(2);
    expect((await call(client, 'drive_list_folders')).failed).toBe(false);
    expect(asked).toHaveLength(1);
  });

  it('waits for a person who signs in after saying yes', async () => {
    const one = await office();
    const client = await connect(one, opens, ({ url }) => {
      // seen by the gateway as not signed in at least once
      let looked = false;
      one.arm.interrupt({
        times: 'always',
        plan: { hold: Promise.resolve() },
        when: ({ method, path }) => {
          if (!looked && method === 'GET' && path.endsWith('/connections/drive')) {
            looked = true;
            setImmediate(() => void consentAt(url));
          }
          return false;
        },
      });
      return { action: 'accept' };
    });
    expect((await call(client)).failed).toBe(false);
  });

  it.each([
    ['declines', { action: 'decline' }],
    ['closes the page', { action: 'cancel' }],
  ])('gets the words of the seed with the link when the person %s', async (_case, answer) => {
    const one = await office();
    const client = await connect(one, opens, () => answer);
    const { text, failed } = await call(client);
    expect(failed).toBe(true);
    expect(text).toMatch(CONSENT);
    expect(one.descriptionOf(TOOL)).toContain(MARK);
    await consentAt(CONSENT.exec(text)![2]!);
    expect((await call(client)).failed).toBe(false);
  });

  it('gets them too when the person says yes and signs in nowhere', async () => {
    const one = await office('4s');
    const client = await connect(one, opens, () => ({ action: 'accept' }));
    expect((await call(client)).text).toMatch(CONSENT);
  });

  it.each<[string, ClientOptions['capabilities']]>([
    ['declares no elicitation', {}],
    ['declares forms alone', { elicitation: { form: {} } }],
  ])('gets them at once where it %s', async (_case, capabilities) => {
    const one = await office();
    const asked: Question[] = [];
    const client = await connect(
      one,
      { ...options, capabilities: capabilities ?? {} },
      capabilities?.elicitation === undefined
        ? undefined
        : (question) => {
            asked.push(question);
            return { action: 'decline' };
          },
    );
    const { text, failed } = await call(client);
    expect([failed, asked]).toEqual([true, []]);
    expect(text).toMatch(CONSENT);
    expect(invoked(one.arm)).toBe(1);
  });
});

describe('an InputRequiredResult (2026-07-28), without a client library', () => {
  const channel = { clientCapabilities: { elicitation: { url: {} } } };
  const ask = async (one: Office) => {
    const result = await one.gateway.call({ tool: TOOL, channel });
    if (result.kind !== 'input_required') throw new Error('nothing is asked');
    return result;
  };

  it('holds one question by address, and a state that says for which connection', async () => {
    const { requests, state } = await ask(await office());
    expect(requests).toEqual({
      consent: {
        method: 'elicitation/create',
        params: {
          mode: 'url',
          message: expect.stringContaining('Connection "drive" is not authenticated.'),
          url: expect.stringMatching(/^http/),
          elicitationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      },
    });
    expect(state).toBeDefined();
  });

  it('goes on with the answer: accepted and signed in, the call is carried out once', async () => {
    const one = await office();
    const { requests, state } = await ask(one);
    await consentAt((requests['consent'] as never as { params: Question }).params.url);
    const before = one.arm.invocations.length;
    const answered = { ...channel, requestState: state!, inputResponses: { consent: { action: 'accept' } } };
    const result = await one.gateway.call({ tool: TOOL, channel: answered });
    expect(result).toMatchObject({ kind: 'completed', structured: { name: 'sample name' } });
    expect(one.arm.invocations.length - before).toBe(1);
  });

  it('ends with the words of the seed where the person declined; nothing reaches the connector', async () => {
    const one = await office();
    const { state } = await ask(one);
    const before = one.arm.invocations.length;
    const answered = { ...channel, requestState: state!, inputResponses: { consent: { action: 'decline' } } };
    const result = await one.call(TOOL, {}, { channel: answered });
    expect(textOf(result)).toMatch(CONSENT);
    expect(one.arm.invocations.length).toBe(before);
  });
});
