import { type JSONRPCRequest, type Result, Server, type ServerContext } from '@modelcontextprotocol/server';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** Thrown by a handler of `tools/call` in place of its answer: the result that says that the call is a task. */
export class TaskCreated {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

/** The SDK's server, whose schemas know no other results of `tools/call` than those of tools (extension Tasks). */
export class TaskServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    if (method !== 'tools/call') return wrapped;
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (thrown) {
        if (thrown instanceof TaskCreated) return thrown.result;
        throw thrown;
      }
    };
  }
}
