import { describe, expect, it } from 'vitest';
import { formatTraceparent, parseTraceparent, readTrace } from '../../src/operations/index.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('traceparent', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [`cc-${TRACE}-${SPAN}-01-what-the-future-brings`, true],
  ])('%s', (text, sampled) => {
    expect(parseTraceparent(text)).toEqual({ traceId: TRACE, spanId: SPAN, sampled });
  });

  it.each([
    undefined,
    7,
    '',
    `00-${TRACE}-${SPAN}`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `cc-${TRACE}-${SPAN}-01-${'x'.repeat(600)}`,
  ])('%s is none', (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });

  it('is written as it is read', () => {
    const text = `00-${TRACE}-${SPAN}-01`;
    expect(formatTraceparent(parseTraceparent(text)!)).toBe(text);
  });
});

describe('tracestate', () => {
  const traceparent = `00-${TRACE}-${SPAN}-01`;
  const many = (count: number) => Array.from({ length: count }, (_, index) => `k${index}=v`).join(',');

  it.each([
    ['rojo=00f067aa0ba902b7', 'rojo=00f067aa0ba902b7'],
    ['a=1, b@vendor = no'.replace(' = ', '='), 'a=1,b@vendor=no'],
    [' a=1 ,, \tb=a b/c~ ', 'a=1,b=a b/c~'],
    [many(32), many(32)],
  ])('%j goes along as %j', (given, expected) => {
    expect(readTrace(traceparent, given)).toEqual({ traceparent, tracestate: expected });
  });

  it.each([
    undefined,
    7,
    '',
    ' , ',
    'a',
    'a=',
    'A=1',
    'a=1,b=2=3',
    'a=1\nb',
    'a=ü',
    many(33),
    `a=${'x'.repeat(257)}`,
    `a=${'x'.repeat(250)},b=${'x'.repeat(250)},c=${'x'.repeat(10)}`,
  ])('%j does not', (given) => {
    expect(readTrace(traceparent, given)).toEqual({ traceparent });
  });

  it('means nothing by itself', () => {
    expect(readTrace(undefined, 'a=1')).toEqual({});
    expect(readTrace('x', 'a=1')).toEqual({});
  });
});
