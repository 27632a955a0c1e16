import { expect, test } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../../src/operations/index.ts';
import { createPublishedLists } from '../../../src/server/mcp/published-lists.ts';
import { functionGateway } from '../function-gateway.ts';

const tools = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `tool_${String(index).padStart(3, '0')}`,
    description: 'x'.repeat(900),
    handler: () => null,
  }));
const names = (items: readonly object[]) => items.map((item) => (item as { name: string }).name);

test('one page holds everything up to the limit', () => {
  const lists = createPublishedLists(functionGateway({ tools: tools(50) }))(LOCAL_PRINCIPAL);
  const page = lists.page('tools', undefined);
  expect(page.items).toHaveLength(50);
  expect(page).not.toHaveProperty('nextCursor');
});

test('above it pages follow each other, in order, each within the limit', () => {
  const lists = createPublishedLists(functionGateway({ tools: tools(50) }), 10_000)(LOCAL_PRINCIPAL);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = lists.page('tools', cursor);
    expect(JSON.stringify(page.items).length).toBeLessThanOrEqual(10_000);
    seen.push(...names(page.items));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(tools(50).map(({ name }) => name));
});

test('a tool larger than a page has a page of its own', () => {
  const lists = createPublishedLists(functionGateway({ tools: tools(3) }), 100)(LOCAL_PRINCIPAL);
  expect(lists.page('tools', undefined).items).toHaveLength(1);
});

test('a cursor of another list, catalog or view is refused', () => {
  const gateway = functionGateway({ tools: tools(50) });
  const listsOf = createPublishedLists(gateway, 10_000);
  const cursor = listsOf(LOCAL_PRINCIPAL).page('tools', undefined).nextCursor!;
  const refused = (lists: ReturnType<typeof listsOf>, kind: 'tools' | 'prompts', given: string) =>
    expect(() => lists.page(kind, given)).toThrow(expect.objectContaining({ code: 'cursor_invalid' }));
  refused(listsOf(LOCAL_PRINCIPAL), 'prompts', cursor);
  refused(listsOf(LOCAL_PRINCIPAL), 'tools', 'made-up');
  const sameRights = listsOf({ ...LOCAL_PRINCIPAL, id: 'other' });
  expect(sameRights.page('tools', cursor)).toBe(listsOf(LOCAL_PRINCIPAL).page('tools', cursor));
  gateway.swap({ tools: tools(51) });
  refused(listsOf(LOCAL_PRINCIPAL), 'tools', cursor);
});

test('lists are made once for a catalog and principal', () => {
  const gateway = functionGateway({ tools: tools(3) });
  const listsOf = createPublishedLists(gateway);
  const before = listsOf(LOCAL_PRINCIPAL).page('tools', undefined);
  expect(listsOf({ ...LOCAL_PRINCIPAL }).page('tools', undefined)).toBe(before);
  gateway.swap({ tools: tools(4) });
  expect(listsOf(LOCAL_PRINCIPAL).page('tools', undefined).items).toHaveLength(4);
});

test('what is internal stays internal', () => {
  const gateway = functionGateway({
    resources: [{ uri: 'test://a', name: 'a', read: () => ({ text: '' }) }],
  });
  const { items } = createPublishedLists(gateway)(LOCAL_PRINCIPAL).page('resources', undefined);
  expect(items).toEqual([{ uri: 'test://a', name: 'a' }]);
});
