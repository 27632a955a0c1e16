import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/index.ts';
import { CHOOSERS, serving } from './support/choosers.ts';
import { hasCaptured } from './support/documents.ts';

describe('get_parameter_options', () => {
  const { choosers, told, served } = serving({});

  it.each(CHOOSERS)(
    '%s: every use is answered with values or a schema, and nothing else is',
    async (name) => {
      const wrong: object[] = [];
      for (const { tool, args, uses } of choosers(name)) {
        served().arm.forget();
        const found = await told({ tool, arguments: args });
        const said = found.map(({ argument, options, schema }) =>
          options === undefined
            ? `${argument} ${schema === undefined ? 'nothing' : 'schema'}`
            : `${argument} ${options.length > 0 ? 'values' : 'no values'}`,
        );
        const expected = uses.map(
          ({ argument, kind }) => `${argument} ${kind === 'schema' ? 'schema' : 'values'}`,
        );
        const problems = served().arm.invocations.flatMap((one) => one.problems);
        if (JSON.stringify(said.toSorted()) !== JSON.stringify(expected.toSorted()) || problems.length > 0)
          wrong.push({ tool, said, expected, problems, told: found.map(({ problem }) => problem) });
      }
      expect(wrong).toEqual([]);
      expect(served().arm.escaped).toEqual([]);
    },
  );

  it.runIf(hasCaptured)('counts of what the kept operations ask', () => {
    const counts = (name: string) =>
      Object.fromEntries(
        Map.groupBy(
          choosers(name).flatMap(({ uses }) => uses),
          ({ kind }) => kind,
        )
          .entries()
          .map(([kind, list]) => [kind, list.length]),
      );
    expect({ office365: counts('office365'), teams: counts('teams') }).toEqual({
      office365: { list: 17, tree: 2 },
      teams: { list: 61, schema: 12 },
    });
  });

  it.each(CHOOSERS)('%s: an option of a tree is opened', async (name) => {
    for (const { tool, args, uses } of choosers(name)) {
      for (const { argument } of uses.filter(({ kind }) => kind === 'tree')) {
        const [root] = await told({ tool, parameter: argument, arguments: args });
        const parent = root!.options!.find((option) => option.parent)!;
        const [below] = await told({
          tool,
          parameter: argument,
          arguments: args,
          parent: parent.value,
        } as JsonObject);
        expect(below?.options?.length, `${tool} ${argument}`).toBeGreaterThan(0);
      }
    }
  });
});
