import type { JsonSchema } from '../../operations/index.ts';

/** The structured content of shaped tools. An answer that is no list, or short, stays as the service gave it. */
export const SHAPED_OUTPUT_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'A list is shaped as below. Any other answer is what the service gave.',
  properties: {
    data: { description: 'Rows of the list, fields left out, never changed.' },
    summary: {
      description:
        'Of a long list instead of rows: counts by status, critical items, samples, available_fields.',
    },
    total_count: { description: 'Rows that match, of those that were read.' },
    returned_count: { description: 'Rows in data.' },
    truncated: { description: 'True: not everything is shown.' },
    response_id: { description: 'Names the whole answer for query_result.' },
    next_cursor: { description: '_cursor of the next call for the rows behind these.' },
    notes: { description: 'What was left out and how to get it.' },
    envelope: { description: 'What stood beside the rows.' },
  },
};
