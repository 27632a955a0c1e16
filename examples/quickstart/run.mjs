// The quickstart in an empty folder, with Open-Meteo on the loopback interface. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { commandIn } from '../support/command.mjs';
import { startOpenMeteo } from './open-meteo.mjs';

const meteo = await startOpenMeteo();
const folder = await mkdtemp(join(tmpdir(), 'toolcrib-quickstart-'));
const { toolcrib, serve } = commandIn(folder);
const here = ['--base-url', meteo.url];
const client = new Client({ name: 'quickstart', version: '1.0.0' });
const other = new Client({ name: 'another', version: '1.0.0' });
let gateway;

try {
  // 1. In a folder without a toolcrib.yaml the shipped configuration is served, as it is.
  gateway = await serve(...here);
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', gateway.url)));
  const { tools } = await client.listTools();
  const weather = ['searchPlaces', 'getForecast', 'getAirQuality'];
  for (const name of weather)
    assert.equal(tools.find((tool) => tool.name === name)?.annotations.readOnlyHint, true);
  assert.ok(
    tools.some(({ name }) => name.startsWith('gateway_')),
    'the gateway is a source of itself',
  );

  // 2. A place, then its weather: what a model does with them.
  const places = await client.callTool({ name: 'searchPlaces', arguments: { name: 'Lisbon', count: 1 } });
  const [{ latitude, longitude, country }] = places.structuredContent.results;
  assert.equal(country, 'Portugal');
  const forecast = await client.callTool({
    name: 'getForecast',
    arguments: { latitude, longitude, current: ['temperature_2m', 'weather_code'] },
  });
  assert.equal(forecast.structuredContent.current.temperature_2m, 17.4);
  assert.deepEqual(meteo.log, [
    'GET /v1/search?name=Lisbon&count=1',
    'GET /v1/forecast?latitude=38.72&longitude=-9.14&current=temperature_2m,weather_code',
  ]);

  // 3. What does not fit the description never leaves.
  const wrong = await client.callTool({ name: 'getForecast', arguments: { latitude: 100, longitude: 0 } });
  assert.equal(wrong._meta['toolcrib/error'].code, 'arguments_invalid');
  assert.equal(meteo.log.length, 2);

  // 4. The commands of README.md, as they stand there; only the service is another.
  const readme = await readFile(join(import.meta.dirname, 'README.md'), 'utf8');
  const commands = [...readme.matchAll(/^npx toolcrib (call .*)$/gm)].map(([, words]) => words.split(' '));
  assert.equal(commands.length, 3);
  for (const words of commands) {
    const before = meteo.log.length;
    const said = await toolcrib(...words, ...here);
    const dry = words.includes('--dry-run');
    assert.equal(meteo.log.length, dry ? before : before + 1, words.join(' '));
    assert.match(said, dry ? /^GET .*&daily=temperature_2m_max$/m : /Lisbon|17\.4/);
  }

  // 5. The gateway's own API is among the tools, so a client can ask what was called.
  const events = await client.callTool({ name: 'gateway_listEvents', arguments: { type: 'call-completed' } });
  const called = events.structuredContent.events.map(({ tool }) => tool);
  assert.ok(called.includes('getForecast'), called.join());

  // 6. Another client is given less of it by its address.
  await other.connect(
    new StreamableHTTPClientTransport(new URL('/mcp?source=weather&maxAccess=read', gateway.url)),
  );
  const less = await other.listTools();
  assert.deepEqual(less.tools.map(({ name }) => name).sort(), [...weather].sort());
  const refused = await other.callTool({ name: 'gateway_listEvents', arguments: {} });
  assert.equal(refused._meta['toolcrib/error'].code, 'tool_forbidden');
  console.log('ok  quickstart: an empty folder, three tools of a public API, and the exact requests');
} finally {
  for (const one of [client, other]) await one.close().catch(() => undefined);
  await gateway?.stop();
  meteo.close();
  await rm(folder, { recursive: true, force: true });
}
