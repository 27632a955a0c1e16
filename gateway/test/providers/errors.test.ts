import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/operations/index.ts';
import { startGreenhouse } from '../doubles/greenhouse.ts';
import { startGreenhouseV3 } from '../doubles/greenhouse-v3.ts';
import { startLever } from '../doubles/lever.ts';
import { startZohoRecruit, zohoToken } from '../doubles/zoho-recruit.ts';
import { connectForTest } from './provider-client.ts';
import { PROVIDERS, providerOf } from './shipped-providers.ts';

const WRONG: Readonly<Record<string, object>> = {
  greenhouse: { schemes: { basic: { apiKey: 'someone-else:' } } },
  'greenhouse-v3': { bearer: 'no-token-of-theirs' },
  'zoho-recruit': { bearer: zohoToken('eu') },
  lever: { bearer: 'someone-else' },
};
const READ: Readonly<Record<string, string>> = {
  greenhouse: 'list_jobs',
  'greenhouse-v3': 'list_jobs',
  'zoho-recruit': 'list_job_openings',
  lever: 'list_postings',
};

describe('an error of a provider reaches the caller with its status and its words', () => {
  const found = { message: 'Resource not found' };
  it.each<[string, string, JsonObject, number, JsonObject]>([
    ['greenhouse', 'get_candidate', { id: 1 }, 404, found],
    [
      'greenhouse',
      'create_candidate',
      { first_name: '', last_name: 'X' },
      422,
      {
        message: 'Validation error',
        errors: [{ message: 'Missing or invalid: first_name', field: 'first_name' }],
      },
    ],
    ['greenhouse-v3', 'update_job', { id: 404, name: 'X' }, 404, found],
    [
      'greenhouse-v3',
      'list_jobs',
      { cursor: 'abc' },
      422,
      { message: 'Validation error', errors: ['cursor is not valid'] },
    ],
    [
      'lever',
      'get_contact',
      { contact: 'nobody' },
      404,
      { code: 'ResourceNotFound', message: 'There is no such resource.' },
    ],
    [
      'lever',
      'list_tags',
      { offset: 'made-up' },
      400,
      { code: 'BadRequestError', message: 'offset is not one of ours.' },
    ],
    [
      'zoho-recruit',
      'search_candidates',
      { criteria: 'unreadable' },
      400,
      { code: 'INVALID_QUERY', message: 'Criteria unreadable.', status: 'error', details: {} },
    ],
  ])('%s %s %o: %i', async (manifest, operation, args, status, body) => {
    const provider = providerOf(manifest);
    const double = await provider.start();
    const { call, gateway } = await connectForTest(manifest, double);
    const answer = await call(operation, args);
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(String(status));
    expect(answer.text).toContain(body['message']);
    const direct = await gateway.call({ tool: provider.prefix + operation, arguments: args });
    expect(direct).toMatchObject({ error: { code: 'upstream_status', status, details: { body } } });
    expect(double.requests.map((request) => request.status)).toEqual([status, status]);
  });

  it.each(PROVIDERS)(
    '$manifest: 401 for a wrong credential, which the answer does not show',
    async ({ manifest, start }) => {
      const double = await start();
      const { call } = await connectForTest(manifest, double, {
        credentials: WRONG[manifest],
        ...(manifest === 'greenhouse-v3' ? { actingUser: undefined } : {}),
      });
      const answer = await call(READ[manifest]!);
      expect(answer.isError).toBe(true);
      expect(answer.text).toContain('401');
      expect(answer.text).not.toMatch(/someone-else|no-token-of-theirs|zoho-eu-token/);
    },
  );

  it('greenhouse: 403 for an acting user whom it does not know', async () => {
    const double = await startGreenhouse({ users: ['1'] });
    const { call } = await connectForTest('greenhouse', double);
    const answer = await call('unreject_application', { id: 69306314 });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('403');
    expect(double.requests[0]!.headers['on-behalf-of']).toBe('158104');
  });

  it('a fault of the provider is not tried again for a write', async () => {
    const double = await startLever();
    const { call } = await connectForTest('lever', double);
    double.answerNext({ status: 500, body: { code: 'ServerError', message: 'Sorry.' } });
    const tags = { opportunity: '250d8f03-738a-4bba-a671-8a3d73477145', tags: ['x'] };
    const answer = await call('add_opportunity_tags', tags);
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('500');
    expect(double.requests).toHaveLength(1);
  });

  it('a connection that breaks during a write leaves its outcome unknown, and says so', async () => {
    const double = await startGreenhouse();
    const { call } = await connectForTest('greenhouse', double);
    double.answerNext('drop');
    const answer = await call('create_candidate', { first_name: 'Nadia', last_name: 'X' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/outcome_unknown|may have happened/);
    expect(double.requests).toHaveLength(1);
  });
});

describe('zoho-recruit answers 2xx to records that failed', () => {
  it.each([
    ['an id that is not there', 'update_candidate', { id: '1', City: undefined, Phone: '1' }, /INVALID_DATA/],
    [
      'a needed field that is empty',
      'create_candidate',
      { Last_Name: '' },
      /MANDATORY_NOT_FOUND.*Last_Name/s,
    ],
  ])('%s: code and field are in the answer', async (_what, operation, args, words) => {
    const double = await startZohoRecruit();
    const { call } = await connectForTest('zoho-recruit', double);
    const answer = await call(operation, JSON.parse(JSON.stringify(args)));
    expect(double.requests.map(({ status }) => status)).toEqual([202]);
    expect(answer.text).toMatch(/"status":\s*"error"/);
    expect(answer.text).toMatch(words);
  });

  it('a change of status answers a list of lists', async () => {
    const double = await startZohoRecruit();
    const { call } = await connectForTest('zoho-recruit', double);
    const answer = await call('update_candidate_status', {
      ids: ['409001000000312001', '7'],
      jobids: ['409001000000417001'],
      Candidate_Status: 'Hired',
    });
    expect(answer.text).toMatch(/SUCCESS/);
    expect(answer.text).toMatch(/INVALID_DATA/);
  });
});

describe('greenhouse-v3 tokens', () => {
  it('one that ended is renewed, and the call goes on', async () => {
    const double = await startGreenhouseV3();
    const { call } = await connectForTest('greenhouse-v3', double);
    expect(await call('list_jobs')).toMatchObject({ isError: false });
    double.expireTokens();
    expect(await call('list_jobs')).toMatchObject({ isError: false });
    expect(double.requests.map(({ status }) => status)).toEqual([200, 401, 200]);
    expect(double.tokenService.requests).toHaveLength(2);
  });

  it('are asked for by Basic and a form that names who acts, once for many calls', async () => {
    const double = await startGreenhouseV3();
    const { call } = await connectForTest('greenhouse-v3', double);
    await Promise.all(['list_jobs', 'list_offices', 'list_sources'].map((operation) => call(operation)));
    expect(double.tokenService.requests).toHaveLength(1);
    const [request] = double.tokenService.requests;
    expect(request!.headers.authorization).toBe(`Basic ${btoa('gh-client:gh-secret')}`);
    const form = Object.fromEntries(new URLSearchParams(request!.body.toString()));
    expect(form).toEqual({ grant_type: 'client_credentials', sub: '158104' });
  });

  it('without an acting user reads go as the integration itself, and writes are refused unsent', async () => {
    const double = await startGreenhouseV3();
    const { call } = await connectForTest('greenhouse-v3', double, { actingUser: undefined });
    expect(await call('list_jobs')).toMatchObject({ isError: false });
    expect(double.subjectOf(double.requests[0]!)).toBeUndefined();
    const answer = await call('create_department', { name: 'Port' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/acts/);
    expect(double.requests).toHaveLength(1);
  });
});
