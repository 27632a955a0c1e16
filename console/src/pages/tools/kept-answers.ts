import type { JsonObject } from '../../components/json/json-values.ts';
import { objectOf } from './form/schema.ts';
import { isSecret } from './form/secret.ts';
import type { Answers, CallAsks } from './tool-types.ts';

/**
 * What a person answered of the questions of a call, and what stands in the form of the one that is open. In the memory
 * of this tab alone, as long as the call asks; never a secret.
 */
export interface KeptAnswers {
  readonly given: Answers['inputResponses'];
  /** By question. */
  readonly written: Readonly<Record<string, JsonObject>>;
}

/** What of it may be kept: without secret fields, and without the answers that hold one, which are asked again. */
export function keepable({ inputRequests }: CallAsks, { given, written }: KeptAnswers): KeptAnswers {
  const secretsOf = (key: string) => {
    const { properties } = objectOf(inputRequests[key]?.params?.['requestedSchema']);
    return Object.entries(objectOf(properties)).flatMap(([name, member]) =>
      isSecret(objectOf(member)) ? [name] : [],
    );
  };
  const answered = Object.entries(given);
  const open = answered.filter(([key, answer]) => holds(answer, secretsOf(key)));
  const drafts = [
    ...Object.entries(written),
    ...open.map(([key, answer]) => [key, contentOf(answer)] as const),
  ];
  return {
    given: Object.fromEntries(answered.filter((one) => !open.includes(one))),
    written: Object.fromEntries(
      drafts.map(([key, content]) => {
        const secrets = secretsOf(key);
        return [key, Object.fromEntries(Object.entries(content).filter(([name]) => !secrets.includes(name)))];
      }),
    ),
  };
}

function holds(answer: Answers['inputResponses'][string], names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(contentOf(answer), name));
}

function contentOf(answer: Answers['inputResponses'][string]): JsonObject {
  return answer.action === 'accept' ? (answer.content ?? {}) : {};
}
