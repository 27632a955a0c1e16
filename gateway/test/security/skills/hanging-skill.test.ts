import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { attackedSchool, skillText } from './attacked-school.ts';

test('a skill whose tools hang leaves places of its source to the others', async () => {
  const held: Array<() => void> = [];
  const arrived = Promise.withResolvers<void>();
  const server = createServer(({ url }, response) => {
    if (url === '/fine') return void response.end('fine');
    held.push(() => response.end('late'));
    if (held.length === 2) arrived.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tool = (name: string) => `tools: [{ name: ${name}, url: '${origin}/${name}', method: GET }]\n`;
  const school = await attackedSchool(
    {
      slow: { 'SKILL.md': skillText('slow'), 'tool-manifest.yaml': tool('hangs') },
      quick: { 'SKILL.md': skillText('quick'), 'tool-manifest.yaml': tool('fine') },
    },
    { mode: 'permissive' },
    {
      egress: { allow: [origin] },
      sources: { strangers: { skills: 'skills', limits: { concurrency: 4 } } },
    },
  );
  try {
    const { gateway } = school;
    const calls = Array.from({ length: 4 }, () => gateway.call({ tool: 'hangs' }));
    await arrived.promise;
    const results = await Promise.all([gateway.call({ tool: 'fine' }), gateway.call({ tool: 'fine' })]);
    expect(results.map((result) => (result.kind === 'completed' ? result.error : result))).toEqual([
      undefined,
      undefined,
    ]);
    expect(held).toHaveLength(2);
    // more than wait is told at once
    expect(await gateway.call({ tool: 'hangs' })).toMatchObject({ error: { code: 'overloaded' } });
    const others = Promise.all(calls);
    const release = () => {
      for (const end of held.splice(0)) end();
    };
    server.on('request', () => queueMicrotask(release));
    release();
    for (const result of await others) expect(result).not.toHaveProperty('error');
  } finally {
    await school.close();
    server.closeAllConnections();
    server.close();
  }
});
