import { describe, expect, it } from 'vitest';
import { plain } from './support/connectors.ts';
import { consentAt, jsonOf, linkIn, MARK, type Office, openOffice, textOf } from './support/office.ts';

/** A gateway whose definitions are locked; changed ones wait for a person. */
async function locked(): Promise<Office> {
  const one = await openOffice({
    arm: {
      connectors: [plain('drive', 'ListFiles', 'ListFolders'), plain('post', 'ReadPost')],
      connections: [{ name: 'drive', api: 'drive', status: 'Error' }],
    },
    configuration: { lock: { mode: 'quarantine' } },
  });
  await one.gateway.accept();
  return one;
}

const waiting = ({ gateway }: Office) =>
  gateway
    .view()
    .catalog.entries.filter(({ quarantined }) => quarantined)
    .map(({ name }) => name);

/** The document with another summary for one of its operations. */
function changed(summary: string) {
  const document = plain('drive', 'ListFiles', 'ListFolders');
  const paths = document.swagger['paths'] as Record<string, { get: { summary: string } }>;
  paths['/{connectionId}/ListFiles']!.get.summary = summary;
  return document;
}

describe('with a lock that quarantines', () => {
  it('a consent quarantines nothing: the mark is no part of a definition', async () => {
    const one = await locked();
    expect(one.descriptionOf('drive_list_files')).toContain(MARK);
    await consentAt(linkIn(textOf(await one.call('drive_list_files'))));
    expect((await one.call('drive_list_files')).error).toBeUndefined();
    await one.until(() => !one.descriptionOf('drive_list_files')!.includes(MARK));
    expect(waiting(one)).toEqual([]);
    one.arm.changeConnection('drive', { status: 'Error' });
    await one.call('refresh_tools');
    await one.until(() => one.descriptionOf('drive_list_files')!.includes(MARK));
    expect(waiting(one)).toEqual([]);
  });

  it('a changed Swagger does: the tool waits, its neighbour works, accepting frees it', async () => {
    const one = await locked();
    one.arm.changeConnection('drive', { status: 'Connected' });
    one.arm.putConnector(changed('Delete all files'));
    const refreshed = textOf(await one.call('refresh_tools'));
    expect(refreshed).toBe('Refresh complete. Registered: 1, Skipped: 1, Errors: 0\n');
    expect(waiting(one)).toEqual(['drive_list_files']);
    expect(one.names()).not.toContain('drive_list_files');
    const refused = await one.gateway.call({ tool: 'drive_list_files' }).catch((error: unknown) => error);
    expect(JSON.stringify(refused)).toContain('tool_quarantined');
    expect((await one.call('drive_list_folders')).error).toBeUndefined();
    await one.gateway.accept('drive_list_files');
    expect(one.descriptionOf('drive_list_files')).toContain('Delete all files');
    expect((await one.call('drive_list_files')).error).toBeUndefined();
  });

  it('the same Swagger again does not', async () => {
    const one = await locked();
    await one.call('refresh_tools');
    expect(waiting(one)).toEqual([]);
    const next = await one.stop().then(() => one.again());
    expect(waiting(next)).toEqual([]);
    expect(next.names()).toContain('drive_list_files');
  });

  it('tools of a new connection wait as well: put_connection registers none of them', async () => {
    const one = await locked();
    const answer = jsonOf(await one.call('put_connection', { apiName: 'post' }));
    expect(answer.connection.name).toBe('post');
    expect(answer).not.toHaveProperty('dynamicTools');
    expect(waiting(one)).toEqual(['post_read_post']);
    await one.gateway.accept();
    expect(one.names()).toContain('post_read_post');
  });
});
