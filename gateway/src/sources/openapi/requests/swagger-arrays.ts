import type { ParameterBinding, ParameterPlace, PartEncoding } from '../../../operations/index.ts';
import type { Place, Reading } from '../reading.ts';

type ArrayStyle = Pick<ParameterBinding, 'style' | 'explode' | 'delimiter'>;

/** Swagger 2.0 `collectionFormat` in OpenAPI 3's terms; `csv` where nothing is said. */
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

export function swaggerArrayBinding(reading: Reading, parameter: Place, place: ParameterPlace): ArrayStyle {
  const table = place === 'path' || place === 'header' ? IN_SEGMENT : IN_QUERY;
  const format = collectionFormat(parameter);
  const style = Object.hasOwn(table, format) ? table[format] : undefined;
  if (style !== undefined) return style;
  const message = `The collectionFormat ${format} is not for ${place} parameters; csv is used.`;
  reading.log.report('style-invalid', 'warning', message, parameter.pointer);
  return table.csv!;
}

/** The same for a form field. */
export function swaggerFieldEncoding(reading: Reading, parameter: Place): PartEncoding {
  const { delimiter, ...style } = swaggerArrayBinding(reading, parameter, 'query');
  if (delimiter !== undefined) {
    reading.log.report(
      'style-invalid',
      'warning',
      'A form field cannot be separated by tabs; commas are used.',
      parameter.pointer,
    );
  }
  const named = style.style ?? 'form';
  return { style: named, explode: style.explode ?? named === 'form' };
}

function collectionFormat({ node }: Place): string {
  return typeof node.collectionFormat === 'string' ? node.collectionFormat : 'csv';
}
