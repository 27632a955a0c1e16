import { describe, expect, it } from 'vitest';
import { buildRequest } from '../../../src/executors/http/index.ts';
import { type Connection, DEFAULT_LIMITS, type JsonObject } from '../../../src/operations/index.ts';
import {
  describeManifestValue,
  type ProviderManifest,
  type ProviderOperation,
} from '../../../src/sources/manifest/index.ts';
import { manifestWith } from './item-manifest.ts';

function send(
  operation: Partial<ProviderOperation>,
  args: JsonObject,
  head: Partial<ProviderManifest> = {},
  account: Partial<Connection> = {},
) {
  const { operations } = describeManifestValue(manifestWith(operation, head), 'shop');
  const connection = {
    name: 'shop',
    source: 'shop',
    securitySchemes: {},
    limits: DEFAULT_LIMITS,
    ...account,
  };
  const { method, url, headers, body } = buildRequest(operations[0]!, args, connection);
  return {
    line: `${method} ${url.slice('https://api.example.com/v2'.length)}`,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: body === undefined ? undefined : Buffer.from(body).toString('utf8'),
  };
}

const post = (rest: Partial<ProviderOperation>): Partial<ProviderOperation> => ({
  method: 'POST',
  access: 'write',
  ...rest,
});

describe('the request of a manifest operation', () => {
  it('encodes each path value as one segment', () => {
    const operation = { path: '/things/{id}/parts/{part}', params: { id: {}, part: {} } };
    expect(send(operation, { id: 'a/b', part: 'c d' }).line).toBe('GET /things/a%2Fb/parts/c%20d');
    expect(() => send(operation, { id: '..', part: 'x' })).toThrow();
  });

  it('repeats lists in the query or joins them, as the manifest says', () => {
    const params = { tag: { type: 'array' }, id: { type: 'array', style: 'comma' } } as const;
    expect(send({ params }, { tag: ['a', 'b'], id: [1, 2] }).line).toBe('GET /try?tag=a&tag=b&id=1,2');
  });

  it('sends headers of its own', () => {
    const params = { 'If-Match': { in: 'header', type: 'string' } } as const;
    expect(send({ params }, { 'If-Match': '"7"' }).headers['if-match']).toBe('"7"');
  });

  it('makes one JSON object of the body fields given, null included', () => {
    const operation = post({ body: { a: { type: 'string', nullable: true }, b: {}, c: {} } });
    const { headers, body } = send(operation, { a: null, b: [1] });
    expect(headers['content-type']).toBe('application/json');
    expect(body).toBe('{"a":null,"b":[1]}');
    expect(send(operation, {}).body).toBeUndefined();
  });

  it('wraps the record where the service wants a list', () => {
    const operation = post({ body: { name: { required: true } }, meta: { wrapInData: true } });
    expect(send(operation, { name: 'n' }).body).toBe('{"data":[{"name":"n"}]}');
  });

  it('sends a parameter and a body field of one name to both places', () => {
    const operation = post({ path: '/try/{id}', params: { id: {} }, body: { id: {} } });
    const { line, body } = send(operation, { id: 1, body_id: 2 });
    expect(line).toBe('POST /try/1');
    expect(body).toBe('{"id":2}');
  });

  it('sends files as parts with their names', () => {
    const operation = post({ contentType: 'multipart', body: { file: { type: 'file', required: true } } });
    const file = {
      data: Buffer.from('hello').toString('base64'),
      filename: 'cv.txt',
      contentType: 'text/plain',
    };
    const { headers, body } = send(operation, { file });
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(body).toMatch(/name="file"; filename="cv.txt"\r\ncontent-type: text\/plain\r\n\r\nhello\r\n/i);
  });

  it('sends forms', () => {
    const operation = post({ contentType: 'form', body: { a: {}, b: {} } });
    const { headers, body } = send(operation, { a: 'x y', b: 1 });
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(body).toBe('a=x%20y&b=1');
  });

  it('asks for anything where the answer is bytes', () => {
    expect(send({ response: 'binary' }, {}).headers['accept']).toBe('*/*');
    expect(send({}, {}).headers['accept']).toMatch(/^application\/json/);
  });

  it('goes to the base URL of the account', () => {
    const account = { baseUrl: 'https://api.example.com/v2/eu' };
    expect(send({}, {}, {}, account).line).toBe('GET /eu/try');
  });
});

describe('the acting user', () => {
  const operation = { meta: { requiresOnBehalfOf: true } };
  const header = { onBehalfOf: { in: 'header', name: 'On-Behalf-Of' } } as const;
  const query = { onBehalfOf: { in: 'query', name: 'perform_as' } } as const;

  it('is sent as the provider wants it', () => {
    expect(send(operation, {}, header, { actingUser: '42' }).headers['on-behalf-of']).toBe('42');
    expect(send(operation, {}, query, { actingUser: 'u&1' }).line).toBe('GET /try?perform_as=u%261');
  });

  it.each([header, query, { onBehalfOf: { in: 'token' }, auth: { type: 'oauth2' } } as const])(
    'is missing: nothing is sent (%j)',
    (head) => {
      const missing = expect.objectContaining({
        code: 'acting_user_missing',
        message: expect.stringMatching(/Item|shop.*try_it.*mapped/),
      });
      expect(() => send(operation, {}, head)).toThrow(missing);
      expect(() => send(operation, {}, head, { actingUser: '' })).toThrow(missing);
    },
  );

  it('is left out where it is welcome and not known', () => {
    const welcome = { meta: { acceptsOnBehalfOf: true } };
    expect(send(welcome, {}, query).line).toBe('GET /try');
    expect(send(welcome, {}, query, { actingUser: '7' }).line).toBe('GET /try?perform_as=7');
  });

  it('cannot be chosen by an argument', () => {
    const { operations } = describeManifestValue(manifestWith(operation, header), 'shop');
    expect(operations[0]!.input['properties']).toEqual({});
  });

  it('cannot break out of its header', () => {
    expect(() => send(operation, {}, header, { actingUser: '1\r\nX-Evil: 1' })).toThrow(/line break/);
  });
});

describe('arguments that exclude each other', () => {
  const choice = {
    params: { email: {}, phone: {}, word: {} },
    exactlyOne: [['email', 'phone', 'word']],
  } satisfies Partial<ProviderOperation>;
  const paging = {
    parameters: { cursor: {}, size: {} },
    pagination: { style: 'cursor', parameters: ['size', 'cursor'], alone: 'cursor' },
  } satisfies Partial<ProviderManifest>;

  it('takes exactly one', () => {
    expect(send(choice, { phone: '1' }).line).toBe('GET /try?phone=1');
    expect(() => send(choice, {})).toThrow(/Exactly one of email, phone, word is needed; none is given/);
    expect(() => send(choice, { email: 'a', word: 'b' })).toThrow(/email and word are given/);
  });

  it('takes a page token alone', () => {
    const operation = { paginated: true, params: { tag: {} } };
    expect(send(operation, { cursor: 'abc' }, paging).line).toBe('GET /try?cursor=abc');
    expect(send(operation, { size: 5, tag: 'x' }, paging).line).toBe('GET /try?size=5&tag=x');
    expect(() => send(operation, { cursor: 'abc', size: 5 }, paging)).toThrow(
      /cursor goes alone.*Leave out size/,
    );
  });
});
