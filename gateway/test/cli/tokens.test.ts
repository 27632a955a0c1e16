import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { TICKETS } from '../topology/search-set.ts';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();
beforeAll(async () => {
  await writeFile(crib.path('desk.json'), JSON.stringify(TICKETS));
  await writeFile(
    crib.path('tight.yaml'),
    'store: none\ntokenBudget: 480\nsources: { a: { openapi: desk.json }, b: { openapi: desk.json }, c: { openapi: desk.json } }\n',
  );
  await writeFile(
    crib.path('impossible.yaml'),
    'store: none\ntokenBudget: 100\nsources: { desk: { openapi: desk.json } }\n',
  );
});
const tokens = (...argv: string[]) => crib.run(['tokens', ...argv]);

describe('toolcrib tokens', () => {
  it('shows what is listed, every topology, and what auto takes', async () => {
    const { exit, out, err } = await tokens('--spec', 'desk.json');
    expect(exit).toBe(0);
    expect(out).toMatch(/^flat: \d+ tokens \(o200k\) for 4 tools\n/);
    expect(out).toMatch(/^ +\d+ {2}listTickets$/m);
    expect(out).toMatch(/^TOPOLOGY +TOOLS +TOKENS +SEARCH +DESCRIBE +CALL +TOGETHER$/m);
    for (const name of ['flat', 'hybrid', 'base', 'categories', 'search', 'discover'])
      expect(out).toMatch(new RegExp(`^${name} +\\d+ +\\d+`, 'm'));
    expect(err).toMatch(/of listTickets, without the answer of its service/);
    expect(err).toMatch(/^As flat here, tool by tool: discover, capped\.$/m);
    expect(err).toMatch(/auto takes flat: flat has 4 tools and \d+ of 20000 tokens\./);
  });

  it('says why auto passed over what is richer', async () => {
    const { out, err } = await tokens('--config', 'tight.yaml');
    expect(out).toMatch(/^(base|search): \d+ tokens/);
    expect(err).toMatch(/auto takes (base|search): .*hybrid has \d+ tools and more than 480 tokens;/);
  });

  it.each(['tools', 'doctor'])('so does %s where nothing fits', async (command) => {
    const said = async (config: string) => {
      const { out, err } = await crib.run([command, '--config', config]);
      return `${out}${err}`;
    };
    expect(await said('impossible.yaml')).toMatch(
      /topology: No topology fits tokenBudget 100: took base, 3 tools\. Pin fewer operations or raise the budget\.$/m,
    );
    expect(await said('tight.yaml')).not.toContain('No topology fits');
  });

  it('says where nothing fits', async () => {
    const { err } = await tokens('--config', 'impossible.yaml');
    expect(err).toMatch(/auto takes base: .*base has 3 tools and more than 100 tokens\. Nothing fits\./);
  });

  it('measures one topology alone', async () => {
    const { out, err } = await tokens('--spec', 'desk.json', '--topology', 'search');
    expect(out).toMatch(/^search: \d+ tokens \(o200k\) for 4 tools\n/);
    expect(out).toMatch(/^search +4 +\d+ +\d+ +\d+ +\d+ +\d+$/m);
    expect(out).not.toMatch(/^flat/m);
    expect(err).not.toContain('auto takes');
  });

  it('says the same in JSON', async () => {
    const { out } = await tokens('--spec', 'desk.json', '--json');
    const costs = JSON.parse(out);
    expect(costs).toMatchObject({ encoding: 'o200k_base', topology: 'flat', tools: 4, tokenBudget: 20_000 });
    expect(costs.total).toBe(
      costs.perTool.reduce((sum: number, tool: { tokens: number }) => sum + tool.tokens, 0),
    );
    expect(costs.auto).toMatchObject({ took: 'flat', considered: [{ name: 'flat', fits: true }] });
    expect(costs.operation).toBe('listTickets');
    const search = costs.topologies.find(({ name }: { name: string }) => name === 'search');
    expect(search.tokens).toBeLessThanOrEqual(500);
    expect(search.flow.total).toBeLessThanOrEqual(1200);
  });
});
