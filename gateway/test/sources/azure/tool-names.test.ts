import { describe, expect, it } from 'vitest';
import { buildToolDescription, buildToolName } from '../../../src/sources/azure/index.ts';
import { toolNameOf } from '../../../src/sources/azure/tool-names.ts';

describe('buildToolName', () => {
  it.each([
    ['teams', 'GetAllTeams', undefined, 'teams_get_all_teams'],
    ['office365', 'SendEmail', 'office365', 'office365_send_email'],
    ['office365', 'SendEmailV2', 'office365', 'office365_send_email_v2'],
    ['office365', 'V4CalendarPostItem', 'office365', 'office365_v4calendar_post_item'],
    ['office365', 'HTTPRequest', '', 'office365_http_request'],
    ['office365', 'MarkAsRead_V3', 'work', 'office365_work_mark_as_read_v3'],
  ])('%s, %s, %s → %s', (api, operationId, connection, name) => {
    expect(buildToolName(api, operationId, connection)).toBe(name);
  });
});

describe('toolNameOf', () => {
  it('has only characters that every client takes', () => {
    expect(toolNameOf('shared_föö-5f', 'Get items.$all', 'my.conn (2)')).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(toolNameOf('a', 'GET /x/{id}', 'a')).toBe('a_get_x_id');
  });
});

describe('buildToolDescription', () => {
  const connection = { displayName: 'Office 365 Outlook', status: 'Connected' };

  it('has the display name before the summary, or the description where there is none', () => {
    expect(buildToolDescription(connection, { summary: 'Send an email (V2)', description: 'x' })).toBe(
      '[Office 365 Outlook] Send an email (V2)',
    );
    expect(buildToolDescription(connection, { summary: '', description: 'Sends' })).toBe(
      '[Office 365 Outlook] Sends',
    );
  });

  it('marks a connection that is not signed in', () => {
    expect(buildToolDescription({ ...connection, status: 'Error' }, { summary: 'Send' })).toBe(
      '[Office 365 Outlook] Send ⚠️ Connection not authenticated',
    );
  });
});
