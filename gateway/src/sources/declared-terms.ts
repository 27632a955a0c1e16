import { type Budget, type CostProfile, isObject, type SafetyProfile } from '../operations/index.ts';

/** What could be read of a declaration, and what is wrong with the rest. */
export interface Declared<T> {
  readonly value?: T;
  readonly problem?: string;
}

type Check = (value: unknown) => boolean;

const amount: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const whole: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const positive: Check = (value) => amount(value) && (value as number) > 0;
const yesOrNo: Check = (value) => typeof value === 'boolean';

/** `{ usd, typicalMs }`: a price in US dollars and a usual time in milliseconds. */
export function declaredCost(given: unknown): Declared<CostProfile> {
  return declared(given, { usd: amount, typicalMs: amount });
}

/** `{ calls, usd, bytes, per, windowSeconds }`; at least one of the first three. */
export function declaredBudget(given: unknown): Declared<Budget> {
  const per: Check = (value) => value === 'principal' || value === 'run';
  const { value, problem } = declared<Budget & { windowSeconds?: number }>(given, {
    calls: whole,
    usd: amount,
    bytes: whole,
    per,
    windowSeconds: positive,
  });
  if (value === undefined) return problem === undefined ? {} : { problem };
  const { windowSeconds, ...rest } = value;
  if (rest.calls === undefined && rest.usd === undefined && rest.bytes === undefined)
    return { problem: problem ?? 'calls, usd or bytes is missing' };
  const window = windowSeconds === undefined ? {} : { windowMs: Math.round(windowSeconds * 1000) };
  return { value: { ...rest, ...window }, ...(problem === undefined ? {} : { problem }) };
}

/** Members of a safety profile; those that are not said keep what the rest of the description implies. */
export function declaredSafety(given: unknown): Declared<Partial<SafetyProfile>> {
  return declared(given, {
    network: yesOrNo,
    file: yesOrNo,
    destructive: yesOrNo,
    idempotent: yesOrNo,
    openWorld: yesOrNo,
  });
}

function declared<T extends object>(given: unknown, checks: Readonly<Record<string, Check>>): Declared<T> {
  if (given === undefined) return {};
  if (!isObject(given)) return { problem: 'it is no object' };
  const wrong = Object.entries(given).filter(([key, value]) => !checks[key]?.(value));
  const right = Object.entries(given).filter(([key, value]) => checks[key]?.(value));
  return {
    ...(right.length === 0 ? {} : { value: Object.fromEntries(right) as T }),
    ...(wrong.length === 0
      ? {}
      : {
          problem: wrong.map(([key, value]) => `${key}: ${JSON.stringify(value)} cannot be used`).join('; '),
        }),
  };
}
