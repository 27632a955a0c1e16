import type { SourceConfiguration } from '../../config/configuration.ts';
import type { ToolcribError } from '../../errors.ts';
import { refreshIntervalOf } from '../../sources/refresh-interval.ts';

/** Whether a gateway starts without this source: it is asked again by itself, and nobody has to mend anything. */
export function comesBack(source: SourceConfiguration | undefined, error: ToolcribError): boolean {
  if (source === undefined || isOperators(error)) return false;
  return source.kind === 'mcp' || refreshIntervalOf(source.kind, source.settings) !== undefined;
}

/** A refused or missing credential: nobody but the operator mends it. */
function isOperators({ code, status }: ToolcribError): boolean {
  if (status === 401 || status === 403) return code === 'source_unreadable';
  return ['configuration_invalid', 'credentials_missing', 'credentials_refused'].includes(code);
}
