import type { Operation } from '../../operations/operation.ts';

/** What is said of a file beside its bytes. */
export type FileArguments = ReadonlyMap<string, 'name' | 'type'>;

/**
 * Arguments that go out as files of a multipart body, which have names (base64 text, a `data:` URL, or lists of them), or
 * as a body whose type the document leaves open.
 */
export function fileArguments({ invocation }: Operation): FileArguments {
  const files = new Map<string, 'name' | 'type'>();
  if (invocation.kind !== 'http') return files;
  const { encoding = {}, range } = invocation.body ?? {};
  for (const { arg, in: place, name } of invocation.bindings) {
    if (arg === undefined || place !== 'body') continue;
    if (Object.hasOwn(encoding, name) && encoding[name]?.file) files.set(arg, 'name');
    else if (range !== undefined) files.set(arg, 'type');
  }
  return files;
}
