import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ARM_TOOLS, type AzureSettings, isObject } from '../../../src/operations/index.ts';
import { describeAzure } from '../../../src/sources/azure/describe.ts';
import type { SourceContext } from '../../../src/sources/source-kind.ts';
import { fixture } from './connectors.ts';

const SETTINGS: AzureSettings = {
  subscription: 'sub',
  resourceGroup: 'group',
  location: 'westus',
  authentication: 'envvar',
  armEndpoint: 'https://management.azure.com',
  scope: 'https://management.azure.com/.default',
  includeDeprecated: true,
  dynamicValues: 'explain',
  pages: 10,
  refreshMs: 300_000,
  consentRedirectUrl: 'http://localhost:8080',
};

const FOLDER = '/state/office';
const LOCATION = join(FOLDER, 'snapshot.json');
const MAIL = `${'a'.repeat(64)}.json`;
const CHAT = `${'b'.repeat(64)}.json`;

const connection = (name: string, api = name, displayName = name) => ({ name, api, displayName });

function snapshot(more: object = {}): object {
  return {
    version: 1,
    connections: [
      connection('cornerchat', 'cornerchat', 'Corner Chat'),
      connection('parcelmail', 'parcelmail', 'Parcel Mail'),
    ],
    documents: { parcelmail: MAIL, cornerchat: CHAT },
    problems: [],
    ...more,
  };
}

type Files = Readonly<Record<string, object | string | Error>>;

const DOCUMENTS = (): Files => ({ [MAIL]: fixture('mini-mail'), [CHAT]: fixture('mini-chat') });

async function described(
  files: Files,
  settings: Partial<AzureSettings> = {},
  location: string | undefined = LOCATION,
) {
  const read: string[] = [];
  const context: SourceContext = {
    name: 'office',
    baseDirectory: '/',
    signal: new AbortController().signal,
    reader: {
      async read(from) {
        const name = from.replace(`${FOLDER}/`, '');
        read.push(name);
        const file = files[name];
        if (file === undefined) throw new Error(`${name} is not there.`);
        if (file instanceof Error) throw file;
        return Buffer.from(typeof file === 'string' ? file : JSON.stringify(file));
      },
    },
  };
  const description = await describeAzure({ ...SETTINGS, ...settings }, location, context);
  const tools = description.operations
    .filter(({ invocation }) => invocation.kind === 'azure')
    .map(({ id }) => id);
  return { description, tools, read };
}

const ofConnection = (tools: readonly string[], name: string) =>
  tools.filter((id) => id.startsWith(`${name}.`));

describe('describeAzure', () => {
  it('has the own tools first, then those of every connection', async () => {
    const { description, tools, read } = await described({ 'snapshot.json': snapshot(), ...DOCUMENTS() });
    expect(description.operations.slice(0, ARM_TOOLS.length).map(({ id }) => id)).toEqual([...ARM_TOOLS]);
    expect(ofConnection(tools, 'parcelmail')).toHaveLength(9);
    expect(ofConnection(tools, 'cornerchat')).toEqual([
      'cornerchat.ListRooms',
      'cornerchat.PostMessage',
      'cornerchat.PostCard',
      'cornerchat.GetTeamsV2',
    ]);
    expect(read).toEqual(['snapshot.json', MAIL, CHAT]);
    expect(description.securitySchemes).toEqual({});
    expect(description.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it('says what was skipped, and why', async () => {
    const { description } = await described({ 'snapshot.json': snapshot(), ...DOCUMENTS() });
    const reason = (operation: string) =>
      description.skipped.find((one) => one.operation === operation)?.reason;
    expect(reason('parcelmail.ListShelves')).toContain('internal');
    expect(reason('parcelmail.OnNewLetter')).toContain('trigger');
    expect(reason('parcelmail.DropSubscription')).toContain('subscriptions');
    expect(reason('parcelmail.SendLetter')).toBe('there is a newer revision of SendLetter');
    expect(reason('parcelmail.AskPing')).toBe('the method OPTIONS is no action');
    expect(description.skipped).toHaveLength(11 + 4);
  });

  it('drops deprecated operations where it is told to', async () => {
    const files = { 'snapshot.json': snapshot(), ...DOCUMENTS() };
    const { tools, description } = await described(files, { includeDeprecated: false });
    expect(tools).not.toContain('parcelmail.ListDrawers');
    expect(tools).not.toContain('cornerchat.GetTeamsV2');
    expect(description.skipped.map(({ operation }) => operation)).toContain('cornerchat.GetTeamsV2');
  });

  it('gives two connections of one API tools of their own, and reads its document once', async () => {
    const connections = [
      connection('parcelmail', 'parcelmail', 'Parcel Mail'),
      connection('second', 'parcelmail', 'Second mail'),
    ];
    const { tools, description, read } = await described({
      'snapshot.json': snapshot({ connections }),
      ...DOCUMENTS(),
    });
    expect(ofConnection(tools, 'parcelmail')).toHaveLength(9);
    expect(ofConnection(tools, 'second')).toHaveLength(9);
    expect(read).toEqual(['snapshot.json', MAIL]);
    const [first, second] = ['parcelmail', 'second'].map(
      (name) => description.operations.find(({ id }) => id === `${name}.SealBox`)!,
    );
    expect(first).toMatchObject({ name: 'parcelmail_seal_box', description: '[Parcel Mail] Seal a box' });
    expect(second).toMatchObject({
      name: 'parcelmail_second_seal_box',
      description: '[Second mail] Seal a box',
      invocation: { api: 'parcelmail', connection: 'second' },
    });
  });

  it('serves the named connections only', async () => {
    const files = { 'snapshot.json': snapshot(), ...DOCUMENTS() };
    const { tools, read } = await described(files, { connections: ['cornerchat'] });
    expect(new Set(tools.map((id) => id.split('.')[0]))).toEqual(new Set(['cornerchat']));
    expect(read).not.toContain(MAIL);
  });

  it('has the own tools alone without a snapshot', async () => {
    const { description, read } = await described({}, {}, undefined);
    // a default parameter stands for undefined: the location itself is not there either
    expect(description.operations.map(({ id }) => id)).toEqual([...ARM_TOOLS]);
    expect(read).toEqual(['snapshot.json']);
    const context = { name: 'office', baseDirectory: '/', signal: new AbortController().signal };
    const reader = { read: () => Promise.reject(new Error('nothing is read')) };
    const plain = await describeAzure(SETTINGS, undefined, { ...context, reader });
    expect(plain.operations.map(({ id }) => id)).toEqual([...ARM_TOOLS]);
    expect(plain.diagnostics).toEqual([]);
  });

  it.each([
    ['is not there', undefined],
    ['is no JSON', 'nothing'],
    ['is of another version', { version: 2, connections: [], documents: {} }],
    ['is of another form', { version: 1, connections: {}, documents: {} }],
  ])('has the own tools alone, with a warning, where the snapshot %s', async (_name, file) => {
    const { description } = await described(file === undefined ? {} : { 'snapshot.json': file });
    expect(description.operations.map(({ id }) => id)).toEqual([...ARM_TOOLS]);
    expect(description.diagnostics).toMatchObject([{ code: 'snapshot-unreadable', severity: 'warning' }]);
  });

  it.each([
    ['is not there', undefined, 'is not there'],
    ['is no JSON at all', 'neither: [', 'neither JSON nor YAML'],
    ['has no paths', { swagger: '2.0' }, 'has no paths'],
    ['is no Swagger', { paths: {} }, 'neither `openapi` nor `swagger`'],
  ])('one document that %s costs its own connections', async (_name, file, message) => {
    const { [MAIL]: _mail, ...rest } = DOCUMENTS();
    const files = { 'snapshot.json': snapshot(), ...rest, ...(file === undefined ? {} : { [MAIL]: file }) };
    const { tools, description } = await described(files);
    expect(ofConnection(tools, 'parcelmail')).toEqual([]);
    expect(ofConnection(tools, 'cornerchat')).toHaveLength(4);
    const found = description.diagnostics.find(({ code }) => code === 'connector-unreadable');
    expect(found).toMatchObject({ severity: 'error', message: expect.stringMatching(/^parcelmail: /) });
    expect(found?.message).toContain(message);
  });

  it('one broken operation costs itself', async () => {
    const mail = fixture('mini-mail') as Record<string, Record<string, Record<string, object>>>;
    mail.paths!['/{connectionId}/sealed']!.post = {
      operationId: 'SealBox',
      consumes: ['multipart/form-data'],
      parameters: [{ name: 'b', in: 'body', schema: { type: 'array', items: { type: 'string' } } }],
    };
    mail.paths!['/{connectionId}/broken'] = { get: { $ref: '#/gone' } };
    const { tools, description } = await described({
      'snapshot.json': snapshot(),
      ...DOCUMENTS(),
      [MAIL]: mail,
    });
    expect(ofConnection(tools, 'parcelmail')).toHaveLength(8);
    const reasons = description.skipped
      .filter(({ path }) => /sealed|broken/.test(path))
      .map(({ reason }) => reason);
    expect(reasons).toEqual([expect.stringContaining('#/gone'), expect.stringContaining('bare array')]);
  });

  it('reads a document that is not quite JSON, and says so; a byte order mark is nothing to talk of', async () => {
    const text = JSON.stringify(fixture('mini-mail'), null, 1);
    const odd = `// exported by hand\n${text
      .replace('"swagger": "2.0",', '"swagger": "2.0", /* old */')
      .replace(/\}\s*$/, ',}')}`;
    const { tools, description } = await described({
      'snapshot.json': snapshot(),
      ...DOCUMENTS(),
      [MAIL]: odd,
    });
    expect(ofConnection(tools, 'parcelmail')).toHaveLength(9);
    expect(description.diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'document-not-strict',
        severity: 'warning',
        location: 'parcelmail.json',
      }),
    );
    const marked = await described({ 'snapshot.json': snapshot(), ...DOCUMENTS(), [MAIL]: `\uFEFF${text}` });
    expect(marked.tools).toEqual(tools);
    expect(marked.description.diagnostics.map(({ code }) => code)).not.toContain('document-not-strict');
  });

  it('hands on the problems of the snapshot, and knows documents that are not there yet', async () => {
    const problems = [
      { api: 'slack', message: 'The schema cannot be fetched.' },
      { message: 'Listing failed.' },
    ];
    const connections = [connection('slack')];
    const { description, tools } = await described({ 'snapshot.json': snapshot({ problems, connections }) });
    expect(tools).toEqual([]);
    expect(description.diagnostics).toEqual([
      { code: 'connector-problem', severity: 'warning', message: 'slack: The schema cannot be fetched.' },
      { code: 'connector-problem', severity: 'warning', message: 'Listing failed.' },
    ]);
  });

  it.each(['../secrets.json', '/etc/passwd', '..', 'a/b.json', ''])(
    'reads no document that lies elsewhere (%j)',
    async (file) => {
      const documents = { parcelmail: file, cornerchat: CHAT };
      const { read, tools, description } = await described({
        'snapshot.json': snapshot({ documents }),
        ...DOCUMENTS(),
      });
      expect(read).toEqual(['snapshot.json', CHAT]);
      expect(ofConnection(tools, 'cornerchat')).toHaveLength(4);
      expect(description.diagnostics).toContainEqual(
        expect.objectContaining({ code: 'connector-unreadable' }),
      );
    },
  );

  it('has a fingerprint over everything that was read, and over the settings', async () => {
    const files = { 'snapshot.json': snapshot(), ...DOCUMENTS() };
    const first = (await described(files)).description.fingerprint;
    expect(first).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect((await described(files)).description.fingerprint).toBe(first);
    const changed = fixture('mini-chat') as Record<string, unknown>;
    changed.info = { title: 'Other', version: '2' };
    const others = [
      await described({ ...files, [CHAT]: changed }),
      await described({ ...files, 'snapshot.json': snapshot({ problems: [{ message: 'x' }] }) }),
      await described(files, { includeDeprecated: false }),
      await described(files, {}, undefined).then(() => described({})),
    ].map(({ description }) => description.fingerprint);
    expect(new Set([first, ...others]).size).toBe(5);
  });

  it('ends when it is aborted', async () => {
    const abort = new AbortController();
    const reader = {
      read: async () => {
        abort.abort(new Error('enough'));
        throw new Error('torn');
      },
    };
    const context = { name: 'office', baseDirectory: '/', signal: abort.signal, reader };
    await expect(describeAzure(SETTINGS, LOCATION, context)).rejects.toThrow('enough');
  });

  it('takes the document out of an answer of ARM', async () => {
    const { tools } = await described({
      'snapshot.json': snapshot(),
      ...DOCUMENTS(),
      [MAIL]: { properties: { name: 'parcelmail', swagger: fixture('mini-mail') } },
    });
    expect(ofConnection(tools, 'parcelmail')).toHaveLength(9);
  });

  it('keeps a second operation of one operationId apart', async () => {
    const mail = fixture('mini-mail') as Record<
      string,
      Record<string, Record<string, Record<string, unknown>>>
    >;
    mail.paths!['/{connectionId}/stamps']!.put!.operationId = 'SealBox';
    const { tools, description } = await described({
      'snapshot.json': snapshot(),
      ...DOCUMENTS(),
      [MAIL]: mail,
    });
    expect(tools.filter((id) => id.includes('SealBox'))).toEqual([
      'parcelmail.SealBox',
      'parcelmail.SealBox POST /{connectionId}/sealed',
    ]);
    expect(description.diagnostics.map(({ code }) => code)).toContain('operation-id-duplicate');
    expect(description.operations.every(({ input }) => isObject(input))).toBe(true);
  });
});
