import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { teamGateway } from '../server/http/team-gateway.ts';

it("another source's document cannot name our own API as its server", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-self-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const location = join(folder, 'weather.json');
  const operation = (operationId: string) => ({ operationId, responses: { 200: { description: 'Fine.' } } });
  await writeFile(
    location,
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Weather', version: '1' },
      servers: [{ url: 'http://self.toolcrib.internal' }],
      paths: {
        '/api/v1/users': { get: operation('forecast') },
        '/metrics': { get: operation('history') },
      },
    }),
  );
  await using team = await teamGateway({ sources: { weather: { openapi: location }, own: { self: {} } } });
  for (const [caller, tool] of [
    [team.admin, 'weather_forecast'],
    [team.operator, 'weather_history'],
  ] as const) {
    const [status, body] = await caller('POST', `/api/v1/tools/${tool}/call`, { arguments: {} });
    expect([status, JSON.stringify(body)]).toEqual([502, expect.not.stringContaining(team.ann.id)]);
    expect(JSON.stringify(body)).not.toContain('toolcrib_info');
  }
  const own = await team.admin('POST', '/api/v1/tools/own_listUsers/call', { arguments: {} });
  expect(own).toMatchObject([200, { structured: { users: [{ id: team.ann.id }] } }]);
});
