// A process that only asks and measures. Takes one job at a time by IPC and answers with the milliseconds of every
// request: {url, groups: [{name, users: [{key, organisation, tools}], width, mix?}], over, mix: {list, describe, call}, ms | each}.
// `over`: `mcp` (JSON-RPC POSTs of revision 2026-07-28) or `api`. `each`: every user asks once, instead of `ms`.
import { Agent, setGlobalDispatcher } from 'undici';

const REVISION = '2026-07-28';
const TOOL = 'acme_get_item';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'load', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const dispatcher = new Agent({ connections: null, pipelining: 1 });
setGlobalDispatcher(dispatcher);

process.on('message', (job) => {
  run(job).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: error.stack }),
  );
});

async function run({ url, groups, over, mix, ms, each }) {
  const end = performance.now() + (ms ?? Number.POSITIVE_INFINITY);
  const outcomes = await Promise.all(
    groups.map(async (group) => {
      const taken = { list: [], describe: [], call: [] };
      let next = 0;
      const worker = async () => {
        while (performance.now() < end && !(each && next >= group.users.length)) {
          const turn = next++;
          const user = group.users[(turn * 7919) % group.users.length];
          const kind = kindOf(group.mix ?? mix, turn);
          const started = performance.now();
          await REQUESTS[over][kind](url, user, turn);
          taken[kind].push(performance.now() - started);
        }
      };
      const started = performance.now();
      await Promise.all(Array.from({ length: group.width }, worker));
      return [group.name, { taken, ms: performance.now() - started }];
    }),
  );
  return Object.fromEntries(outcomes);
}

/** The kinds take turns as often as the mix says, e.g. 1, 1 and 8 of 10. */
function kindOf({ list, describe, call }, turn) {
  const place = turn % (list + describe + call);
  return place < list ? 'list' : place < list + describe ? 'describe' : 'call';
}

const REQUESTS = {
  mcp: {
    async list(url, user) {
      const { result } = await rpc(url, user, 'tools/list', {});
      expect(result.tools.length === user.tools, `${result.tools.length} tools`);
    },
    describe,
    async call(url, user, id) {
      const params = { name: TOOL, arguments: { id, verbose: true } };
      const { result } = await rpc(url, user, 'tools/call', params, { 'mcp-name': TOOL });
      expectItem(result?.structuredContent ?? JSON.parse(result?.content?.[0]?.text ?? '{}'), user, id);
    },
  },
  api: {
    async list(url, user) {
      const { tools } = await send('GET', `${url}/api/v1/tools`, user);
      expect(tools.length === user.tools, `${tools.length} tools`);
    },
    describe,
    async call(url, user, id) {
      const body = { arguments: { id, verbose: true } };
      const { structured, content } = await send('POST', `${url}/api/v1/tools/${TOOL}/call`, user, body);
      expectItem(structured ?? JSON.parse(content[0].text), user, id);
    },
  },
};

async function describe(url, user) {
  const { tool } = await send('GET', `${url}/api/v1/tools/${TOOL}`, user);
  expect(tool.name === TOOL, tool.name);
}

let id = 0;
function rpc(url, user, method, params, headers = {}) {
  const body = { jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta: META } };
  return send('POST', `${url}/mcp`, user, body, {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...headers,
  });
}

async function send(method, address, user, body, headers = {}) {
  const { origin, pathname } = new URL(address);
  const given = {
    ...headers,
    ...(user.key === undefined ? {} : { authorization: `Bearer ${user.key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const answer = await dispatcher.request({
    origin,
    path: pathname,
    method,
    headers: given,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  expect(answer.statusCode === 200, `${method} ${pathname}: ${answer.statusCode} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

/** Another organisation's account would show that accounts were mixed up. */
function expectItem(item, user, id) {
  expect(
    item.id === id && (user.organisation === undefined || item.account === user.organisation),
    JSON.stringify(item),
  );
}

function expect(holds, what) {
  if (!holds) throw new Error(`an unexpected answer: ${what}`);
}
