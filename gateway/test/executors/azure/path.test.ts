import { describe, expect, it } from 'vitest';
import { connectorPath, leavesPlace } from '../../../src/executors/azure/path.ts';
import type { ParameterBinding } from '../../../src/operations/index.ts';
import fc from '../../properties.ts';

function pathOf(template: string, value: string, rest: object = {}): string {
  const binding = { in: 'path', name: 'id', arg: 'id', ...rest } as ParameterBinding;
  return connectorPath({ path: template }, new Map([['id', binding]]), { id: value }).path;
}

const REFUSED = expect.objectContaining({ code: 'arguments_invalid' });

describe('path values', () => {
  it.each([
    ['a/b c', '/x/a%2Fb%20c/y'],
    ['ü', '/x/%C3%BC/y'],
    ['a.b..c', '/x/a.b..c/y'],
    ['?#&', '/x/%3F%23%26/y'],
    ['100%', '/x/100%25/y'],
  ])('%j goes as %s', (value, path) => {
    expect(pathOf('/x/{id}/y', value)).toBe(path);
  });

  it('are encoded twice where the connector says so', () => {
    expect(pathOf('/x/{id}/y', 'a/b c', { encoding: 'double' })).toBe('/x/a%252Fb%2520c/y');
  });

  it('stay within the quotes of an OData key', () => {
    expect(pathOf("/rooms(list='{id}')", "O'Brien')/x")).toBe("/rooms(list='O%27Brien%27%29%2Fx')");
  });

  const ESCAPES = [
    ...['.', '..', '../..', 'a/../b', 'a/./b', './', '\\', 'a\\b', '..\\..', '..;x=1', ' .. '],
    ...[
      '%2e',
      '%2E%2e',
      '%252e%252e',
      '%25252e',
      '..%2f',
      '%2e%2e%5c',
      '%5c',
      '%255C',
      '%u002e%u002e',
      '%c0%ae%c0%ae',
    ],
    ...['%25u002e.', '%%32e.', 'x%2f..%2fy', '..%c0%afx'],
  ];
  it.each(ESCAPES)('%j is refused', (value) => {
    expect(() => pathOf('/x/{id}/y', value)).toThrow(REFUSED);
    expect(() => pathOf('/x/{id}/y', value, { encoding: 'double' })).toThrow(REFUSED);
    expect(() => pathOf('/x/{id}/y', value, { allowReserved: true })).toThrow(REFUSED);
  });

  it('are named by the pointer of their argument', () => {
    expect(() => pathOf('/x/{id}/y', '..')).toThrow(expect.objectContaining({ pointer: '/id' }));
  });

  it('are not empty: the path would name something else', () => {
    expect(() => pathOf('/x/{id}/y', '')).toThrow(REFUSED);
  });

  it('are refused within lists too', () => {
    const binding: ParameterBinding = { in: 'path', name: 'id', arg: 'id' };
    expect(() => connectorPath({ path: '/{id}' }, new Map([['id', binding]]), { id: ['a', '..'] })).toThrow(
      REFUSED,
    );
  });

  it('are refused where only template and value together make a dot segment', () => {
    expect(() => pathOf('/x/.{id}/y', '.')).toThrow(REFUSED);
    expect(() => pathOf('/x/{id}./y', '%2e')).toThrow(REFUSED);
  });

  it('are refused where the document itself leaves its place', () => {
    expect(() => connectorPath({ path: '/x/../y' }, new Map(), {})).toThrow(REFUSED);
  });
});

/** What a server that decodes as often as it can would route. */
function routed(path: string): string[] {
  let text = path;
  for (let round = 0; round < 12; round++) {
    const next = text.replace(/%([0-7][0-9a-f])/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (next === text) break;
    text = next;
  }
  const out: string[] = [];
  for (const segment of text.replaceAll('\\', '/').split('/').slice(1)) {
    if (segment === '..') out.pop();
    else if (segment !== '.') out.push(segment);
  }
  return out;
}

describe('no value leaves the path of its operation', () => {
  const piece = fc.constantFrom(
    '.',
    '..',
    '/',
    '\\',
    '%',
    '2e',
    '%2e',
    '%2E',
    '%252e',
    '%5c',
    '%255c',
    '%2f',
    '%25',
    'a',
    ';',
    ' ',
    '%u002e',
    'é',
  );
  const value = fc.oneof(
    fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary', minLength: 1 }),
  );
  const encoding = fc.constantFrom({}, { encoding: 'double' }, { allowReserved: true });

  it('however it is encoded', () => {
    let passed = 0;
    fc.assert(
      fc.property(value, encoding, (given, rest) => {
        let path: string;
        try {
          path = pathOf('/teams/{id}/end', given, rest);
        } catch (error) {
          expect(error).toEqual(REFUSED);
          return;
        }
        passed++;
        // one segment on the wire, and nobody's decoding climbs
        const url = new URL(`https://gateway.test/apim/mail/connection${path}`);
        expect(url.pathname).toBe(`/apim/mail/connection${path}`);
        expect(path.split('/')).toHaveLength(4);
        const segments = routed(`/apim/mail/connection${path}`);
        expect(segments.slice(0, 4)).toEqual(['apim', 'mail', 'connection', 'teams']);
        expect(segments.at(-1)).toBe('end');
        expect(routed(path).length).toBeGreaterThanOrEqual(3);
        expect(leavesPlace(path)).toBe(false);
      }),
      { numRuns: 4000 },
    );
    expect(passed).toBeGreaterThan(500);
  });
});
