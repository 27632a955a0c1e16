// A stand-in of n8n: its list of active workflows, and the webhooks of the two that are there.
import { answerJson, listenOnLoopback } from '../support/loopback.mjs';

export const API_KEY = 'n8n-key';
export const SHOP_KEY = 'shop-key';

const webhook = (path, more = {}, parameters = {}) => ({
  id: path,
  name: 'Webhook',
  type: 'n8n-nodes-base.webhook',
  typeVersion: 2.1,
  position: [0, 0],
  webhookId: path,
  parameters: { path, httpMethod: 'POST', responseMode: 'lastNode', ...parameters },
  ...more,
});
const workflow = (id, name, node) => ({
  id,
  name,
  active: true,
  nodes: [node],
  tags: [{ id: 't', name: 'tool' }],
});

const NOTE = `Sends an order on its way.

\`\`\`toolcrib-input
type: object
required: [number]
properties: { number: { type: string } }
\`\`\``;
const guarded = {
  credentials: { httpHeaderAuth: { id: 'c1', name: 'Shop key' } },
  notes: NOTE,
};

export async function startN8n() {
  const workflows = [
    workflow('w1', 'Find order', webhook('find-order')),
    workflow('w2', 'Send order', webhook('send-order', guarded, { authentication: 'headerAuth' })),
  ];
  const requests = [];
  const answers = {
    'POST /webhook/find-order': ({ number }) =>
      number === 'A-7' ? { number, state: 'open' } : { error: `no order ${number}` },
    'POST /webhook/send-order': ({ number }) => ({ number, state: 'sent' }),
  };
  const listener = async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { pathname } = new URL(request.url, 'http://n8n');
    const send = (status, answer) => answerJson(response, status, answer);
    if (pathname === '/api/v1/workflows') {
      if (request.headers['x-n8n-api-key'] !== API_KEY) return send(401, { message: 'unauthorized' });
      return send(200, { data: workflows, nextCursor: null });
    }
    requests.push({ line: `${request.method} ${pathname}`, body });
    if (pathname.endsWith('send-order') && request.headers['x-shop-key'] !== SHOP_KEY)
      return send(403, { message: 'Authorization data is wrong!' });
    const answer = answers[`${request.method} ${pathname}`];
    return answer === undefined ? send(404, { code: 404 }) : send(200, answer(JSON.parse(body)));
  };
  return { ...(await listenOnLoopback(listener)), workflows, requests };
}
