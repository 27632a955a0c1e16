import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { documentProblem, fetchApiDocument } from '../../src/connectors/api-document.ts';
import { createArmClient } from '../../src/connectors/arm-client.ts';
import { createEgress, type Egress } from '../../src/egress/index.ts';
import { type Answer, type LoopbackService, startLoopbackService } from '../doubles/loopback-service.ts';
import { manualClock } from './support/manual-clock.ts';
import { never, RETRY, settingsFor, tokensOf } from './support/open-room.ts';
import { APIS, armError, swagger } from './support/small-arm.ts';

const DOCUMENT = swagger('mail', 'Read');
let arm: LoopbackService;
let blobs: LoopbackService;
let egress: Egress;
let exported: Answer;
let blob: Answer;

beforeEach(async () => {
  blob = { status: 200, body: DOCUMENT };
  arm = await startLoopbackService('', () => exported);
  blobs = await startLoopbackService('', () => blob);
  egress = createEgress({ allow: [new URL(arm.url).host, new URL(blobs.url).host] });
});

afterEach(async () => {
  await egress.close();
  await arm.close();
  await blobs.close();
});

function fetched(armEndpoint = arm.url): Promise<string> {
  const settings = settingsFor(armEndpoint);
  const client = createArmClient({
    settings: settingsFor(arm.url),
    egress,
    tokens: tokensOf().tokens,
    clock: manualClock(),
    userAgent: () => 'toolcrib/test',
    retry: RETRY,
  });
  const options = { client, egress, armEndpoint: settings.armEndpoint, retry: RETRY };
  return fetchApiDocument({ name: 'mail', path: `${APIS}/mail` }, options, never);
}

const document = async () => JSON.parse(await fetched());
const problem = () => fetched().then(() => 'none', documentProblem);

describe('the document of an API', () => {
  it('is asked for with export=true', async () => {
    exported = { status: 200, body: DOCUMENT };
    expect(await document()).toEqual(DOCUMENT);
    expect(arm.requests[0]!.query).toContainEqual(['export', 'true']);
    expect(arm.requests[0]!.query).toContainEqual(['api-version', '2016-06-01']);
  });

  it('lies in properties.swagger', async () => {
    exported = {
      status: 200,
      body: { properties: { swagger: DOCUMENT, apiDefinitionUrl: 'https://not.asked' } },
    };
    expect(await document()).toEqual(DOCUMENT);
  });

  it.each(['apiDefinitionUrl', 'modifiedSwaggerUrl', 'originalSwaggerUrl'])(
    'lies where %s says, which gets no token',
    async (member) => {
      const url = `${blobs.url}/mail.json?sig=signature`;
      const properties =
        member === 'apiDefinitionUrl' ? { [member]: url } : { apiDefinitions: { [member]: url } };
      exported = { status: 200, body: { properties } };
      expect(await document()).toEqual(DOCUMENT);
      expect(blobs.requests[0]!.headers['authorization']).toBeUndefined();
      expect(blobs.requests[0]!.target).toBe('/mail.json?sig=signature');
    },
  );

  it('is looked for at the next address where the first has none', async () => {
    const apiDefinitions = {
      modifiedSwaggerUrl: 'ftp://nowhere/x',
      originalSwaggerUrl: `${blobs.url}/mail.json`,
    };
    exported = { status: 200, body: { properties: { apiDefinitions } } };
    expect(await document()).toEqual(DOCUMENT);
  });

  it('may have a byte order mark, comments and commas too many', async () => {
    const text = `\ufeff// by hand\n${JSON.stringify(DOCUMENT).replace(/\}$/, ',}')} /* end */`;
    exported = { status: 200, headers: { 'content-type': 'application/json' }, body: text };
    expect(await document()).toEqual(DOCUMENT);
  });
});

describe('an API without a document', () => {
  it.each<[string, Answer, RegExp]>([
    ['no schema', { status: 200, body: { properties: {} } }, /^no swagger schema returned$/],
    ['no object', { status: 200, body: [] }, /^no swagger schema returned$/],
    ['HTML', { status: 200, body: '<html>' }, /^schema fetch failed — the schema is no JSON/],
    [
      'a refusal',
      armError(403, 'AuthorizationFailed', 'No.'),
      /^schema fetch failed — .*403 AuthorizationFailed.*No/,
    ],
    ['an error', armError(500, 'Oops', 'Broken.'), /^schema fetch failed — .*500 Oops.*Broken/],
  ])('%s', async (_, answer, expected) => {
    exported = answer;
    expect(await problem()).toMatch(expected);
  });

  it('is no reason to ask a host over plain http, or one that is private', async () => {
    exported = {
      status: 200,
      body: { properties: { apiDefinitionUrl: 'http://blobs.example/x?sig=signature' } },
    };
    const said = await problem();
    expect(said).toContain('http://blobs.example, which is neither an https address nor the ARM endpoint');
    expect(said).not.toContain('signature');
    exported = {
      status: 200,
      body: { properties: { apiDefinitionUrl: 'https://169.254.169.254/x?sig=signature' } },
    };
    expect(await problem()).toMatch(/169\.254\.169\.254 is a link-local or cloud metadata address/);
    expect(blobs.requests).toEqual([]);
  });

  it('follows no redirect of a storage service', async () => {
    blob = { status: 302, headers: { location: `${arm.url}/x` } };
    exported = { status: 200, body: { properties: { apiDefinitionUrl: `${blobs.url}/x?sig=signature` } } };
    const said = await problem();
    expect(said).toMatch(/^schema fetch failed — .*redirect/);
    expect(said).not.toContain('signature');
    expect(arm.requests).toHaveLength(1);
  });

  it('says which host answered what', async () => {
    blob = { status: 404, body: 'gone' };
    exported = { status: 200, body: { properties: { apiDefinitionUrl: `${blobs.url}/x?sig=signature` } } };
    expect(await problem()).toBe(
      `schema fetch failed — ${new URL(blobs.url).host} answered 404 for its schema`,
    );
  });
});
