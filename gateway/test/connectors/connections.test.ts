import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { armPaths } from '../../src/connectors/arm-paths.ts';
import { isConnected, needsConsent, readConnection } from '../../src/connectors/connections.ts';
import { settingsFor } from './support/open-room.ts';
import { APIS, SUBSCRIPTION } from './support/small-arm.ts';

const settings = settingsFor('https://management.azure.com');
const paths = armPaths(settings);
const api = { name: 'mail', displayName: 'Mail Service', id: `${APIS}/mail` };
const read = (properties: object, more: object = {}) =>
  readConnection(
    { name: 'mail', location: 'westus', properties: { api, ...properties }, ...more },
    paths,
    settings,
  );

describe('the state of a connection', () => {
  it.each([
    [{ overallStatus: 'Connected', statuses: [{ status: 'Connected' }] }, 'Connected', true],
    [{ overallStatus: 'Error', statuses: [{ status: 'Error' }] }, 'Error', false],
    [{ statuses: [{ status: 'Connected' }] }, 'Connected', true],
    [{ statuses: [{ status: 'Error' }] }, 'Error', false],
    [{}, 'Unknown', false],
    [{ statuses: [] }, 'Unknown', false],
    [{ overallStatus: 'connected' }, 'Connected', true],
    [{ overallStatus: 'Ready' }, 'Ready', false],
    [{ overallStatus: 'Authenticated' }, 'Authenticated', false],
    [{ overallStatus: 7 }, 'Unknown', false],
  ])('%j', (properties, status, connected) => {
    const connection = read(properties)!;
    expect(connection.status).toBe(status);
    expect(isConnected(connection.status)).toBe(connected);
    expect(connection.disabled).toBe(false);
  });

  it('is disabled by its own word', () => {
    expect(read({ overallStatus: 'Connected', connectionState: 'Disabled' })!.disabled).toBe(true);
    expect(read({ overallStatus: 'Disabled' })!.disabled).toBe(true);
    expect(read({ statuses: [{ status: 'disabled' }] })!.disabled).toBe(true);
  });

  it('needs a person where nobody signed in, not where a key is wrong', () => {
    const failing = (code: string) =>
      read({ overallStatus: 'Error', statuses: [{ status: 'Error', error: { code, message: 'No.' } }] })!;
    expect(needsConsent(failing('Unauthenticated'))).toBe(true);
    expect(needsConsent(failing('ConfigurationNeeded'))).toBe(false);
    expect(needsConsent(read({ overallStatus: 'Connected' })!)).toBe(false);
    expect(needsConsent(read({ overallStatus: 'Error' })!)).toBe(true);
    expect(failing('Unauthenticated').error).toEqual({ code: 'Unauthenticated', message: 'No.' });
  });
});

describe('the name that descriptions show', () => {
  it.each([
    ['mail', 'Mail Service'],
    ['', 'Mail Service'],
    [undefined, 'Mail Service'],
    ['Team inbox', 'Team inbox'],
    ['  Team\n inbox\u202e ', 'Team inbox'],
  ])('%j becomes %j', (displayName, shown) => {
    expect(read({ displayName })!.displayName).toBe(shown);
  });

  it("is the API's name where nothing else is said", () => {
    expect(read({ api: { name: 'mail' } })!.displayName).toBe('mail');
  });
});

describe('where its API lies', () => {
  const at = (id: unknown) => read({ api: { ...api, id } })!.apiPath;
  it.each([
    [
      `/subscriptions/other/providers/Microsoft.Web/locations/north/managedApis/mail`,
      paths.managedApi('mail', 'north'),
    ],
    [undefined, paths.managedApi('mail')],
    ['/subscriptions/x/providers/Microsoft.Web/locations/../managedApis/mail', paths.managedApi('mail')],
    ['/subscriptions/x/providers/Microsoft.Web/locations/%2e%2e/managedApis/mail', paths.managedApi('mail')],
    [
      `/subscriptions/${SUBSCRIPTION.toUpperCase()}/resourceGroups/rg2/providers/Microsoft.Web/customApis/own`,
      paths.customApi('own', 'rg2'),
    ],
    [
      '/subscriptions/other/resourceGroups/rg2/providers/Microsoft.Web/customApis/own',
      paths.managedApi('mail'),
    ],
  ])('%j', (id, expected) => {
    expect(at(id)).toBe(expected);
  });
});

describe('an entry without use', () => {
  it.each([
    null,
    'x',
    {},
    { name: 'a' },
    { name: '..', properties: { api } },
    { properties: { api } },
    { name: 'a', properties: { api: { name: 'x/y' } } },
  ])('%j', (entry) => {
    expect(readConnection(entry, paths, settings)).toBeUndefined();
  });
});

const captured = new URL('../../../../shared/data/arm/listConnections.json', import.meta.url);
describe.skipIf(!existsSync(captured))('the captured list', () => {
  it('has one that is signed in and one that is not', () => {
    const { value } = JSON.parse(readFileSync(captured, 'utf8'));
    const connections = value.map((entry: unknown) => readConnection(entry, paths, settings));
    expect(connections).toMatchObject([
      { name: 'office365', displayName: 'Office 365 Outlook', status: 'Connected' },
      { name: 'teams', displayName: 'Microsoft Teams', status: 'Error', error: { code: 'Unauthenticated' } },
    ]);
  });
});
