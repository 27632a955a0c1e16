import type { Result } from '@modelcontextprotocol/server';

/** Thrown by a handler of `tools/call` in place of its answer: the result that says that the call is a task. */
export class TaskCreated {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}
