import { type Binding, escapeToken, type HelperParameter } from '../../operations/index.ts';
import type { BodyMember } from './body-members.ts';

/** Where wire names of one operation ended up among our arguments. */
export interface ArgumentPlaces {
  /** JSON Pointer to a parameter or a form field. */
  ofParameter(place: string, name: string): HelperParameter | undefined;
  /** JSON Pointer to a member of the body. */
  ofMember(tokens: readonly string[]): HelperParameter | undefined;
  /**
   * What a `parameterReference` means: a parameter's name, `body/member/member` or the body parameter's own name
   * instead of `body`. `absent`: something that is never sent. Undefined: there is nothing of that name.
   */
  find(reference: string): HelperParameter | 'absent' | undefined;
}

const PLACES = ['path', 'query', 'header', 'body', 'cookie'];

/**
 * @param bodyName name of the body parameter
 * @param hidden names of parameters that are neither asked for nor sent
 */
export function argumentPlaces(
  bindings: readonly Binding[],
  members: readonly BodyMember[],
  bodyName: string | undefined,
  hidden: ReadonlySet<string>,
): ArgumentPlaces {
  const byName = new Map<string, HelperParameter>();
  for (const binding of bindings) {
    const key = keyOf(binding.in, binding.name);
    if (binding.arg !== undefined) byName.set(key, { argument: `/${escapeToken(binding.arg)}` });
    else if (binding.const !== undefined) byName.set(key, { value: binding.const });
  }
  // a document refers to members as often as it has them
  let index: MemberIndex | undefined;
  const known = (): MemberIndex => {
    index ??= indexed(members);
    return index;
  };
  const ofParameter = (place: string, name: string) => byName.get(keyOf(place, name));
  const ofMember = (tokens: readonly string[]): HelperParameter | undefined => {
    const [first, ...rest] = tokens;
    const whole = byName.get(keyOf('body', ''));
    if (whole !== undefined) return below(whole, tokens);
    const top = first === undefined ? undefined : byName.get(keyOf('body', first));
    return top === undefined ? undefined : below(top, rest);
  };
  const inBody = (steps: readonly string[]): HelperParameter | 'absent' | undefined => {
    const member = known().byPath.get(steps.join('/'));
    if (member === undefined) return undefined;
    if (member.leftOut) return 'absent';
    return member.value === undefined ? ofMember(member.tokens) : { value: member.value };
  };
  const named = (name: string): HelperParameter | 'absent' | undefined => {
    for (const place of PLACES) {
      const found = name === '' ? undefined : ofParameter(place, name);
      if (found !== undefined) return found;
    }
    return hidden.has(name.toLowerCase()) ? 'absent' : undefined;
  };
  return {
    ofParameter,
    ofMember,
    find(reference) {
      const steps = reference.split('/').filter((step) => step !== '');
      const rest = steps.slice(1);
      const entersBody = steps[0] === 'body' || steps[0] === bodyName;
      return (
        named(reference) ??
        (entersBody && rest.length > 0 ? inBody(rest) : undefined) ??
        (entersBody && rest[0] === 'body' ? inBody(rest.slice(1)) : undefined) ??
        inBody(steps) ??
        named(lowerCased(reference, byName)) ??
        // the older form names members of the body without their path
        (steps.length === 1 ? onlyMember(known().byName.get(steps[0]!), inBody) : undefined)
      );
    },
  };
}

function keyOf(place: string, name: string): string {
  return `${place}:${place === 'header' ? name.toLowerCase() : name}`;
}

function below(place: HelperParameter, tokens: readonly string[]): HelperParameter | undefined {
  if (tokens.length === 0) return place;
  if (!('argument' in place)) return undefined;
  return { argument: `${place.argument}${tokens.map((token) => `/${escapeToken(token)}`).join('')}` };
}

/** The name as it is spelled, where it differs in case alone. */
function lowerCased(name: string, byName: ReadonlyMap<string, unknown>): string {
  const wanted = name.toLowerCase();
  for (const key of byName.keys()) {
    const spelled = key.slice(key.indexOf(':') + 1);
    if (spelled.toLowerCase() === wanted) return spelled;
  }
  return '';
}

/** Members of the body by how references name them. */
interface MemberIndex {
  /** The first of each path, `*` left out. */
  readonly byPath: ReadonlyMap<string, BodyMember>;
  /** By the last step; undefined: several end in it. */
  readonly byName: ReadonlyMap<string, BodyMember | undefined>;
}

function indexed(members: readonly BodyMember[]): MemberIndex {
  const byPath = new Map<string, BodyMember>();
  const byName = new Map<string, BodyMember | undefined>();
  for (const member of members) {
    const { tokens } = member;
    const path = tokens.filter((token) => token !== '*').join('/');
    if (!byPath.has(path)) byPath.set(path, member);
    const name = tokens.at(-1);
    if (name !== undefined) byName.set(name, byName.has(name) ? undefined : member);
  }
  return { byPath, byName };
}

function onlyMember(
  member: BodyMember | undefined,
  inBody: (steps: readonly string[]) => HelperParameter | 'absent' | undefined,
): HelperParameter | 'absent' | undefined {
  return member && inBody(member.tokens.filter((token) => token !== '*'));
}
