import { ToolcribError } from '../errors.ts';

export function unauthorized(message: string): ToolcribError {
  return new ToolcribError('unauthorized', message);
}
