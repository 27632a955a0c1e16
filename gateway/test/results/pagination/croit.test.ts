import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { paginationOf } from '../../../src/results/pagination/index.ts';
import { createValidator } from '../../../src/validation/validator.ts';
import { describeText } from '../../sources/openapi/describing.ts';

const file = new URL('../../../../../shared/data/croit/openapi.json.gz', import.meta.url);

describe.skipIf(!existsSync(file))("croit's document (skipped where the shared data is absent)", () => {
  it('pages 72 lists by one object, whose limits fit the schemas of their operations', async () => {
    const { operations } = await describeText(gunzipSync(readFileSync(file)).toString('utf8'), {});
    const paged = operations.filter((operation) => paginationOf(operation)?.style === 'object');
    expect(paged).toHaveLength(72);
    const validator = createValidator();
    for (const operation of paged.filter(({ input }) => input['required'] === undefined)) {
      const pagination = paginationOf(operation)!;
      const args = pagination.limit({}, 10);
      expect(args).toEqual({ pagination: { limit: 10 } });
      expect(validator.validate(operation.input, args).valid).toBe(true);
      const envelope = { result: { total: 25, after: 0, limit: 10 } };
      const next = pagination.next(args, { rows: Array(10).fill({}), envelope, path: ['result', 'data'] })!;
      expect(next).toEqual({ pagination: { limit: 10, after: 10 } });
      expect(validator.validate(operation.input, next).valid).toBe(true);
    }
  });
});
