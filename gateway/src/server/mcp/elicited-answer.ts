import type { ElicitResult, RequestOptions, StandardSchemaV1 } from '@modelcontextprotocol/server';
import { isObject, type JsonObject } from '../../operations/index.ts';
import { choosesAction } from '../held/fitting-answers.ts';

/**
 * What a client of the older revisions answers for its person, as it came: the SDK's own schema refuses the whole answer
 * for one value, and whoever asked would hear that nothing was chosen. What does not fit the form is told of later.
 */
const ELICITED: StandardSchemaV1<unknown, ElicitResult> = {
  '~standard': {
    version: 1,
    vendor: 'toolcrib',
    validate: (value) =>
      isObject(value) && choosesAction(value)
        ? { value: value as unknown as ElicitResult }
        : { issues: [{ message: 'It is no answer of a person.' }] },
  },
};

export interface Question {
  readonly method: string;
  readonly params?: JsonObject;
}

/** Sends by the SDK, which reads the answer by its own schema of the method or by one that is given. */
export interface Send {
  (question: Question, options?: RequestOptions): Promise<unknown>;
  (
    question: Question,
    schema: StandardSchemaV1<unknown, ElicitResult>,
    options?: RequestOptions,
  ): Promise<unknown>;
}

export function isElicitation({ method }: Question): boolean {
  return method === 'elicitation/create';
}

/** Asks the client, and reads what a person chose as it came. */
export function askClient(send: Send, question: Question, options?: RequestOptions): Promise<unknown> {
  return isElicitation(question) ? send(question, ELICITED, options) : send(question, options);
}
