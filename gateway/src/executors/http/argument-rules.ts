import { ToolcribError } from '../../errors.ts';
import { type ArgumentRule, escapeToken, type JsonObject } from '../../operations/index.ts';

/** Throws `arguments_invalid` where arguments contradict each other. */
export function assertArgumentRules(rules: readonly ArgumentRule[], args: JsonObject): void {
  for (const rule of rules) {
    if ('exactlyOne' in rule) assertExactlyOne(rule.exactlyOne, args);
    else if (isGiven(args, rule.alone)) assertAlone(rule, args);
  }
}

function assertExactlyOne(names: readonly string[], args: JsonObject): void {
  const given = names.filter((name) => isGiven(args, name));
  if (given.length === 1) return;
  const said = given.length === 0 ? 'none is given' : `${given.join(' and ')} are given`;
  throw refused(`Exactly one of ${names.join(', ')} is needed; ${said}.`, given[1]);
}

function assertAlone({ alone, without }: Extract<ArgumentRule, { alone: string }>, args: JsonObject): void {
  const others = without.filter((name) => isGiven(args, name));
  if (others.length === 0) return;
  throw refused(
    `Argument ${alone} goes alone: it continues the request that it came from. Leave out ${others.join(', ')}.`,
    others[0],
  );
}

function isGiven(args: JsonObject, name: string): boolean {
  return Object.hasOwn(args, name) && args[name] !== undefined && args[name] !== null;
}

function refused(message: string, argument: string | undefined): ToolcribError {
  return new ToolcribError(
    'arguments_invalid',
    message,
    argument === undefined ? {} : { pointer: `/${escapeToken(argument)}` },
  );
}
