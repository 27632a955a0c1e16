import { expect, it } from 'vitest';
import { decodeText } from '../../src/egress/index.ts';

it.each([
  [Buffer.from('café'), 'text/plain', 'café'],
  [Buffer.from('café'), undefined, 'café'],
  [Buffer.from('café', 'latin1'), 'text/plain; charset=ISO-8859-1', 'café'],
  [Buffer.from('hi', 'utf16le'), 'text/plain; charset="utf-16le"', 'hi'],
  [Buffer.from('\ufeffhi', 'utf16le'), 'text/plain; charset=utf-8', 'hi'],
  [Buffer.from('\ufeff{}'), 'application/json', '{}'],
  [Buffer.from('hi'), 'text/plain; charset=no-such', 'hi'],
  [Buffer.from([0xff, 0x41]), 'text/plain', '\ufffdA'],
])('%j as %s', (body, type, text) => expect(decodeText(body, type)).toBe(text));
