import type {
  InputRequest,
  InputRequiredResult,
  Json,
  Operation,
  UntrustedRule,
} from '../../operations/index.ts';
import { cleanJson } from './clean-json.ts';

/**
 * A question of an upstream server, which goes to a person or a model: cleaned, and one to a person says who asks. To a
 * client all questions come from the gateway, whose own are about approvals.
 */
export function hardenQuestion(question: InputRequest, source: string, rule: UntrustedRule): InputRequest {
  const clean = rule.clean ? (cleanJson(question as unknown as Json) as unknown as InputRequest) : question;
  const message = clean.params?.['message'];
  if (!rule.label || clean.method !== 'elicitation/create' || typeof message !== 'string') return clean;
  return { ...clean, params: { ...clean.params, message: `The server "${source}" asks: ${message}` } };
}

/** Other kinds of operations ask in words of ours. */
export function askingRule(rule: UntrustedRule, { invocation }: Operation): UntrustedRule {
  return invocation.kind === 'mcp' ? rule : { ...rule, label: false };
}

/** The same for all that are asked at once. */
export function hardenQuestions(
  result: InputRequiredResult,
  source: string,
  rule: UntrustedRule,
): InputRequiredResult {
  const requests = Object.entries(result.requests).map(
    ([key, question]) => [key, hardenQuestion(question, source, rule)] as const,
  );
  return { ...result, requests: Object.fromEntries(requests) };
}
