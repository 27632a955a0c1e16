import { isObject, type JsonObject, type ShapingRequest } from '../../operations/index.ts';
import { decodeCursor } from '../pagination/index.ts';

/** The arguments by which a cursor goes on, for the event of a call: whoever reads it sees what was asked for. */
export function pageAsked({ cursor }: ShapingRequest = {}): { readonly _page?: JsonObject } {
  if (cursor === undefined) return {};
  try {
    const { p: page } = decodeCursor(cursor);
    return isObject(page) ? { _page: page } : {};
  } catch {
    return {};
  }
}
