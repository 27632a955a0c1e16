import type { z } from 'zod';
import { ToolcribError } from '../../errors.ts';
import type { BudgetRule, CostRule } from '../../operations/index.ts';
import { bytes, milliseconds } from '../measures.ts';
import type { budgetShape, costShape } from '../schema/budgets.ts';

/** Budgets with every default filled in. Throws `configuration_invalid` where two have one name. */
export function budgetRules(given: ReadonlyArray<z.infer<typeof budgetShape>> = []): readonly BudgetRule[] {
  const rules = given.map(complete);
  for (const [index, { name }] of rules.entries()) {
    const first = rules.findIndex((rule) => rule.name === name);
    if (first === index) continue;
    throw new ToolcribError(
      'configuration_invalid',
      `Budgets ${first + 1} and ${index + 1} are both called "${name}": their counters would be one. Give one of them a name.`,
      { pointer: `#/policy/budgets/${index}` },
    );
  }
  return rules;
}

/** Cost rules without members that say nothing. */
export function costRules(given: ReadonlyArray<z.infer<typeof costShape>> = []): readonly CostRule[] {
  return given.map((rule) => JSON.parse(JSON.stringify(rule)) as CostRule);
}

function complete(given: z.infer<typeof budgetShape>): BudgetRule {
  const { tool, source, operation, tag, access, per = 'principal', calls, usd: dollars } = given;
  return {
    name: given.name ?? nameOf(given),
    ...(tool === undefined ? {} : { tool }),
    ...(source === undefined ? {} : { source }),
    ...(operation === undefined ? {} : { operation }),
    ...(tag === undefined ? {} : { tag }),
    ...(access === undefined ? {} : { access }),
    per,
    windowMs: milliseconds(given.window ?? '1d'),
    ...(calls === undefined ? {} : { calls }),
    ...(dollars === undefined ? {} : { usd: dollars }),
    ...(given.bytes === undefined ? {} : { bytes: bytes(given.bytes) }),
  };
}

/** What it covers, whom it counts by and how long: `source=github access=write per principal 1d`. */
function nameOf({
  name: _name,
  calls,
  usd: dollars,
  bytes: most,
  ...rest
}: z.infer<typeof budgetShape>): string {
  const { per = 'principal', window: length = '1d', ...selector } = rest;
  const parts = Object.entries(selector).map(([key, value]) => `${key}=${value}`);
  const units = [
    calls !== undefined && 'calls',
    dollars !== undefined && 'usd',
    most !== undefined && 'bytes',
  ];
  const covered = parts.length === 0 ? 'every call' : parts.join(' ');
  return `${covered}, ${units.filter(Boolean).join(' and ')} per ${per === 'run' ? 'run' : `${per} and ${length}`}`;
}
