import { isObject, type Json, type ParameterBinding } from '../../operations/index.ts';
import { refusedValue } from './bound-value.ts';

/**
 * Whose every name of a query is. Members of an exploded object go out under names of their own (OpenAPI 3.1
 * §4.8.12.4): one that takes the name of another argument, of a member of one or of a constant is refused, since the
 * service would take it for that or for both.
 */
export class QueryNames {
  readonly #owners = new Map<string, { readonly binding: ParameterBinding; readonly isMember: boolean }>();

  /** `name`: decoded. Throws `arguments_invalid`. */
  take(name: string, binding: ParameterBinding, value: Json): void {
    const isMember = isSpread(binding, value);
    const known = this.#owners.get(name);
    if (known !== undefined && known.binding !== binding && (isMember || known.isMember))
      throw tooAlike(binding, known.binding, name);
    this.#owners.set(name, { binding, isMember: isMember || known?.isMember === true });
  }
}

function isSpread(
  { in: place, style = 'form', explode, contentType }: ParameterBinding,
  value: Json,
): boolean {
  return (
    place === 'query' && contentType === undefined && style === 'form' && explode !== false && isObject(value)
  );
}

function tooAlike(binding: ParameterBinding, other: ParameterBinding, name: string): Error {
  const [named, rest] = binding.arg === undefined ? [other, binding] : [binding, other];
  const whose =
    rest.arg === undefined
      ? 'which the operation fixes itself'
      : `and so would ${rest.arg}: the service could not tell them apart. Give one of them; the operator can give them \`style: deepObject\` or \`content\` by an overlay`;
  return refusedValue(named, `would be sent as ${name}=…, ${whose}`);
}
