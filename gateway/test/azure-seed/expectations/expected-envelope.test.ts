import { describe, expect, it } from 'vitest';
import type { ConnectorDocument } from '../../doubles/arm/arm.ts';
import { CHAT } from '../../doubles/arm/connectors/chat.ts';
import { MAIL } from '../../doubles/arm/connectors/mail.ts';
import { describeExpectations } from './at-the-double.ts';
import {
  type Arguments,
  expectedEnvelope,
  rawOperations,
  sanitizeKey,
  slotsOf,
} from './expected-envelope.ts';

const operation = (connector: ConnectorDocument, id: string) =>
  rawOperations(connector.swagger).find((one) => one.id === id)!;
const request = (connector: ConnectorDocument, id: string, given: Arguments) =>
  expectedEnvelope(connector.swagger, operation(connector, id), given).request;
const names = (connector: ConnectorDocument, id: string) =>
  slotsOf(connector.swagger, operation(connector, id)).flatMap(({ argument }) => argument ?? []);

describe('what a request must be', () => {
  it('names arguments as the seed does, and tells equal names apart by their place', () => {
    expect(['$filter', '.$a', 'a$$b', '$', 'x'.repeat(70)].map(sanitizeKey)).toEqual([
      '_filter',
      '_a',
      'a_b',
      '_',
      'x'.repeat(64),
    ]);
    expect(names(MAIL, 'ListMailV3')).toEqual([
      'folderPath',
      'mailbox',
      '_filter',
      '_top',
      'importance',
      'tags',
    ]);
    expect(names(MAIL, 'UpdateEventV4')).toEqual(
      ['id', 'calendar-id', 'body_id', 'start', 'attendees', 'subject', 'isAllDay'].toSorted(byDocument),
    );
    expect(names(MAIL, 'AddCategoryToMessages')).toEqual(['categoryName', 'body']);
    expect(names(CHAT, 'CreateTag')).toEqual(['groupId', 'body']);
  });

  it('writes queries under their own names, with what is hidden', () => {
    const sent = request(MAIL, 'ListMailV3', { _filter: "a eq 'b'", _top: 3, tags: ['x', 'y'] });
    expect(JSON.stringify(sent)).toBe(
      `{"method":"GET","path":"/v2/Mail","queries":{"$filter":"a eq 'b'","$top":"3","tags":"x,y","fetchOnlyFlagged":"false"},"headers":{"Content-Type":"application/json"}}`,
    );
  });

  it('encodes path values once or twice', () => {
    expect(request(MAIL, 'AppendText', { messageId: "a/b'(1)", body: 'more' })).toEqual({
      method: 'POST',
      path: '/Mail/a%2Fb%27%281%29/Text',
      headers: { 'Content-Type': 'text/plain' },
      body: 'more',
    });
    expect(request(MAIL, 'FindRoomsV2', { room_list: 'a b' }).path).toBe(
      "/codeless/beta/me/findRooms(RoomList='a%2520b')",
    );
  });

  it('sends hidden members of a body wherever their object is', () => {
    const { body } = request(MAIL, 'SendMailV2', { To: 'a@b.c', Subject: 's', SendAs: { Address: 'd@e.f' } });
    expect(JSON.stringify(body)).toBe(
      '{"To":"a@b.c","Subject":"s","SendAs":{"Address":"d@e.f","Origin":"connector"}}',
    );
    expect(request(CHAT, 'CreateMeeting', { subject: 's' }).body).toEqual({
      subject: 's',
      isOnlineMeeting: true,
      provider: 'here',
    });
  });

  it('puts bytes and parts into their envelopes, and forms into text', () => {
    expect(request(MAIL, 'UpdateContactPhoto', { folder: 'f', id: 'i', body: 'AAAA' })).toMatchObject({
      headers: { 'Content-Type': 'image/jpeg' },
      body: { '$content-type': 'image/jpeg', $content: 'AAAA' },
    });
    expect(request(MAIL, 'ImportMail', { message: 'AAAA' }).body).toEqual({
      '$content-type': 'multipart/form-data',
      $multipart: [
        {
          headers: { 'Content-Disposition': 'form-data; name="message"; filename="message"' },
          body: { '$content-type': 'application/octet-stream', $content: 'AAAA' },
        },
        { headers: { 'Content-Disposition': 'form-data; name="silent"' }, body: 'true' },
      ],
    });
    expect(request(MAIL, 'SetAutoReply', { text: 'ü&1', days: 2 }).body).toBe('text=%C3%BC%261&days=2');
  });

  it('has no body where nothing is given and none is needed', () => {
    expect(request(MAIL, 'HttpRequest', { Uri: '/me', Method: 'GET' })).toEqual({
      method: 'POST',
      path: '/codeless/httprequest',
      headers: { 'Content-Type': 'application/json', Uri: '/me', Method: 'GET' },
    });
    expect(request(MAIL, 'FlagMail', { messageId: 'm' }).body).toEqual({});
  });
});

/** The order of the merged schema: own members first, then those of `allOf`. */
function byDocument(a: string, b: string): number {
  const order = ['id', 'calendar-id', 'subject', 'isAllDay', 'body_id', 'start', 'attendees'];
  return order.indexOf(a) - order.indexOf(b);
}

describe('our own connectors, against the double', () => describeExpectations([MAIL, CHAT]));
