import { ProtocolError, ProtocolErrorCode, specTypeSchemas } from '@modelcontextprotocol/server';
import { isObject } from '../../operations/index.ts';
import { problemsOf } from '../../operations/text/schema-problems.ts';

type Issues = Parameters<typeof problemsOf>[0];

/**
 * What the SDK has against the params of a request: it gives zod's list of issues as JSON, and for most methods as an
 * internal error (JSON-RPC 2.0 has -32602 for it). Undefined for every other error.
 */
export function invalidParams(
  request: { readonly method: string },
  thrown: unknown,
): ProtocolError | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const text = /^(?:Invalid [\w/]+ request: )?(\[[\s\S]*\])$/.exec(thrown.message)?.[1];
  const issues = text === undefined ? undefined : issuesIn(text);
  return issues && new ProtocolError(ProtocolErrorCode.InvalidParams, sentenceOf(request, issues));
}

/** What the specification has against an `initialize`. */
export function invalidInitialize(message: { readonly method: string }): string {
  const outcome = specTypeSchemas.InitializeRequest['~standard'].validate(message);
  return sentenceOf(message, (outcome.issues ?? []) as unknown as Issues);
}

/** The first thing that is wrong, with its place. */
function sentenceOf(request: { readonly method: string }, issues: Issues): string {
  const [problem] = problemsOf(issues, request);
  const place = problem === undefined || problem.path.length === 0 ? 'request' : problem.path.join('.');
  return `Invalid ${request.method}: ${place}: ${problem?.message ?? 'It cannot be read.'}`;
}

function issuesIn(text: string): Issues | undefined {
  try {
    const issues: unknown = JSON.parse(text);
    return Array.isArray(issues) && issues.length > 0 && issues.every(isIssue)
      ? (issues as Issues)
      : undefined;
  } catch {
    return undefined;
  }
}

function isIssue(one: unknown): boolean {
  return isObject(one) && typeof one['code'] === 'string' && Array.isArray(one['path']);
}
