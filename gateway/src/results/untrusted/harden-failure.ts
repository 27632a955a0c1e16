import { isToolcribError, ToolcribError } from '../../errors.ts';
import { type JsonObject, UNTRUSTED_META, type UntrustedRule } from '../../operations/index.ts';
import { canonicalJson } from '../../operations/json/canonical.ts';
import { cleanJson } from './clean-json.ts';
import { textRules } from './harden-block.ts';

/**
 * A failure that repeats what a stranger said, as data: its words are cleaned, lead nowhere unseen and are labelled, as
 * those of an answer are. What is no ToolcribError says nothing to anybody, and stays.
 */
export function hardenFailure(error: unknown, source: string, rule: UntrustedRule): unknown {
  if (!isToolcribError(error)) return error;
  const { prose } = textRules(rule);
  const [message, text] = [prose(error.message), error.text && prose(error.text)];
  const given = error.details && (JSON.parse(JSON.stringify(error.details)) as JsonObject);
  const details = given && rule.clean ? (cleanJson(given) as JsonObject) : given;
  const changed =
    message !== error.message ||
    text !== error.text ||
    (given !== undefined && canonicalJson(given) !== canonicalJson(details));
  const label = { untrusted: true, source, origin: source, ...(changed ? { changed: true } : {}) };
  return new ToolcribError(error.code, message, {
    cause: error,
    next: error.next,
    ...(error.pointer === undefined ? {} : { pointer: error.pointer }),
    ...(error.location === undefined ? {} : { location: error.location }),
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(details === undefined ? {} : { details }),
    ...(text === undefined ? {} : { text }),
    ...(rule.label ? { meta: { [UNTRUSTED_META]: label } } : {}),
  });
}
