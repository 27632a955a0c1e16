import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Configuration } from '../../../src/config/configuration.ts';
import type { Principal } from '../../../src/operations/index.ts';
import { checkArguments } from '../../../src/router/layers/validate-arguments.ts';
import { ROUTES } from '../../../src/server/http/routes/index.ts';
import { createValidator } from '../../../src/validation/validator.ts';
import {
  ADD_ITEM,
  ANN,
  type ApprovalBench,
  approvalBench,
  BOB,
  DELETE_ITEM,
  EVERYTHING,
} from '../../approvals/support/approval-bench.ts';
import { type HttpEndpoint, httpEndpoint } from './http-endpoint.ts';

const APPROVER = `tca_${'a'.repeat(43)}`;
/** Bearer credentials of a team, and who they stand for. */
const USERS: Readonly<Record<string, Principal>> = {
  'ann-key': ANN,
  'ann-approver-key': { ...ANN, purpose: 'approve', sources: [] },
  'bob-key': BOB,
  'bob-approver-key': { ...BOB, purpose: 'approve', sources: [] },
  'eve-approver-key': { ...BOB, id: 'eve', organisation: 'other', purpose: 'approve', sources: [] },
};

let bench: ApprovalBench;
let local: HttpEndpoint;
let team: HttpEndpoint;

beforeAll(async () => {
  const validator = createValidator();
  bench = approvalBench(undefined, {
    checkEdit: ({ tool }, args) => checkArguments(validator, DELETE_ITEM.input, args, tool),
  });
  bench.policy = { ...bench.policy, write: 'ask' };
  const admin = {
    approvals: async () => bench.approvals,
    profile: async (principal: Principal) => ({
      roles: principal.id === 'ann' ? [] : ['admin'],
      sources: [],
      effectiveAccess: {},
    }),
    configuration: { policy: { defaults: { organisation: {}, user: {} } } } as unknown as Configuration,
  };
  const isApprover = async (bearer: string) => bearer === APPROVER;
  local = await httpEndpoint({ tools: [] } as never, { token: 'server-token' }, admin, { isApprover });
  team = await httpEndpoint({ tools: [] } as never, {}, admin, {
    isApprover,
    authenticate: async (bearer) => {
      const principal = USERS[bearer];
      if (principal === undefined) throw new Error('unknown');
      return principal;
    },
  });
});
afterAll(async () => {
  await local[Symbol.asyncDispose]();
  await team[Symbol.asyncDispose]();
});

const send = async (endpoint: HttpEndpoint, bearer: string, path: string, body?: object, method = 'POST') => {
  const response = await endpoint.request(path, {
    method: body === undefined && method === 'POST' ? 'GET' : method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
};
let asked = 0;
/** Each of a moment of its own. */
const pending = async () => {
  bench.now += 1;
  return (await bench.told({ id: ++asked })).approval;
};
const stateOf = async (id: string) => (await bench.approvals.get(id, EVERYTHING)).state;

describe('deciding over HTTP', () => {
  it('is for the approver token, not for the token with which tools are called', async () => {
    const id = await pending();
    const path = `/api/v1/approvals/${id}/decision`;
    const refused = await send(local, 'server-token', path, { decision: 'approve' });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'approval_forbidden']);
    expect((await send(local, `${APPROVER}x`, path, { decision: 'approve' })).status).toBe(401);
    expect(await stateOf(id)).toBe('pending');
    const decided = await send(local, APPROVER, path, { decision: 'approve' });
    expect(decided.body).toMatchObject({ id, state: 'approved', channel: 'http', card: { receipt: {} } });
  });

  it.each([
    ["the caller's own key", 'ann-key', 403, 'approval_forbidden'],
    ["the caller's own key for deciding", 'ann-approver-key', 403, 'approval_forbidden'],
    ["an approver's ordinary key", 'bob-key', 403, 'approval_forbidden'],
    ['an approver of another organisation', 'eve-approver-key', 404, 'approval_unknown'],
  ])('in a team refuses %s', async (_, bearer, status, code) => {
    const id = await pending();
    const answer = await send(team, bearer, `/api/v1/approvals/${id}/decision`, { decision: 'approve' });
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(await stateOf(id)).toBe('pending');
    // whoever has the link decides
    const link = await send(team, bearer, `/api/v1/approvals/${id}/link`, {});
    expect([link.status, link.body.error?.code, link.body.url]).toEqual([status, code, undefined]);
  });

  it('in a team takes the word of an approver', async () => {
    const id = await pending();
    const answer = await send(team, 'bob-approver-key', `/api/v1/approvals/${id}/decision`, {
      decision: 'reject',
      reason: 'No.',
    });
    expect(answer.body).toMatchObject({ state: 'denied', decidedBy: 'bob', note: 'No.' });
    const again = await send(team, 'bob-approver-key', `/api/v1/approvals/${id}/decision`, {
      decision: 'approve',
    });
    expect([again.status, again.body.error.code]).toEqual([409, 'approval_decided']);
  });

  it.each([{ decision: 'Approve' }, { decision: ['approve'] }, { approved: true }, { decision: 'edit' }])(
    'reads nothing into %j',
    async (body) => {
      const id = await pending();
      const { status } = await send(local, APPROVER, `/api/v1/approvals/${id}/decision`, body);
      expect([status, await stateOf(id)]).toEqual([400, 'pending']);
    },
  );

  it('is all that such a credential can do', async () => {
    const others = ROUTES.filter(({ tag }) => tag !== 'approvals' && tag !== 'sessions').map(
      ({ method, path }) => [method.toUpperCase(), path] as const,
    );
    expect(others.length).toBeGreaterThan(20);
    for (const [method, path] of [...others, ['GET', '/metrics'] as const]) {
      const { status } = await local.request(path.replaceAll(/\{\w+\}/g, 'x'), {
        method,
        headers: { authorization: `Bearer ${APPROVER}` },
      });
      expect([method, path, status]).toEqual([method, path, 403]);
    }
    const mcp = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    expect((await send(local, APPROVER, '/mcp', mcp)).status).toBe(403);
    expect((await send(team, 'bob-approver-key', '/mcp', mcp)).status).toBe(403);
  });
});

describe('looking over HTTP', () => {
  it('lists, by state, and shows one with its card', async () => {
    const id = await pending();
    const { approvals } = (await send(local, 'server-token', '/api/v1/approvals?state=pending')).body;
    expect(approvals[0]).toMatchObject({ id, state: 'pending', card: { variant: 'destructive' } });
    expect(JSON.stringify(approvals)).not.toContain('/approve/');
    expect((await send(team, 'ann-key', `/api/v1/approvals/${id}`)).body.id).toBe(id);
    expect((await send(team, 'eve-approver-key', `/api/v1/approvals/${id}`)).status).toBe(404);
    expect((await send(team, 'ann-key', `/api/v1/approvals/${'0'.repeat(32)}`)).status).toBe(404);
  });

  it('lists and revokes standing approvals', async () => {
    const id = await pending();
    await send(local, APPROVER, `/api/v1/approvals/${id}/decision`, { decision: 'approve_always' });
    const { standing } = (await send(team, 'ann-key', '/api/v1/approvals/standing')).body;
    expect(standing).toMatchObject([{ approval: id, argumentsHash: expect.any(String) }]);
    const path = `/api/v1/approvals/standing/${standing[0].id}`;
    expect((await send(team, 'eve-approver-key', path, undefined, 'DELETE')).status).toBe(404);
    expect((await send(team, 'ann-key', path, undefined, 'DELETE')).status).toBe(204);
    expect(await bench.approvals.standing(EVERYTHING)).toEqual([]);
  });
});

describe('lists of approvals over HTTP', () => {
  const page = async (bearer: string, query: string) => {
    const { status, body } = await send(team, bearer, `/api/v1/approvals?${query}`);
    const { approvals, next, error } = body;
    return { status, ids: approvals?.map(({ id }: { id: string }) => id), next, code: error?.code };
  };

  it('go on where the page before ended, each approval once', async () => {
    for (let made = 0; made < 3; made++) await pending();
    const all = (await page('bob-key', 'limit=1000')).ids;
    expect(all.length).toBeGreaterThan(3);
    const found: string[] = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const one = await page('bob-key', `limit=2${next === '' ? '' : `&before=${next}`}`);
      expect(one.ids.length).toBeLessThanOrEqual(2);
      found.push(...one.ids);
      next = one.next;
    }
    expect(found).toEqual(all);
  });

  it('hold one tool, one source, one caller, and nobody else’s for whoever sees only the own', async () => {
    const id = await pending();
    bench.now += 1;
    const { approval } = await bench.told({ id: ++asked }, { operation: ADD_ITEM, principal: BOB });
    expect((await page('bob-key', 'tool=stock_addItem')).ids).toEqual([approval]);
    expect((await page('bob-key', 'source=stock&limit=1')).ids).toEqual([approval]);
    expect((await page('bob-key', 'source=other')).ids).toEqual([]);
    expect((await page('bob-key', 'principal=ann&limit=1')).ids).toEqual([id]);
    expect((await page('bob-key', 'principal=bob')).ids).toEqual([approval]);
    expect((await page('ann-key', 'principal=bob')).ids).toEqual([]);
    expect((await page('ann-key', `before=${approval}`)).code).toBe('approval_unknown');
    expect((await page('eve-approver-key', 'principal=ann')).ids).toEqual([]);
  });

  it('are counted without being read, for each what the list shows', async () => {
    const count = async (bearer: string) => (await send(team, bearer, '/api/v1/approvals/pending')).body;
    const listed = async (bearer: string) => ({
      pending: (await page(bearer, 'state=pending&limit=1000')).ids.length,
    });
    await pending();
    for (const bearer of ['ann-key', 'bob-key', 'eve-approver-key']) {
      expect([bearer, await count(bearer)]).toEqual([bearer, await listed(bearer)]);
    }
    expect(await count('eve-approver-key')).toEqual({ pending: 0 });
    expect((await count('bob-key')).pending).toBeGreaterThan((await count('eve-approver-key')).pending);
  });
});

describe('checking other arguments over HTTP', () => {
  it('decides nothing, and says what does not fit', async () => {
    const id = await pending();
    const path = `/api/v1/approvals/${id}/check`;
    expect((await send(team, 'bob-key', path, { arguments: { id: 7 } })).status).toBe(204);
    const wrong = await send(team, 'bob-key', path, { arguments: { id: 'seven', other: 1 } });
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'arguments_invalid']);
    expect(wrong.body.error.message).toMatch(/"other" is not known.*"id" must be integer/);
    expect((await send(team, 'eve-approver-key', path, { arguments: {} })).body.error.code).toBe(
      'approval_unknown',
    );
    expect(await stateOf(id)).toBe('pending');
    await send(local, APPROVER, `/api/v1/approvals/${id}/decision`, { decision: 'reject' });
    expect((await send(team, 'bob-key', path, { arguments: { id: 7 } })).body.error.code).toBe(
      'approval_decided',
    );
  });
});

describe('the page of a link', () => {
  const open = async () => {
    const id = await pending();
    const { url } = (await send(local, APPROVER, `/api/v1/approvals/${id}/link`, {})).body;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/approve\/[\w-]{72}$/);
    return { id, path: new URL(url).pathname };
  };
  const submit = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    local.request(path, { method: 'POST', body: new URLSearchParams(fields), headers });

  it('shows the card and changes nothing, however often it is opened', async () => {
    const { id, path } = await open();
    for (let time = 0; time < 2; time++) {
      const response = await local.request(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'nonce-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
      );
      expect(response.headers.get('referrer-policy')).toBe('same-origin');
      const html = await response.text();
      expect(html).toContain('stock_deleteItem');
      expect(html).not.toMatch(/<script/i);
    }
    expect(await stateOf(id)).toBe('pending');
  });

  it('decides once', async () => {
    const { id, path } = await open();
    expect(await (await submit(path, { decision: 'approve' })).text()).toContain('Approved');
    expect(await stateOf(id)).toBe('approved');
    const late = await (await submit(path, { decision: 'reject' })).text();
    expect(late).not.toContain('<form');
    expect(await stateOf(id)).toBe('approved');
  });

  it('lets the person edit, and correct a slip', async () => {
    const { id, path } = await open();
    const slip = await submit(path, { decision: 'edit', arguments: '{id: 7' });
    expect([slip.status, await stateOf(id)]).toEqual([400, 'pending']);
    // nothing that was written is lost
    expect(await slip.text()).toMatch(/<details open>.*<textarea[^>]*>\n\{id: 7<\/textarea>/s);
    for (const [written, problem] of [
      ['{"id": 9007199254740993}', '9007199254740993 would lose digits'],
      ['{"id": true}', 'id'],
    ] as const) {
      const other = await submit(path, { decision: 'edit', arguments: written });
      expect([other.status, await stateOf(id)]).toEqual([400, 'pending']);
      const html = await other.text();
      expect(/<p class="problem"[^>]*>(.*?)<\/p>/.exec(html)?.[1]).toContain(problem);
      expect(html).toMatch(/<details open>.*<textarea/s);
    }
    await submit(path, { decision: 'edit', arguments: '{"id": 7}' });
    expect((await bench.approvals.gate.get(id))?.edited).toEqual({ id: 7 });
  });

  it.each(['approve', 'approve_always'])(
    'does not %s what was edited, nor what was before',
    async (decision) => {
      const { id, path } = await open();
      const { preview } = (await bench.approvals.gate.get(id))!;
      for (const edited of ['{"id": 12345}', '{id: 7', '[]', '"a"']) {
        const slip = await submit(path, { decision, arguments: edited });
        expect([slip.status, await stateOf(id)]).toEqual([400, 'pending']);
        expect(await slip.text()).toContain('The arguments were edited');
      }
      // as a form writes its lines
      const shown = JSON.stringify(preview, null, 2).replaceAll('\n', '\r\n');
      expect((await submit(path, { decision, arguments: shown })).status).toBe(200);
      expect(await stateOf(id)).toBe('approved');
    },
  );

  it('can only be rejected from the line of the reason, where Enter presses the first button', async () => {
    const { path } = await open();
    const html = await (await local.request(path)).text();
    const forms = html.match(/<form.*?<\/form>/gs)!;
    const withLines = forms.filter((form) => form.includes('<input'));
    expect(withLines).toEqual([expect.stringMatching(/^<form method="post" id="rejection">/)]);
    expect(withLines[0]).not.toContain('<button');
    const owned = html.match(/<button[^>]*form="rejection"[^>]*>/g);
    expect(owned).toEqual(['<button name="decision" value="reject" form="rejection">']);
    const approving = html.match(/<button[^>]*value="(?:approve|approve_always|edit)"[^>]*>/g)!;
    expect(approving.every((button) => !button.includes('form='))).toBe(true);
  });

  it.each([{}, { decision: 'approved' }, { decision: '' }])('takes %j for a rejection', async (fields) => {
    const { id, path } = await open();
    await submit(path, fields as Record<string, string>);
    expect(await stateOf(id)).toBe('denied');
  });

  it('is not served to other pages, and not for a changed link', async () => {
    const { id, path } = await open();
    const foreign = await submit(path, { decision: 'approve' }, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    const changed = `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`;
    expect((await submit(changed, { decision: 'approve' })).status).toBe(404);
    expect(await stateOf(id)).toBe('pending');
  });

  it('escapes what others wrote', async () => {
    const { approval } = await bench.told({ id: ++asked, note: '<img src=x onerror=alert(1)>"\'' });
    const path = await bench.approvals.link(approval, EVERYTHING);
    const html = await (await local.request(path)).text();
    expect(html).not.toContain('<img');
    expect(html).toContain('&#60;img');
  });

  it('is nothing that a tool reaches', async () => {
    const { path } = await open();
    const request = new Request(new URL(path, local.url), { method: 'POST' });
    const principal = { id: 'local', kind: 'local', maxAccess: 'delete', roles: [] } as const;
    expect((await local.server.fetchAs(request, { principal, depth: 1 })).status).toBe(404);
  });
});
