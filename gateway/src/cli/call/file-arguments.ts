import type { Operation } from '../../operations/operation.ts';

/** Arguments that go out as files of a multipart body, which have names: base64 text, a `data:` URL, or lists of them. */
export function fileArguments({ invocation }: Operation): ReadonlySet<string> {
  const names = new Set<string>();
  if (invocation.kind !== 'http') return names;
  const encoding = invocation.body?.encoding ?? {};
  for (const { arg, in: place, name } of invocation.bindings) {
    if (arg !== undefined && place === 'body' && Object.hasOwn(encoding, name) && encoding[name]?.file)
      names.add(arg);
  }
  return names;
}
