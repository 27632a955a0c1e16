import { describe, expect, it } from 'vitest';
import type { CatalogPart } from '../../src/catalog/build.ts';
import type { CatalogChanges } from '../../src/catalog/changes.ts';
import { LiveCatalog } from '../../src/catalog/live-catalog.ts';
import { ToolcribError } from '../../src/errors.ts';
import type { EventBody } from '../../src/operations/index.ts';
import { catalogPart, compiledSource, plainOperation } from './compiled-source.ts';

type State = Record<string, () => CatalogPart>;

function live(state: State) {
  const events: EventBody[] = [];
  const changes: CatalogChanges[] = [];
  const catalog = new LiveCatalog({
    sources: () => Object.keys(state),
    context: () => 'test',
    compile: async (name) => state[name]!(),
    review: async (next) => next,
    record: (event) => events.push(event),
    changed: (change) => changes.push(change),
  });
  return { catalog, events, changes };
}

const pets =
  (...ids: string[]) =>
  () =>
    catalogPart(
      compiledSource(
        'pets',
        ids.map((id) => plainOperation(id, 'pets')),
        ids.join(),
      ),
    );
const broken = () => {
  throw new ToolcribError('source_invalid', 'Line 3 is no YAML.', { location: 'pets.yaml:3' });
};
const names = (catalog: LiveCatalog) => catalog.current.entries.map((entry) => entry.tool.name);

describe('the live catalog', () => {
  it('serves the tools of every source, sorted by name', async () => {
    const { catalog } = live({
      pets: pets('listPets', 'getPet'),
      shops: () => catalogPart(compiledSource('shops', [plainOperation('getShop', 'shops')])),
    });
    await catalog.start();
    expect(names(catalog)).toEqual(['getPet', 'getShop', 'listPets']);
  });

  it('starts without the source that cannot be read, and says so', async () => {
    const { catalog, events } = live({ pets: pets('getPet'), shops: broken });
    await catalog.start();
    expect(names(catalog)).toEqual(['getPet']);
    expect(catalog.current.diagnostics).toMatchObject([
      { code: 'source-failed', source: 'shops', location: 'pets.yaml:3' },
    ]);
    expect(events).toMatchObject([{ type: 'source-failed', source: 'shops' }]);
  });

  it('does not start when nothing can be read', async () => {
    const { catalog } = live({ pets: broken });
    await expect(catalog.start()).rejects.toMatchObject({ code: 'source_invalid' });
  });

  it('swaps the whole snapshot and tells what differs', async () => {
    const state: State = { pets: pets('getPet', 'listPets') };
    const { catalog, changes } = live(state);
    await catalog.start();
    const before = catalog.current;
    state.pets = () =>
      catalogPart(
        compiledSource('pets', [
          plainOperation('getPet', 'pets', { type: 'object', properties: { id: { type: 'integer' } } }),
          plainOperation('addPet', 'pets'),
        ]),
      );
    await catalog.refresh('pets');
    expect(changes).toMatchObject([
      { added: ['addPet'], removed: ['listPets'], changed: ['getPet'], sources: ['pets'] },
    ]);
    expect(before.entries.map((entry) => entry.tool.name)).toEqual(['getPet', 'listPets']);
  });

  it('refreshes a source after the start that is under way, and keeps the other sources', async () => {
    const slow = Promise.withResolvers<void>();
    const swaps: string[][] = [];
    const catalog = new LiveCatalog({
      sources: () => ['pets', 'shops'],
      context: () => 'test',
      compile: async (name) => {
        if (name === 'shops') await slow.promise;
        return catalogPart(compiledSource(name, [plainOperation(`get_${name}`, name)]));
      },
      review: async (next) => {
        swaps.push(next.entries.map((entry) => entry.tool.name));
        // the swap with fewer tools would take longer and be the last word
        await new Promise((resolve) => setTimeout(resolve, next.entries.length === 1 ? 20 : 0));
        return next;
      },
      record: () => undefined,
      changed: () => undefined,
    });
    const started = catalog.start();
    const refreshed = catalog.refresh('pets');
    setImmediate(slow.resolve);
    await Promise.all([started, refreshed]);
    expect(names(catalog)).toEqual(['get_pets', 'get_shops']);
    expect(swaps).toEqual([
      ['get_pets', 'get_shops'],
      ['get_pets', 'get_shops'],
    ]);
  });

  it('says nothing when the same tools come back', async () => {
    const { catalog, changes } = live({ pets: pets('getPet') });
    await catalog.start();
    await catalog.refresh();
    expect(changes).toEqual([]);
  });

  it('keeps the last good tools of a source that breaks, and recovers', async () => {
    const state: State = { pets: pets('getPet') };
    const { catalog, events } = live(state);
    await catalog.start();
    state.pets = broken;
    await catalog.refresh('pets');
    expect(names(catalog)).toEqual(['getPet']);
    expect(catalog.current.sources[0]?.stale?.message).toBe('Line 3 is no YAML.');
    state.pets = pets('getPet');
    await catalog.refresh('pets');
    expect(catalog.current.sources[0]?.stale).toBeUndefined();
    expect(catalog.current.diagnostics).toEqual([]);
    expect(events.map((event) => event.type)).toEqual(['source-failed', 'source-recovered']);
  });

  it('leaves a name with the source that had it first', async () => {
    const { catalog } = live({
      pets: pets('get'),
      shops: () => catalogPart(compiledSource('shops', [plainOperation('get', 'shops')])),
    });
    await catalog.start();
    expect(catalog.current.byTool('get')?.source).toBe('pets');
    expect(catalog.current.diagnostics).toMatchObject([{ code: 'tool-shadowed', source: 'shops' }]);
  });

  it('finds a tool by the name with dots that its source declared', async () => {
    const { catalog } = live({ pets: pets('pets_get') });
    await catalog.start();
    expect(catalog.current.byTool('pets.get')?.tool.name).toBe('pets_get');
  });
});

describe('while operations can be listed but not yet read', () => {
  const listed = (details: Promise<unknown>, ...ids: string[]) => ({ ...pets(...ids)(), details });

  it('is listable before it has started', async () => {
    const details = Promise.withResolvers<void>();
    const { catalog, changes } = live({ pets: () => listed(details.promise, 'getPet') });
    const order: string[] = [];
    const started = catalog.start(() => void order.push(`listable: ${names(catalog)}`));
    const done = started.then(() => order.push('started'));
    await Promise.resolve();
    details.promise.then(() => order.push('details'));
    setImmediate(details.resolve);
    await done;
    expect(order).toEqual(['listable: getPet', 'details', 'started']);
    expect(changes).toEqual([]);
  });

  it('does not start when the only source loses its rest', async () => {
    const lost = Promise.reject(new ToolcribError('source_invalid', 'Its process ended.'));
    const { catalog } = live({ pets: () => listed(lost, 'getPet') });
    await expect(catalog.start()).rejects.toMatchObject({ code: 'source_invalid' });
  });

  it('drops the one source that loses its rest, and tells clients', async () => {
    const details = Promise.withResolvers<void>();
    const shop = () => catalogPart(compiledSource('shops', [plainOperation('getShop', 'shops')]));
    const { catalog, events, changes } = live({
      pets: () => listed(details.promise, 'getPet'),
      shops: shop,
    });
    await catalog.start(() => details.reject(new ToolcribError('source_invalid', 'Its process ended.')));
    expect(names(catalog)).toEqual(['getShop']);
    expect(changes).toMatchObject([{ removed: ['getPet'] }]);
    expect(events).toMatchObject([{ type: 'source-failed', source: 'pets' }]);
    expect(catalog.current.diagnostics).toMatchObject([{ code: 'source-failed', source: 'pets' }]);
  });

  it('swaps only whole sources later', async () => {
    const state: State = { pets: pets('getPet') };
    const { catalog, changes } = live(state);
    await catalog.start();
    const details = Promise.withResolvers<void>();
    state.pets = () => listed(details.promise, 'getPet', 'addPet');
    const refreshed = catalog.refresh();
    setImmediate(() => {
      expect(names(catalog)).toEqual(['getPet']);
      details.resolve();
    });
    await refreshed;
    expect(changes).toMatchObject([{ added: ['addPet'] }]);
  });

  it('once closed, reads and records nothing, and calls nothing failed that it broke off', async () => {
    const events: EventBody[] = [];
    let reads = 0;
    const catalog = new LiveCatalog({
      sources: () => ['pets'],
      context: () => 'test',
      compile: async (_name, signal) => {
        reads += 1;
        if (reads === 1) return pets('getPet')();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        return broken();
      },
      review: async (next) => next,
      record: (event) => events.push(event),
      changed: () => undefined,
    });
    await catalog.start();
    const underWay = catalog.refresh('pets');
    await expect.poll(() => reads).toBe(2);
    await catalog.close();
    await underWay;
    await catalog.refresh('pets');
    await catalog.replace(['pets'], []);
    await catalog.review();
    expect([reads, events]).toEqual([2, []]);
  });

  it('lets no source that is read slowly hold up the changes of others', async () => {
    const state: State = { pets: pets('getPet'), shops: pets('getShop') };
    const { catalog, slow } = await beingRead(state);
    const refreshed = catalog.refresh('pets');
    state['keys'] = () => catalogPart(compiledSource('keys', [plainOperation('getKey', 'keys')]));
    delete state['shops'];
    await catalog.replace(['keys'], ['shops']);
    expect(names(catalog)).toEqual(['getKey', 'getPet']);
    slow.resolve(pets('getPet', 'addPet')());
    await refreshed;
    expect(names(catalog)).toEqual(['addPet', 'getKey', 'getPet']);
  });

  it('keeps nothing that was read of a source which is another one by then, and records no failure of it', async () => {
    const state: State = { pets: pets('getPet'), shops: pets('getShop') };
    const { catalog, slow, events } = await beingRead(state);
    const refreshed = catalog.refresh('pets');
    await expect.poll(() => catalog.reads.isReading('pets')).toBe(true);
    delete state['pets'];
    await catalog.replace([], ['pets']);
    slow.resolve(pets('addPet')());
    state['pets'] = broken;
    await catalog.replace(['pets'], []);
    await refreshed;
    expect(names(catalog)).toEqual(['getShop']);
    expect(events.map(({ type }) => type)).toEqual(['source-failed']);
  });
});

/** A started catalog whose next read of `pets` is as slow as the test wants. */
async function beingRead(state: State) {
  const slow = Promise.withResolvers<CatalogPart>();
  const events: EventBody[] = [];
  let reads = 0;
  const catalog = new LiveCatalog({
    sources: () => Object.keys(state),
    context: () => 'test',
    compile: async (name) => {
      if (name === 'pets') reads += 1;
      return name === 'pets' && reads === 2 ? slow.promise : state[name]!();
    },
    review: async (next) => next,
    record: (event) => events.push(event),
    changed: () => undefined,
  });
  await catalog.start();
  return { catalog, slow, events };
}
