import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '../approved-calls.ts';
import { startGreenhouseV3 } from '../doubles/greenhouse-v3.ts';
import type { ProviderDouble } from '../doubles/provider-double.ts';
import { connectProvider, type ProviderClient } from '../providers/provider-client.ts';

let double: ProviderDouble;
let provided: ProviderClient;

const start = async (policy: object = {}) => {
  double = await startGreenhouseV3({ rateLimit: { requests: 1000, windowMs: 1000 } });
  provided = await connectProvider('greenhouse-v3', double, { rawProxy: true }, { policy });
};
beforeEach(() => start());
afterEach(async () => {
  await provided[Symbol.asyncDispose]();
  await double.close();
});

interface Answer {
  readonly status: number;
  readonly body: {
    readonly data?: unknown;
    readonly error?: { readonly message: string; readonly code: string; readonly approval?: string };
  };
}

async function send(line: string, more: object = {}): Promise<Answer> {
  const [method, path] = line.split(' ');
  const response = await fetch(new URL('/api/v1/ats/proxy', provided.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'greenhouse-v3', method, path, ...more }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

/** Sends what a person must agree to; answers with the approval's id. */
async function asked(line: string, more: object = {}): Promise<string> {
  const { status, body } = await send(line, more);
  expect([status, body.error?.code]).toEqual([409, 'approval_required']);
  return body.error!.approval!;
}

const reached = () => double.requests.map(({ method, path }) => `${method} ${path}`);

describe('a proxied request that deletes', () => {
  it('asks a person, and goes out once when it is sent again after the approval', async () => {
    const { status, body } = await send('DELETE /interviews/69306314');
    expect(status).toBe(409);
    const approval = body.error?.approval ?? '';
    expect(body).toEqual({
      error: { code: 'approval_required', message: expect.stringContaining(approval), approval },
    });
    expect(approval).toMatch(/^[0-9a-f]{32}$/);
    expect(await asked('DELETE /interviews/69306314')).toBe(approval);
    expect(reached()).toEqual([]);

    await provided.approve(approval);
    expect(await send('DELETE /interviews/69306314')).toMatchObject({
      status: 200,
      body: { meta: { provider: 'greenhouse-v3', method: 'DELETE', path: '/interviews/69306314' } },
    });
    expect(reached()).toEqual(['DELETE /interviews/69306314']);
    expect(await asked('DELETE /interviews/69306314')).not.toBe(approval);
    expect(reached()).toHaveLength(1);
  });

  it('is one call on the operation: its person sees which, with what', async () => {
    const approval = await asked('DELETE /interviews/69306314');
    const shown = await (await provided.gateway.approvals()).get(approval, { kind: 'operator' });
    expect(shown).toMatchObject({
      tool: 'ats-proxy',
      source: 'greenhouse-v3',
      operation: 'delete_interview',
      access: 'delete',
      preview: { 'path id': '69306314' },
    });
  });

  it('is told that a person refused it, once', async () => {
    const approval = await asked('DELETE /interviews/69306314');
    const approvals = await provided.gateway.approvals();
    await approvals.decide(approval, { decision: 'reject', reason: 'Not this one.' }, PERSON);
    // the same id means something else to another operation: nobody refused that
    await asked('DELETE /candidate_tags/69306314');
    expect(await send('DELETE /interviews/69306314')).toMatchObject({
      status: 403,
      body: { error: { code: 'approval_rejected', approval } },
    });
    expect(await asked('DELETE /interviews/69306314')).not.toBe(approval);
    expect(reached()).toEqual([]);
  });

  it('takes no other arguments from its person', async () => {
    const approval = await asked('DELETE /interviews/69306314');
    const approvals = await provided.gateway.approvals();
    for (const args of [{ 'path id': '1' }, { id: 1 }, {}]) {
      const edit = approvals.decide(approval, { decision: 'edit', arguments: args }, PERSON);
      await expect(edit).rejects.toMatchObject({ code: 'arguments_invalid' });
    }
    expect(await asked('DELETE /interviews/69306314')).toBe(approval);
    expect(reached()).toEqual([]);
  });

  it('is not covered by what was agreed for another one', async () => {
    const interview = await asked('DELETE /interviews/69306314');
    const tag = await asked('DELETE /candidate_tags/69306314');
    const other = await asked('DELETE /interviews/18');
    expect(new Set([interview, tag, other]).size).toBe(3);
    await provided.approve(interview);
    for (const [line, open] of [
      ['DELETE /candidate_tags/69306314', tag],
      ['DELETE /interviews/18', other],
      ['DELETE /interviews/69306314?force=true', undefined],
    ] as const) {
      const id = await asked(line);
      if (open !== undefined) expect(id).toBe(open);
    }
    expect(reached()).toEqual([]);
    expect(await send('DELETE /Interviews/%369306314')).toMatchObject({ status: 200 });
    expect(reached()).toEqual(['DELETE /interviews/69306314']);
  });

  it('asks also where no operation describes it', async () => {
    const approval = await asked('DELETE /houses/17');
    await provided.approve(approval);
    expect(await send('DELETE /houses/17')).toMatchObject({ status: 404, body: { error: { status: 404 } } });
    expect(reached()).toEqual(['DELETE /houses/17']);
  });

  it('shows the path that no operation describes in one piece, and sends it as it came', async () => {
    const approval = await asked('DELETE /houses/17%20b/rooms/3?force=true');
    const approvals = await provided.gateway.approvals();
    const shown = await approvals.get(approval, { kind: 'operator' });
    expect(shown?.preview).toEqual({ path: 'houses/17 b/rooms/3', 'query force': 'true' });
    await provided.approve(approval);
    await send('DELETE /houses/17%20b/rooms/3?force=true');
    expect(reached()).toEqual(['DELETE /houses/17%20b/rooms/3']);
  });

  it('shows the segments of such a path apart where a slash within one would read as two', async () => {
    const approval = await asked('DELETE /houses/17%2Frooms');
    const approvals = await provided.gateway.approvals();
    const shown = await approvals.get(approval, { kind: 'operator' });
    expect(shown?.preview).toEqual({ 'path s0': 'houses', 'path s1': '17/rooms' });
    await provided.approve(approval);
    await send('DELETE /houses/17%2Frooms');
    expect(reached()).toEqual(['DELETE /houses/17%2Frooms']);
  });

  it('is not approved by anything that the request says', async () => {
    const approval = await asked('DELETE /interviews/69306314');
    const claims = { approved: true, approval, _meta: { 'toolcrib/approval': approval } };
    await asked('DELETE /interviews/69306314', claims);
    await asked('DELETE /interviews/69306314', { headers: { 'x-approved': 'true' } });
    expect(reached()).toEqual([]);
  });
});

describe('what the policy says of the rest', () => {
  it('reads and, by default, writes ask nobody', async () => {
    expect(await send('GET /jobs')).toMatchObject({ status: 200 });
    expect(await send('PATCH /jobs/69306314', { body: { notes: 'Soon.' } })).toMatchObject({ status: 200 });
  });

  it('every write asks where the configuration says so', async () => {
    await provided[Symbol.asyncDispose]();
    await double.close();
    await start({ approvals: { write: 'ask' } });
    const approval = await asked('PATCH /jobs/69306314', { body: { notes: 'Soon.' } });
    await provided.approve(approval);
    await asked('PATCH /jobs/69306314', { body: { notes: 'Later.' } });
    expect(reached()).toEqual([]);
    expect(await send('PATCH /jobs/69306314', { body: { notes: 'Soon.' } })).toMatchObject({ status: 200 });
    expect(reached()).toEqual(['PATCH /jobs/69306314']);
  });

  it('what is agreed to from now on, where no operation describes it, holds for its method and path alone', async () => {
    await provided[Symbol.asyncDispose]();
    await double.close();
    await start({ approvals: { write: 'ask' } });
    const approvals = await provided.gateway.approvals();
    const always = async (line: string, more: object) =>
      approvals.decide(await asked(line, more), { decision: 'approve_always' }, PERSON);
    await always('POST /houses/17/notes', { body: { text: 'one' } });
    await send('POST /houses/17/notes', { body: { text: 'one' } });
    await send('POST /houses/17/notes', { body: { text: 'two' } });
    expect(reached()).toEqual(['POST /houses/17/notes', 'POST /houses/17/notes']);
    for (const line of ['POST /houses/18/notes', 'POST /houses/17/owners/notes', 'PUT /houses/17/notes'])
      await asked(line, { body: { text: 'one' } });
    // the same segments, cut elsewhere
    await always('POST /houses/a%2Fb/c', { body: { text: 'one' } });
    await asked('POST /houses/a/b%2Fc', { body: { text: 'one' } });
    expect(reached()).toHaveLength(2);
  });

  it('a budget that is used up keeps its own answer', async () => {
    await provided[Symbol.asyncDispose]();
    await double.close();
    await start({ budgets: [{ tool: 'ats-proxy', calls: 1 }] });
    expect(await send('GET /jobs')).toMatchObject({ status: 200 });
    expect(await send('GET /jobs')).toMatchObject({
      status: 429,
      body: { error: { code: 'budget_exceeded' } },
    });
    expect(reached()).toHaveLength(1);
  });
});
