import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { asToolcribError, ERRORS, type ToolcribError } from '../../errors.ts';
import { isObject } from '../../operations/index.ts';

/**
 * The JSON-RPC error of a fault, by the registry's row. Faults of the request are -32602 (invalid params),
 * all others -32603. Foreign errors lose their text on the way out.
 */
export function protocolErrorOf(thrown: unknown): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  const error = asToolcribError(thrown);
  if (error.code === 'capability_missing') return missingCapability(error);
  const row: { status: number; rpc?: number } = ERRORS[error.code];
  const ofRequest = row.status >= 400 && row.status < 500 && row.status !== 499;
  const code = row.rpc ?? (ofRequest ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError);
  return new ProtocolError(code, `${error.code}: ${error.message}`, {
    code: error.code,
    next: error.next,
    ...(error.pointer === undefined ? {} : { pointer: error.pointer }),
    ...uriOf(error),
  });
}

/** Runs a handler so that only protocol errors leave it. */
export async function answering<T>(run: () => Promise<T> | T): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw protocolErrorOf(error);
  }
}

function missingCapability(error: ToolcribError): ProtocolError {
  const required = error.details?.['requiredCapabilities'];
  return new MissingRequiredClientCapabilityError(
    { requiredCapabilities: isObject(required) ? required : {} },
    `${error.code}: ${error.message}`,
  );
}

/** 2026-07-28 asks for the address of a resource that is not there. */
function uriOf(error: ToolcribError): { uri?: string } {
  const uri = error.details?.['uri'];
  return error.code === 'resource_unknown' && typeof uri === 'string' ? { uri } : {};
}
