import { type JSONRPCRequest, type Result, Server, type ServerContext } from '@modelcontextprotocol/server';
import { invalidParams } from './invalid-params.ts';
import { TaskCreated } from './tasks/task-created.ts';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/**
 * The SDK's server, with two things that it lacks: its schemas know no other results of `tools/call` than those of tools
 * (extension Tasks), and what it has against params is no sentence.
 */
export class SdkServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (thrown) {
        if (thrown instanceof TaskCreated) return thrown.result;
        throw invalidParams(request, thrown) ?? thrown;
      }
    };
  }
}
