import { isToolcribError } from '../../../../errors.ts';
import type { Principal } from '../../../../operations/index.ts';
import { faultAnswer, REFUSALS, refused } from '../../../../proxy/answers.ts';
import type { ProxyScope } from '../../../../proxy/create-proxy.ts';
import type { ProxyAnswer } from '../../../../proxy/proxy-types.ts';
import type { GatewayAdmin } from '../../admin/gateway-admin.ts';
import { readJson } from '../../read-json.ts';

interface ProxyContext {
  readonly gateway: GatewayAdmin;
  readonly principal: Principal;
  readonly request: Request;
  readonly signal: AbortSignal;
  readonly maxBodyBytes: number;
}

/** One proxy request as the contract of its callers says it: every failure has `{error: {message, code}}`. */
export async function proxyResponse(context: ProxyContext, scope: ProxyScope): Promise<Response> {
  const { status, body } = await answerOf(context, scope);
  return Response.json(body, { status });
}

async function answerOf(context: ProxyContext, scope: ProxyScope): Promise<ProxyAnswer> {
  const { gateway, principal, request, signal, maxBodyBytes } = context;
  if (gateway.proxy === undefined) return refused(REFUSALS.notConnected(scope.category ?? 'api'));
  let body: unknown;
  try {
    body = await readJson(request, maxBodyBytes);
  } catch (error) {
    const tooLarge = isToolcribError(error) && error.code === 'body_too_large';
    return tooLarge ? faultAnswer(error) : refused(REFUSALS.invalidJson);
  }
  if (body === undefined) return refused(REFUSALS.invalidJson);
  return gateway.proxy(body, principal, signal, scope);
}
