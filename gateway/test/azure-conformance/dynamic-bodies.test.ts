import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/index.ts';
import type { Value } from '../azure-seed/expectations/expected-envelope.ts';
import { CHOOSERS, serving } from './support/choosers.ts';
import { withValue } from './support/dynamic-uses.ts';

describe('a body whose schema is known at run time only', () => {
  const bodies = serving({});

  it.each(CHOOSERS)(
    '%s: is refused with pointers where it does not fit, and goes out where it does',
    async (name) => {
      const wrong: object[] = [];
      let tried = 0;
      for (const { tool, operationId, args, uses } of bodies.choosers(name)) {
        for (const { argument } of uses.filter(({ kind }) => kind === 'schema')) {
          tried++;
          const sentBy = async (body: Value) => {
            bodies.served().arm.forget();
            const given = withValue(args, argument, () => body) as JsonObject;
            const { error } = await bodies.call(tool, given);
            const errors = (error?.details?.['errors'] ?? []) as { pointer: string }[];
            return {
              code: error?.code,
              pointers: errors.map(({ pointer }) => pointer),
              sent: bodies
                .sent(operationId)
                .map(({ body: sent }) => JSON.stringify(sent).includes(JSON.stringify(body).slice(1, -1))),
            };
          };
          const refused = (member: string) => ({
            code: 'arguments_invalid',
            pointers: [`${argument}/${member}`],
            sent: [],
          });
          const cases = [
            [
              { subject: 'Hello', amount: 3 },
              { code: undefined, pointers: [], sent: [true] },
            ],
            [{ amount: 3 }, refused('subject')],
            [{ subject: 'Hello', amount: 'three' }, refused('amount')],
          ] as const;
          for (const [body, expected] of cases) {
            const found = await sentBy(body);
            if (JSON.stringify(found) !== JSON.stringify(expected))
              wrong.push({ tool, argument, body, found });
          }
        }
      }
      expect(wrong).toEqual([]);
      if (name === 'teams') expect(tried).toBe(12);
    },
  );
});
