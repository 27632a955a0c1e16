import type { ArtifactStore } from '../artifacts/index.ts';
import type { HttpAnswer, RawResult } from '../executors/executor.ts';
import type { CompletedResult, Operation, Result, UntrustedRule } from '../operations/index.ts';
import type { ResultLimits, ShapeContext } from './answer-content.ts';
import { failedAnswer } from './failed-answer.ts';
import { type KeepRule, withArtifacts } from './keep-output.ts';
import { plannedRequest } from './planned-request.ts';
import { successfulAnswer } from './successful-answer.ts';
import { hardenResult, withOriginal } from './untrusted/harden-result.ts';
import { valueResult } from './value-result.ts';

/**
 * What an executor brought back as a result that every client understands. Never throws for odd answers. `untrusted`:
 * strangers may have written it.
 */
export function normalizeResult(
  raw: RawResult,
  operation: Operation,
  limits: ResultLimits,
  artifacts?: Pick<ArtifactStore, 'put'>,
  keep?: KeepRule,
  untrusted?: UntrustedRule,
): Promise<Result> {
  const context: ShapeContext = { operation, limits, artifacts, kept: [], unkept: [] };
  return shaped(raw, context).then<Result>((shapedResult) => {
    const { result, changed } =
      untrusted === undefined
        ? { result: shapedResult, changed: false }
        : hardenResult(shapedResult, raw, operation, untrusted);
    if (result.kind !== 'completed') return result;
    const kept = withArtifacts(result, raw, context, changed ? { always: true } : keep);
    return changed ? kept.then(withOriginal) : kept;
  });
}

function shaped(raw: RawResult, context: ShapeContext): Promise<Result> {
  switch (raw.kind) {
    case 'input_required':
      return Promise.resolve(raw);
    case 'value':
      return valueResult(raw, context);
    case 'request':
      return Promise.resolve(plannedRequest(raw.request));
    case 'http': {
      const successful = raw.status >= 200 && raw.status < 300;
      return successful ? withWarnings(successfulAnswer(raw, context), raw) : failedAnswer(raw, context);
    }
  }
}

async function withWarnings(
  answered: Promise<CompletedResult>,
  { warnings = [] }: HttpAnswer,
): Promise<CompletedResult> {
  const result = await answered;
  if (warnings.length === 0) return result;
  const notes = warnings.map((warning) => ({ type: 'text' as const, text: `Note: ${warning}` }));
  return {
    ...result,
    content: [...result.content, ...notes],
    warnings: [...warnings, ...(result.warnings ?? [])],
  };
}
