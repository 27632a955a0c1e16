// The provider of load.mjs: answers each organisation, known by its token, after its own delay. Prints its
// address. PUT /delay {"token": "…", "ms": 5000} sets one; GET /seen tells how many requests each token had at once.
// node load-upstream.mjs
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const delays = new Map();
const open = new Map();
const most = new Map();
const notes = 'x'.repeat(600);

const server = createServer(async (request, response) => {
  if (request.url === '/delay') return setDelay(request, response);
  if (request.url === '/seen') return answer(response, 200, Object.fromEntries(most));
  const token = request.headers['x-token'] ?? 'nobody';
  const now = (open.get(token) ?? 0) + 1;
  open.set(token, now);
  if (now > (most.get(token) ?? 0)) most.set(token, now);
  response.once('close', () => open.set(token, open.get(token) - 1));
  const id = Number(/^\/items\/(\d+)/.exec(request.url)?.[1]);
  const item = {
    id,
    account: Number(token.split('-').at(-1)),
    verbose: request.url.includes('verbose=true'),
    tags: ['a', 'b', 'c'],
    notes,
  };
  const delay = delays.get(token) ?? 0;
  if (delay === 0) answer(response, 200, item);
  else setTimeout(() => answer(response, 200, item), delay);
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ type: 'listening', url: `http://127.0.0.1:${server.address().port}` })),
);

async function setDelay(request, response) {
  const { token, ms } = JSON.parse(await text(request));
  delays.set(token, ms);
  most.clear();
  answer(response, 200, { token, ms });
}

function answer(response, status, value) {
  const body = JSON.stringify(value);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
}
