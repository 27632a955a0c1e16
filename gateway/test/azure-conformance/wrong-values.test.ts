import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/index.ts';
import type { Value } from '../azure-seed/expectations/expected-envelope.ts';
import { CHOOSERS, chosen, serving } from './support/choosers.ts';
import { hasCaptured } from './support/documents.ts';
import { withValue } from './support/dynamic-uses.ts';

const wrongOf = (old: Value): Value => (typeof old === 'number' ? 987_654 : 'none of them');

describe('a value that the connector does not list', () => {
  const explaining = serving({ arm: { refuseUnlisted: true } });

  it.each(CHOOSERS)('%s: is answered with the valid ones after the connector refused it', async (name) => {
    const wrong: object[] = [];
    let tried = 0;
    for (const chooser of explaining.choosers(name)) {
      const { valid, lists } = await chosen(explaining, chooser);
      const { tool } = chooser;
      const fine = await explaining.call(tool, valid);
      if (fine.error !== undefined) wrong.push({ tool, valid, error: fine.error });
      for (const [argument, values] of lists) {
        tried++;
        const args = withValue(valid, argument, wrongOf) as JsonObject;
        const { error, content } = await explaining.call(tool, args);
        const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
        const options = offered(error?.details, argument);
        const listed = values.every((value) => text.includes(String(value)));
        if (error === undefined || !listed || JSON.stringify(options) !== JSON.stringify(values))
          wrong.push({ tool, argument, text, options, values });
      }
    }
    expect(wrong).toEqual([]);
    if (hasCaptured) expect(tried).toBe({ office365: 17, teams: 61 }[name] ?? tried);
    expect(tried).toBeGreaterThan(0);
  });

  const checking = serving({ azure: { dynamicValues: 'check' } });

  it.each(CHOOSERS)('%s: with `check`, is refused before anything is sent', async (name) => {
    const wrong: object[] = [];
    for (const chooser of checking.choosers(name)) {
      const { valid, lists } = await chosen(checking, chooser);
      const { tool, operationId } = chooser;
      const sentBy = async (args: JsonObject) => {
        checking.served().arm.forget();
        const { error } = await checking.call(tool, args);
        return { error, sent: checking.sent(operationId).length };
      };
      const fine = await sentBy(valid);
      if (fine.error !== undefined || fine.sent !== 1) wrong.push({ tool, valid, fine });
      for (const [argument, values] of lists) {
        const { error, sent } = await sentBy(withValue(valid, argument, wrongOf) as JsonObject);
        const options = offered(error?.details, argument);
        if (
          error?.code !== 'arguments_invalid' ||
          sent > 0 ||
          JSON.stringify(options) !== JSON.stringify(values)
        )
          wrong.push({ tool, argument, error, sent });
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** The values that an error names for an argument, `*` being any item. */
function offered(details: JsonObject | undefined, argument: string): Value[] | undefined {
  const all = (details?.['options'] ?? []) as { argument: string; options: { value: Value }[] }[];
  const found = all.find((one) => one.argument.replaceAll(/\/\d+(?=\/|$)/g, '/*') === argument);
  return found?.options.map(({ value }) => value);
}
