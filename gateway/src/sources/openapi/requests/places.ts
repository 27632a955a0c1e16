import { isBeyondArguments } from '../../../operations/http/caller-headers.ts';
import type { ParameterPlace, ParameterStyle } from '../../../operations/index.ts';

export const PLACES: ReadonlySet<string> = new Set(['path', 'query', 'header', 'cookie', 'querystring']);

/** OpenAPI 3.1 §4.8.12.2 "Fixed Fields and considerations specific to style"; cookie also `cookie` (3.2). */
const STYLES: Readonly<Record<ParameterPlace, readonly ParameterStyle[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
  querystring: [],
};

export function allowsStyle(place: ParameterPlace, style: unknown): style is ParameterStyle {
  return STYLES[place].includes(style as ParameterStyle);
}

export function defaultStyle(place: ParameterPlace): ParameterStyle {
  return place === 'path' || place === 'header' ? 'simple' : 'form';
}

export function defaultExplode(style: ParameterStyle): boolean {
  return style === 'form' || style === 'cookie';
}

/** The transport's own, beside what no argument sets at all. */
const OF_TRANSPORT: ReadonlySet<string> = new Set(['content-encoding', 'accept-encoding']);

export function isReservedHeader(name: string): boolean {
  return OF_TRANSPORT.has(name.toLowerCase()) || isBeyondArguments(name);
}
