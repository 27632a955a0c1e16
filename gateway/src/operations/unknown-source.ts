import { ToolcribError } from '../errors.ts';
import { didYouMean } from './text/nearest-name.ts';

export interface UnknownSource {
  /** Names that whoever asks may learn: one of them may be meant. */
  readonly known?: readonly string[];
  readonly what?: string;
  readonly next?: string;
}

/** `source_unknown`, for whoever named a source that there is not. */
export function unknownSource(
  name: string,
  { known = [], what = 'source', next }: UnknownSource = {},
): ToolcribError {
  const message = `There is no ${what} ${JSON.stringify(name.slice(0, 100))}.${didYouMean(name, known)}`;
  return new ToolcribError('source_unknown', message, next === undefined ? {} : { next });
}
