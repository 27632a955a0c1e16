import type { ElicitResult, StandardSchemaV1 } from '@modelcontextprotocol/server';
import { isObject } from '../../operations/index.ts';

const ACTIONS: ReadonlySet<unknown> = new Set(['accept', 'decline', 'cancel']);

/**
 * What a client of the older revisions answers for its person, as it came: the SDK's own schema refuses the whole answer
 * for one value, and whoever asked would hear that nothing was chosen. What does not fit the form is told of later.
 */
export const ELICITED: StandardSchemaV1<unknown, ElicitResult> = {
  '~standard': {
    version: 1,
    vendor: 'toolcrib',
    validate: (value) =>
      isObject(value) && ACTIONS.has(value['action'])
        ? { value: value as unknown as ElicitResult }
        : { issues: [{ message: 'It is no answer of a person.' }] },
  },
};
