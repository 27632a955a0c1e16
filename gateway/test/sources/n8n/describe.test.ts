import { describe, expect, it } from 'vitest';
import { n8nShape } from '../../../src/config/schema/n8n.ts';
import { refreshInterval } from '../../../src/sources/n8n/refresh.ts';
import { active, describeWorkflows, http, page, webhook } from './describing.ts';

const flow = (name: string, id = name, parameters = {}) =>
  active(name, [webhook({ path: `p-${id}`, httpMethod: 'POST', ...parameters })], id);

describe('asking the public API', () => {
  it('reads page by page, with the key by reference and never in the address', async () => {
    const apiKey = { env: 'N8N_API_KEY' };
    const pages = [page([flow('A')], 'next one'), page([flow('B')])];
    const { operations, asked } = await describeWorkflows(pages, {
      apiKey,
      url: 'http://127.0.0.1:5678/sub/',
    });
    expect(operations.map(({ name }) => name)).toEqual(['A', 'B']);
    const access = { headers: { 'X-N8N-API-KEY': apiKey }, place: 'sources.flows.n8n.apiKey' };
    expect(asked).toEqual([
      { location: 'http://127.0.0.1:5678/sub/api/v1/workflows?active=true&limit=250', access },
      {
        location: 'http://127.0.0.1:5678/sub/api/v1/workflows?active=true&limit=250&cursor=next+one',
        access,
      },
    ]);
  });

  it('tags, project and pinned data are asked for as configured', async () => {
    const settings = { tags: ['tool', 'public'], project: 'p1', pinnedData: false };
    const { asked } = await describeWorkflows([page([])], settings);
    expect(new URL(asked[0]!.location).search).toBe(
      '?active=true&limit=250&tags=tool%2Cpublic&projectId=p1&excludePinnedData=true',
    );
  });

  it('a tag with a comma, at which n8n would cut, is looked for in what it lists', async () => {
    const tagged = (name: string, ...tags: string[]) => ({
      ...flow(name),
      tags: tags.map((tag) => ({ id: tag, name: tag })),
    });
    const pages = [page([tagged('A', 'tool', 'b2b, b2c'), tagged('B', 'tool', 'b2b'), tagged('C', 'tool')])];
    const { asked, operations } = await describeWorkflows(pages, { tags: ['tool', 'b2b, b2c'] });
    expect(new URL(asked[0]!.location).searchParams.get('tags')).toBe('tool');
    expect(operations.map(({ name }) => name)).toEqual(['A']);
  });

  it.each([
    ['no JSON', '<html>'],
    ['no list', { message: 'hello' }],
  ])('%s is no n8n', async (_what, answer) => {
    await expect(describeWorkflows([answer])).rejects.toMatchObject({ code: 'source_invalid' });
  });

  it('a cursor that leads back is not followed forever', async () => {
    const pages = [page([], 'a'), page([], 'b'), page([], 'a')];
    await expect(describeWorkflows(pages)).rejects.toMatchObject({ code: 'source_invalid' });
  });

  it('what is no workflow costs itself alone', async () => {
    const { operations } = await describeWorkflows([page([null, { id: 1 }, flow('A')])]);
    expect(operations.map(({ name }) => name)).toEqual(['A']);
  });
});

describe('an instance of which nothing becomes a tool says why', () => {
  it.each([
    ['nothing is active', [], {}, 'no active workflow: activate'],
    ['the tags fit none', [], { tags: ['tool'], project: 'p1' }, 'with the tags tool of the project p1'],
    ['include fits none', [flow('Find order')], { include: ['find order'] }, 'such as "Find order"'],
    [
      'all are excluded',
      [flow('A'), flow('B')],
      { exclude: ['*'] },
      'None of the 2 active workflows is wanted',
    ],
    ['none has a webhook', [active('Nightly', [])], {}, 'None of the 1 workflows begins with a Webhook node'],
    ['it is off', [active('A', [webhook({}, { disabled: true })])], {}, 'that is on'],
  ] as const)('%s', async (_what, workflows, settings, says) => {
    const { operations, diagnostics } = await describeWorkflows([page(workflows)], settings);
    expect(operations).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: 'n8n-nothing-found', severity: 'warning' }]);
    expect(diagnostics[0]!.message).toContain(says);
  });

  it('and of which something does says nothing', async () => {
    expect((await describeWorkflows([page([flow('A'), active('B', [])])])).diagnostics).toEqual([]);
  });
});

describe('which workflows', () => {
  const pages = [page([flow('Sales: new'), flow('Sales: list'), flow('Internal', 'x1')])];
  it.each([
    [{ include: ['Sales: *'] }, ['Sales: list', 'Sales: new']],
    [{ include: ['x1'] }, ['Internal']],
    [{ include: ['*l*'], exclude: ['Sales: list'] }, ['Sales: new', 'Internal']],
    [{ exclude: ['*'] }, []],
  ])('%j', async (settings, names) => {
    const { operations } = await describeWorkflows(pages, settings);
    expect(operations.map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  it('names that mean no workflow are told: an exclude with a slip of the pen leaves none out', async () => {
    const settings = { include: ['Sales: *', 'Nightly'], exclude: ['sales: new', 'Sales: list'] };
    const { operations, diagnostics } = await describeWorkflows(pages, settings);
    expect(operations.map(({ name }) => name)).toEqual(['Sales: new']);
    expect(diagnostics).toMatchObject([
      {
        code: 'n8n-selector-unmatched',
        severity: 'warning',
        message: 'include names "Nightly", which is no active workflow: it brings none in.',
      },
      {
        code: 'n8n-selector-unmatched',
        severity: 'warning',
        message: 'exclude names "sales: new", which is no active workflow: it leaves none out.',
      },
    ]);
  });

  it('tags of the workflow are tags of the operation', async () => {
    const tagged = { ...flow('A'), tags: [{ id: 't1', name: 'billing' }] };
    const { operations } = await describeWorkflows([page([tagged])]);
    expect(operations[0]!.tags).toEqual(['billing']);
  });

  it.each([
    ['a Latin name stays', 'Bücher', 'Bücher', 'orders'],
    ['and digits', '2024', '2024', 'orders'],
    ['another script gives way to the address', '注文を探す', 'post orders/find', 'orders/find'],
    ['and what is no letter', '🙂', 'post orders', 'orders'],
    ['a digit does not make it readable', '注文 2', 'post orders', 'orders'],
    ['without the webhook id that n8n puts before parameters', '注文', 'post orders/{id}', 'orders/:id'],
  ])('%s', async (_what, workflow, name, path) => {
    const { operations } = await describeWorkflows([page([flow(workflow, 'w1', { path })])]);
    expect(operations).toMatchObject([{ name, title: `n8n.${workflow}` }]);
  });

  it('the order in which the API lists them changes nothing', async () => {
    const two = [flow('Same', 'w1'), flow('Same', 'w2')];
    const one = await describeWorkflows([page(two)]);
    const other = await describeWorkflows([page([...two].reverse())]);
    expect(other.operations).toEqual(one.operations);
    expect(other.fingerprint).toBe(one.fingerprint);
  });

  it('of two at one address the first is described, and the other reported', async () => {
    const { operations, diagnostics } = await describeWorkflows([
      page([flow('A', 'w1', { path: 'same' }), flow('B', 'w2', { path: 'same' })]),
    ]);
    expect(operations.map(({ name }) => name)).toEqual(['A']);
    expect(diagnostics).toMatchObject([{ code: 'n8n-address-twice' }]);
  });
});

describe('listed by hand', () => {
  it('needs no key and asks nobody', async () => {
    const workflows = [
      {
        name: 'Invoice',
        path: '/invoice/:number',
        authentication: 'header' as const,
        credential: 'Partner',
        header: 'X-Partner',
        access: 'read' as const,
      },
    ];
    const { operations, asked, securitySchemes } = await describeWorkflows([], {
      apiKey: undefined,
      workflows,
    });
    expect(asked).toEqual([]);
    expect(operations).toMatchObject([
      { id: 'POST /webhook/invoice/{number}', name: 'Invoice', title: 'n8n.Invoice', access: 'read' },
    ]);
    expect(http(operations[0]!).security).toEqual([{ Partner: [] }]);
    expect(securitySchemes).toEqual({ Partner: { type: 'apiKey', in: 'header', name: 'X-Partner' } });
  });

  it('wins over what the API says of the same address', async () => {
    const workflows = [{ name: 'Mine', path: 'p-A', description: 'By hand.' }];
    const { operations, diagnostics } = await describeWorkflows([page([flow('A')])], { workflows });
    expect(operations).toMatchObject([{ name: 'Mine', description: 'By hand.' }]);
    expect(diagnostics).toEqual([]);
  });
});

describe('the configuration', () => {
  it.each([
    ['neither key nor workflows', { url: 'http://127.0.0.1' }],
    ['no URL', { apiKey: 'k' }],
    ['another protocol', { url: 'ftp://127.0.0.1', apiKey: 'k' }],
    ['user information', { url: 'http://a:b@127.0.0.1', apiKey: 'k' }],
    ['an unknown member', { url: 'http://127.0.0.1', apiKey: 'k', apikey: 'k' }],
    ['a header that is none', { url: 'http://127.0.0.1', apiKey: 'k', authHeaders: { a: 'b c' } }],
    ['a refresh without unit', { url: 'http://127.0.0.1', apiKey: 'k', refresh: '30' }],
  ])('%s is refused', (_what, settings) => {
    expect(n8nShape.safeParse(settings).success).toBe(false);
  });

  it.each<[object, number | undefined]>([
    [{ apiKey: 'k' }, 30_000],
    [{ apiKey: 'k', refresh: '5m' }, 300_000],
    [{ apiKey: 'k', refresh: 1500 }, 1500],
    [{ apiKey: 'k', refresh: '0.1s' }, 1000],
    [{ apiKey: 'k', refresh: false }, undefined],
    [{ refresh: '5s' }, undefined],
  ])('%j is listed again after %s ms', (settings, expected) => {
    expect(refreshInterval(settings)).toBe(expected);
  });
});
