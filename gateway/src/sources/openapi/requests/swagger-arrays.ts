import type {
  NestedDelimiters,
  ParameterBinding,
  ParameterPlace,
  PartEncoding,
} from '../../../operations/index.ts';
import type { Place } from '../place.ts';
import type { Reading } from '../reading.ts';

type ArrayStyle = Pick<ParameterBinding, 'style' | 'explode' | 'delimiter' | 'nested'>;

/** Of lists within lists; `multi` is for the outermost alone (Swagger 2.0 "Items Object"). */
const NESTED: Readonly<Record<string, NestedDelimiters[number]>> = {
  csv: ',',
  ssv: ' ',
  tsv: '\t',
  pipes: '|',
};
const MAX_NESTED = 10;

/** Swagger 2.0 `collectionFormat` in OpenAPI 3's terms; `csv` where nothing is said, but for names such as `tags[]`. */
const IN_QUERY: Readonly<Record<string, ArrayStyle>> = {
  csv: { explode: false },
  ssv: { style: 'spaceDelimited' },
  pipes: { style: 'pipeDelimited' },
  tsv: { explode: false, delimiter: '\t' },
  multi: {},
};
const IN_SEGMENT: Readonly<Record<string, ArrayStyle>> = {
  csv: {},
  ssv: { style: 'spaceDelimited' },
  pipes: { style: 'pipeDelimited' },
  tsv: { delimiter: '\t' },
};

/** A list, by its own words or those of a reference, which some write as in OpenAPI 3. */
export function isSwaggerArray({ references }: Reading, schema: unknown, pointer: string): boolean {
  const node = references.object(schema, pointer)?.node;
  return node?.type === 'array' || (node?.type === undefined && node?.items !== undefined);
}

export function swaggerArrayBinding(reading: Reading, parameter: Place, place: ParameterPlace): ArrayStyle {
  const table = place === 'path' || place === 'header' ? IN_SEGMENT : IN_QUERY;
  const format = table === IN_QUERY ? formatOf(parameter) : collectionFormat(parameter);
  const style = Object.hasOwn(table, format) ? table[format] : undefined;
  const nested = nestedDelimiters(reading, parameter);
  if (style !== undefined) return nested.length === 0 ? style : { ...style, nested };
  const message = `The collectionFormat ${format} is not for ${place} parameters; csv is used.`;
  reading.log.report('style-invalid', 'warning', message, parameter.pointer);
  return table.csv!;
}

/** The same for a form field. */
export function swaggerFieldEncoding(reading: Reading, parameter: Place): PartEncoding {
  const {
    style = 'form',
    explode = style === 'form',
    ...delimiters
  } = swaggerArrayBinding(reading, parameter, 'query');
  return { style, explode, ...delimiters };
}

/** What separates the items of each list within the list; empty where its items are none. */
function nestedDelimiters(reading: Reading, parameter: Place): NestedDelimiters {
  const delimiters: NestedDelimiters[number][] = [];
  let at: Place = parameter;
  while (delimiters.length < MAX_NESTED) {
    const items = reading.references.object(at.node.items, `${at.pointer}/items`);
    if (items?.node.type !== 'array') break;
    const format = collectionFormat(items);
    if (!Object.hasOwn(NESTED, format)) {
      const message = `The collectionFormat ${format} is not for lists within lists; csv is used.`;
      reading.log.report('style-invalid', 'warning', message, items.pointer);
    }
    delimiters.push(NESTED[format] ?? ',');
    at = items;
  }
  return delimiters;
}

/** Brackets at the end of a name (grape-swagger, PHP) say that it stands once for each item: what reads them takes `a,b` for one. */
function formatOf(parameter: Place): string {
  const { name, collectionFormat: said } = parameter.node;
  return said === undefined && String(name).endsWith('[]') ? 'multi' : collectionFormat(parameter);
}

function collectionFormat({ node }: Place): string {
  return typeof node.collectionFormat === 'string' ? node.collectionFormat : 'csv';
}
