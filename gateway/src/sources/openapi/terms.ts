import type { Budget, CostProfile, JsonObject, SafetyProfile } from '../../operations/index.ts';
import { type Declared, declaredBudget, declaredCost, declaredSafety } from '../declared-terms.ts';
import type { DiagnosticLog } from './diagnostics.ts';

/** What the extensions of an operation say about its cost, its budget and its safety. */
export interface Terms {
  readonly cost?: CostProfile;
  readonly budget?: Budget;
  readonly safety?: Partial<SafetyProfile>;
}

const NONE: Terms = Object.freeze({});

/** `x-toolcrib-cost`, `x-toolcrib-budget`, `x-toolcrib-safety`; what cannot be used is reported and left out. */
export function termsOf(node: JsonObject, pointer: string, log: DiagnosticLog): Terms {
  const stated = [node['x-toolcrib-cost'], node['x-toolcrib-budget'], node['x-toolcrib-safety']];
  if (stated.every((one) => one === undefined)) return NONE;
  const value = <T>(extension: string, { value, problem }: Declared<T>): T | undefined => {
    if (problem !== undefined) {
      const message = `${extension} cannot be used as it stands (${problem}).`;
      log.report('extension-unusable', 'warning', message, `${pointer}/${extension}`);
    }
    return value;
  };
  const cost = value('x-toolcrib-cost', declaredCost(stated[0]));
  const budget = value('x-toolcrib-budget', declaredBudget(stated[1]));
  const safety = value('x-toolcrib-safety', declaredSafety(stated[2]));
  return {
    ...(cost === undefined ? {} : { cost }),
    ...(budget === undefined ? {} : { budget }),
    ...(safety === undefined ? {} : { safety }),
  };
}
