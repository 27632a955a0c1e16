import {
  type Call,
  type Constants,
  choicesOf,
  type Expression,
  lastName,
  literal,
  resolved,
  textOf,
} from '../expressions.ts';
import { type FoundArgument, GIVEN_ONCE, type Plain } from '../found.ts';

const SWITCHES: ReadonlySet<string> = new Set([
  'store_true',
  'store_false',
  'store_const',
  'append_const',
  'count',
]);

/** One `add_argument`; undefined for help, version, what is hidden and what cannot be read. */
export function readArgument({ items, named, line }: Call, constants: Constants): FoundArgument | undefined {
  const names = items.map((item) => textOf(item, constants)).filter((name) => name !== undefined);
  const flags = names.filter((name) => name.startsWith('-'));
  const flag = flags.find((name) => name.startsWith('--')) ?? flags[0];
  const spelling = flag ?? names[0];
  if (spelling === undefined || flags.some((name) => !/^--?[A-Za-z0-9][\w.-]*$/.test(name))) return undefined;
  const action = actionOf(named.get('action'), constants);
  const help = named.get('help');
  if (action === 'help' || action === 'version' || lastName(help ?? { kind: 'unknown' }) === 'SUPPRESS')
    return undefined;
  const description = described(textOf(help, constants));
  const base = {
    spelling,
    line,
    ...(flag === undefined ? {} : { flag }),
    ...(description === undefined ? {} : { description }),
  };
  if (action !== undefined && (SWITCHES.has(action) || action === 'BooleanOptionalAction')) {
    const isOn = action === 'BooleanOptionalAction' && literal(named.get('default'), constants) === true;
    const off = isOn ? `--no-${spelling.replace(/^-+/, '')}` : undefined;
    return {
      ...base,
      kind: 'switch',
      type: 'string',
      required: false,
      ...(off === undefined ? {} : { spelling: off, flag: off }),
    };
  }
  const nargs = literal(named.get('nargs'), constants) ?? lastName(named.get('nargs') ?? { kind: 'unknown' });
  const fallback = literal(named.get('default'), constants);
  const choices = choicesOf(named.get('choices'), constants);
  const isRest = nargs === 'REMAINDER' || nargs === '...';
  const isOptionalPosition = nargs === '?' || nargs === '*' || isRest;
  return {
    ...base,
    kind: 'value',
    type: typeOf(named.get('type')),
    required: flag === undefined ? !isOptionalPosition : literal(named.get('required'), constants) === true,
    ...valuesOf(action, nargs),
    ...(isRest ? { takesRest: true } : {}),
    ...(nargs === '?' && flag?.startsWith('--') ? { joined: true } : {}),
    ...(choices === undefined ? {} : { choices }),
    ...(fallback === undefined || fallback === null ? {} : { fallback }),
  };
}

/** `append` takes one value each time it is given, `nargs` several at once. */
function valuesOf(
  action: string | undefined,
  nargs: Plain | undefined,
): Pick<FoundArgument, 'values' | 'repeats' | 'doubt'> {
  const isRepeated = action === 'append' || action === 'extend';
  if (typeof nargs === 'number')
    return nargs > 1 && nargs <= 16
      ? { values: nargs, ...(isRepeated ? { doubt: GIVEN_ONCE } : {}) }
      : isRepeated
        ? { values: 'many', repeats: true }
        : {};
  const isMany = typeof nargs === 'string' && ['+', '*', '...', 'REMAINDER'].includes(nargs);
  if (isMany) return { values: 'many', ...(action === 'append' ? { repeats: true } : {}) };
  return isRepeated ? { values: 'many', repeats: true } : {};
}

function actionOf(expression: Expression | undefined, constants: Constants): string | undefined {
  if (expression === undefined) return undefined;
  return textOf(expression, constants) ?? lastName(resolved(expression, constants));
}

function typeOf(expression: Expression | undefined): FoundArgument['type'] {
  const name = expression === undefined ? undefined : lastName(expression);
  if (name === 'int') return 'integer';
  return name === 'float' ? 'number' : 'string';
}

/** `%(default)s` and its like say nothing here. */
function described(help: string | undefined): string | undefined {
  return help
    ?.replaceAll(/[ (]?(?:default:? ?)?%\([a-z_]{1,20}\)[sdr]\)?/g, '')
    .replaceAll('%%', '%')
    .trim();
}
