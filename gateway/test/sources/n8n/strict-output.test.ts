import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, type Gateway } from '../../../src/index.ts';
import { type N8nDouble, Responded, startN8n } from '../../doubles/n8n.ts';
import { fence } from './describing.ts';

const OUTPUT = 'type: object\nrequired: [number]\nproperties: { number: { type: integer } }';
/** What the workflow answers with status 200, by the `give` of its caller. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  right: new Responded({ number: 7 }),
  error: new Responded({ error: 'no such order' }),
  text: new Responded('Something went wrong', { type: 'text/html; charset=utf-8' }),
  nothing: new Responded(undefined),
  list: new Responded([{ number: 7 }]),
};

let n8n: N8nDouble;
let gateway: Gateway;
beforeAll(async () => {
  n8n = await startN8n();
  const node = (path: string, notes?: string) => ({
    name: 'Webhook',
    type: 'n8n-nodes-base.webhook',
    parameters: { path, httpMethod: 'POST', responseMode: 'responseNode' },
    ...(notes === undefined ? {} : { notes }),
  });
  const run = ({ body }: { readonly body?: unknown }) => ANSWERS[(body as { give: string }).give];
  n8n.publish(
    { id: 'w1', name: 'Declared', nodes: [node('declared', fence('toolcrib-output', OUTPUT))], run },
    { id: 'w2', name: 'Open', nodes: [node('open')], run },
  );
  gateway = await createGateway({
    store: 'none',
    cache: false,
    sources: { flows: { n8n: { url: n8n.url, apiKey: n8n.apiKey, refresh: false } } },
  });
});
afterAll(async () => {
  await gateway.close();
  await n8n.close();
});

const call = async (tool: string, give: string, dryRun = false) => {
  const result = await gateway.call({ tool, arguments: { body: { give } }, dryRun });
  if (result.kind !== 'completed') throw new Error('The call asks for input.');
  return result;
};

describe('a workflow that declares its output', () => {
  it('answers by it', async () => {
    expect(await call('n8n_Declared', 'right')).toMatchObject({ structured: { number: 7 } });
  });

  it.each(['error', 'text', 'nothing', 'list'])(
    'and answers otherwise (%s): that is an error, whatever the status',
    async (give) => {
      const result = await call('n8n_Declared', give);
      expect(result).toMatchObject({ status: 200, error: { code: 'output_invalid' } });
      expect(result).not.toHaveProperty('structured');
    },
  );

  it('sends nothing in a dry run, which is no mismatch', async () => {
    expect(await call('n8n_Declared', 'right', true)).not.toHaveProperty('error');
  });
});

describe('a workflow without a declaration', () => {
  it.each(['right', 'text', 'nothing', 'list'])('answers by whatever it gives (%s)', async (give) => {
    expect(await call('n8n_Open', give)).not.toHaveProperty('error');
  });

  it('fails where it answers with an error and nothing else', async () => {
    expect(await call('n8n_Open', 'error')).toMatchObject({
      status: 200,
      error: { code: 'upstream_status', message: expect.stringContaining('no such order') },
    });
  });
});
