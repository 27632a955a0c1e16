import { writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLockReview } from '../../../src/assembly/compiling/lock-review.ts';
import { buildCatalog } from '../../../src/catalog/build.ts';
import type { EventBody } from '../../../src/operations/index.ts';
import { catalogPart, compiledSource, plainOperation } from '../../catalog/compiled-source.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolcrib-lock-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const configuration = (name: string) =>
  ({ mode: 'quarantine', file: join(directory, name), report: join(directory, 'report.json') }) as const;

test('what a lock might withhold is not listed before its operations can be read', async () => {
  const { file } = configuration('toolcrib.lock.json');
  await writeFile(file, '{"version":1,"sources":{"pets":{"fingerprint":""}},"tools":{}}');
  let arrived = false;
  const source = compiledSource('pets', [plainOperation('getPet', 'pets')]);
  const [tool] = source.tools;
  const operation = () => {
    if (!arrived) throw new Error('not there yet');
    return tool!.operation();
  };
  const catalog = buildCatalog([catalogPart({ ...source, tools: [{ ...tool!, operation }] })], 'x');
  const details = readFile(file)
    .then(() => readFile(file))
    .then(() => {
      arrived = true;
    });
  const { review } = createLockReview(configuration('toolcrib.lock.json'), () => undefined);
  expect((await review(catalog, details)).entries.map(({ quarantined }) => quarantined)).toEqual([true]);
});

test('without a lock nothing is waited for', async () => {
  const catalog = buildCatalog([], 'x');
  const { review } = createLockReview(configuration('none.json'), () => undefined);
  expect(await review(catalog, new Promise(() => undefined))).toBe(catalog);
});

test('of very many withheld tools the first are told by name, the others by their number, and once', async () => {
  const told: EventBody[] = [];
  const { accept, review } = createLockReview(configuration('many.json'), (event) => told.push(event));
  const built = (names: readonly string[]) => {
    const operations = names.map((name) => plainOperation(name, 'pets'));
    return buildCatalog([catalogPart(compiledSource('pets', operations))], names.join());
  };
  await accept(built(['getPet']));
  const names = Array.from({ length: 500 }, (_, index) => `added${index}`);
  await review(built(['getPet', ...names]));
  await review(built(['getPet', ...names]));
  expect(told).toHaveLength(51);
  expect(told[0]).toMatchObject({ type: 'tool-quarantined', source: 'pets', tool: 'added0' });
  expect(told[50]).toMatchObject({
    source: 'pets',
    message: expect.stringMatching(/^450 more tools of pets /),
  });
});

test('a tool that another process accepted is told again when it changes once more', async () => {
  const told: EventBody[] = [];
  const { review } = createLockReview(configuration('again.json'), (event) => told.push(event));
  const { accept } = createLockReview(configuration('again.json'), () => undefined);
  const built = (description: string) =>
    buildCatalog(
      [catalogPart(compiledSource('pets', [{ ...plainOperation('getPet', 'pets'), description }]))],
      description,
    );
  await accept(built('Gets.'));
  for (const description of ['Sells.', 'Eats.']) {
    await review(built(description));
    await review(built(description));
    await accept(built(description));
  }
  expect(told).toMatchObject([{ tool: 'getPet' }, { tool: 'getPet' }]);
});

test('what a person rejects stays rejected, whatever is accepted at the same moment', async () => {
  const { accept, reject, drift, review } = createLockReview(configuration('race.json'), () => undefined);
  const built = (names: readonly string[], fingerprint: string) =>
    buildCatalog(
      [
        catalogPart(
          compiledSource(
            'pets',
            names.map((name) => plainOperation(name, 'pets')),
          ),
        ),
      ],
      fingerprint,
    );
  await accept(built(['getPet'], 'old'));
  const names = Array.from({ length: 12 }, (_, index) => `added${index}`);
  const now = built(['getPet', ...names], 'new');
  const [refused, ...accepted] = names as [string, ...string[]];
  await Promise.all([
    reject(now, refused, 'not this one'),
    ...accepted.map((name) => accept(now, name)),
    accept(now),
    review(now),
  ]);
  const { changes } = await drift(now);
  expect(changes.map(({ tool, rejected }) => [tool, rejected?.reason])).toEqual([[refused, 'not this one']]);
});

test.each(['review', 'accept', 'reject'] as const)(
  'what another process writes into the lock during a %s stays',
  async (change) => {
    const asked = { ...configuration(`processes-${change}.json`), mode: 'accept' as const };
    let meanwhile: (() => void) | undefined;
    const built = (fingerprint: string, ...tools: string[]) => {
      const operations = tools.map((tool) => plainOperation(tool, 'pets'));
      const source = compiledSource('pets', operations);
      const operation = (read: () => ReturnType<(typeof source.tools)[number]['operation']>) => () => {
        meanwhile?.();
        meanwhile = undefined;
        return read();
      };
      const read = source.tools.map((tool) => ({ ...tool, operation: operation(tool.operation) }));
      return buildCatalog([catalogPart({ ...source, tools: read })], fingerprint);
    };
    const [one, other] = [1, 2].map(() => createLockReview(asked, () => undefined));
    await one!.accept(built('before', 'getPet'));
    const before = await readFile(asked.file, 'utf8');
    const tools = ['getPet', 'refused', 'wanted'];
    await other!.reject(built('now', ...tools), 'refused', 'not this one');
    const rejected = await readFile(asked.file, 'utf8');
    await writeFile(asked.file, before);
    const now = built('now', ...tools);
    // as soon as definitions are read, the lock has been
    meanwhile = () => writeFileSync(asked.file, rejected);
    if (change === 'review') await one!.review(now);
    else await one![change](now, 'wanted');
    const { entries } = await other!.review(built('later', ...tools));
    const withheld = entries.filter(({ quarantined }) => quarantined).map(({ name }) => name);
    expect(withheld).toEqual(change === 'reject' ? ['refused', 'wanted'] : ['refused']);
  },
);

// its draft has a longer name than a file may have, also for who may write everywhere
const READ_ONLY = `${'l'.repeat(240)}.json`;

test.each([
  { asked: { mode: 'warn' }, withheld: [] },
  { asked: { mode: 'warn', isDefault: true }, withheld: ['addedByServer', 'ofNewServer'] },
  { asked: { mode: 'quarantine' }, withheld: ['addedByServer', 'addedToPets', 'ofNewServer'] },
  { asked: { mode: 'accept' }, withheld: [] },
] as const)(
  'a lock that cannot be written withholds what it would pin, and no more: $asked',
  async ({ asked, withheld }) => {
    const of = (name: string, kind: string, ...tools: string[]) =>
      catalogPart({
        ...compiledSource(
          name,
          tools.map((tool) => plainOperation(tool, name)),
        ),
        kind,
      });
    const before = buildCatalog([of('pets', 'openapi', 'getPet'), of('server', 'mcp', 'ask')], 'before');
    await createLockReview(configuration('written.json'), () => undefined).accept(before);
    const file = join(directory, READ_ONLY);
    const text = await readFile(join(directory, 'written.json'), 'utf8');
    await writeFile(file, text);
    const now = buildCatalog(
      [
        of('pets', 'openapi', 'getPet', 'addedToPets'),
        of('server', 'mcp', 'ask', 'addedByServer'),
        of('new', 'mcp', 'ofNewServer'),
      ],
      'now',
    );
    const { review } = createLockReview({ ...configuration(READ_ONLY), ...asked }, () => undefined);
    const { entries, diagnostics } = await review(now);
    expect(entries.filter(({ quarantined }) => quarantined).map(({ name }) => name)).toEqual(withheld);
    expect(diagnostics[0]).toMatchObject({
      code: 'lock-unwritable',
      severity: 'warning',
      message: expect.stringContaining(`Cannot write ${file}`),
    });
    expect(/is withheld instead/.test(diagnostics[0]!.message)).toBe(withheld.length > 0);
    expect(/Nothing is withheld/.test(diagnostics[0]!.message)).toBe(withheld.length === 0);
    expect(await readFile(file, 'utf8')).toBe(text);
  },
);

test('what a person rejected is not withheld by a lock that cannot be written', async () => {
  const built = (fingerprint: string, ...tools: string[]) => {
    const operations = tools.map((tool) => plainOperation(tool, 'pets'));
    return buildCatalog([catalogPart(compiledSource('pets', operations))], fingerprint);
  };
  const desk = createLockReview(configuration('rejected.json'), () => undefined);
  await desk.accept(built('before', 'getPet'));
  await desk.reject(built('then', 'getPet', 'refused'), 'refused');
  await writeFile(join(directory, READ_ONLY), await readFile(join(directory, 'rejected.json'), 'utf8'));
  const { review } = createLockReview({ ...configuration(READ_ONLY), mode: 'accept' }, () => undefined);
  const { entries, diagnostics } = await review(built('now', 'getPet', 'refused', 'added'));
  expect(entries.filter(({ quarantined }) => quarantined).map(({ name }) => name)).toEqual(['refused']);
  expect(diagnostics[0]).toMatchObject({
    code: 'lock-unwritable',
    message: expect.stringContaining('Nothing is withheld'),
  });
});

test('where there is no lock and none can be made, nothing is served unpinned', async () => {
  const source = { ...compiledSource('server', [plainOperation('ask', 'server')]), kind: 'mcp' };
  const asked = { ...configuration(`n${READ_ONLY}`), mode: 'warn', isDefault: true } as const;
  const { review } = createLockReview(asked, () => undefined);
  await expect(review(buildCatalog([catalogPart(source)], 'x'))).rejects.toMatchObject({
    code: 'file_unusable',
  });
});
