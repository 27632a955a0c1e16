import { asToolcribError } from '../../errors.ts';
import type { Call, CompletedResult, ContentBlock, Json, JsonSchema } from '../../operations/index.ts';
import type { Validator } from '../../validation/validator.ts';
import type { Layer } from '../compose.ts';

/**
 * Structured results are checked against the document's own output schema. A mismatch is the document's fault as
 * often as the service's: by default the caller gets the result with a warning, in strict mode an error. An operation
 * that is strict by itself answers by its schema or not at all: a text, a file or nothing is a mismatch too.
 * @param published the output schema that the tool of a call was listed with
 * @param toldFailure why it failed, by an answer that says nothing else
 */
export function validateOutputLayer(
  validator: Validator,
  strict: () => boolean,
  published: (call: Call) => JsonSchema | undefined,
  toldFailure: (answer: Json) => string | undefined = () => undefined,
): Layer {
  return async (call, next) => {
    const result = await next(call);
    const { output: schema, strictOutput = false } = call.operation;
    if (schema === undefined || result.kind !== 'completed') return result;
    const breaksPublished = () => {
      const shown = published(call);
      return shown !== undefined && problemsOf(validator, shown, result.structured).length > 0;
    };
    if (!hasOutput(result)) {
      if (call.dryRun) return result;
      const hasAnswered = result.error === undefined;
      if (hasAnswered && strictOutput) return invalid(call, result, misfit('it is no JSON'));
      const isRefused = hasAnswered && strict();
      if (result.structured !== undefined) {
        // the schema speaks of JSON answers, but clients hold whatever stands in their place against it, too
        if (!breaksPublished()) return result;
        return isRefused ? invalid(call, result, NO_JSON, result.content) : marked(result, true);
      }
      if (!hasAnswered) return result;
      if (isRefused) return invalid(call, result, NO_JSON, result.content);
      return marked(warned(result, 'it is no JSON object'), published(call) !== undefined);
    }
    const problems = problemsOf(validator, schema, result.structured);
    if (problems.length === 0) return result;
    if (strict() || strictOutput) {
      const { structured } = result;
      const told = structured === undefined ? undefined : toldFailure(structured);
      const reason = told === undefined ? '' : `. It says: ${told}`;
      return invalid(call, result, misfit(textOf(problems)) + reason);
    }
    const breaks = breaksPublished();
    const told = breaks ? problems : problems.filter(tellsSomething(call));
    return marked(told.length === 0 ? result : warned(result, textOf(told)), breaks);
  };
}

const NO_JSON = 'The answer is no JSON, which its output schema promises.';

function marked(result: CompletedResult, breaksPublished: boolean): CompletedResult {
  return breaksPublished ? { ...result, breaksPublished } : result;
}

/** Errors, files, empty answers and dry runs carry nothing that the schema speaks of. */
function hasOutput({ error, structured, outputApplies }: CompletedResult): boolean {
  return error === undefined && structured !== undefined && outputApplies !== false;
}

/**
 * What fits more than one branch of a `oneOf` says nothing to anybody: 1 is an integer and a number. Nor does it that
 * members are missing where the caller chose which ones come.
 */
function tellsSomething(call: Call): (problem: Problem) => boolean {
  return ({ fitsSeveral, keyword }) => !fitsSeveral && !(keyword === 'required' && choosesMembers(call));
}

/** `fields` of Google, `opt_fields` of Asana, `fields[articles]` of JSON:API, `$select` of OData, `includeFields`. */
const CHOICE_OF_MEMBERS =
  /(?:^|[^a-z\d])(?:fields|select|attributes|columns)(?:\[[^\]]*\])?$|[a-z](?:Fields|Select)$/;

/** Whether a query parameter of this call says which members its answer has. */
function choosesMembers({ operation: { invocation }, arguments: given }: Call): boolean {
  if (invocation.kind !== 'http') return false;
  return invocation.bindings.some(
    ({ in: place, name, arg }) =>
      place === 'query' && arg !== undefined && CHOICE_OF_MEMBERS.test(name) && given[arg] !== undefined,
  );
}

interface Problem {
  readonly text: string;
  /** Of JSON Schema; undefined where the schema itself cannot be used. */
  readonly keyword?: string;
  /** It fits, but more than one branch of a `oneOf`. */
  readonly fitsSeveral?: true;
}

/** None where it fits. A schema that cannot be used must not cost a result that is already there. */
function problemsOf(validator: Validator, schema: JsonSchema, structured: unknown): readonly Problem[] {
  try {
    const outcome = validator.validate(schema, structured, 'property');
    if (outcome.valid) return [];
    return outcome.errors.map(({ pointer, message, keyword, fitsSeveral }) => ({
      text: `${pointer || '/'} ${message}`,
      keyword,
      ...(fitsSeveral === undefined ? {} : { fitsSeveral }),
    }));
  } catch (error) {
    return [{ text: `the schema itself cannot be used (${asToolcribError(error).message})` }];
  }
}

function textOf(problems: readonly Problem[]): string {
  return problems
    .slice(0, 3)
    .map(({ text }) => text)
    .join('; ');
}

function warned(result: CompletedResult, problem: string): CompletedResult {
  const warning = misfit(problem);
  return {
    ...result,
    content: [...result.content, { type: 'text', text: `Note: ${warning}` }],
    warnings: [...(result.warnings ?? []), warning],
  };
}

/** `said` stays beside the error: a call that was carried out is not taken back, and a write is not to be repeated. */
function invalid(
  { operation }: Call,
  { structured: _withheld, ...rest }: CompletedResult,
  message: string,
  said: readonly ContentBlock[] = [],
): CompletedResult {
  const next = operation.access === 'read' ? undefined : CARRIED_OUT;
  const text = `output_invalid: ${message}${next === undefined ? '' : `\n${next}`}`;
  return {
    ...rest,
    content: [...said, { type: 'text', text }],
    error: { code: 'output_invalid', message, ...(next === undefined ? {} : { next }) },
  };
}

const CARRIED_OUT =
  'The call was carried out, and only its answer is withheld: check its effect before you call again.';

function misfit(problem: string): string {
  return `The answer does not fit its output schema: ${problem}`;
}
