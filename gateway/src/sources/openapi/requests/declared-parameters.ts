import { isObject } from '../../../operations/index.ts';
import { scalarText } from '../../../operations/text/scalar-text.ts';
import { OperationUnusable } from '../operation-unusable.ts';
import type { Place } from '../place.ts';
import type { Reading } from '../reading.ts';
import { oneBody } from './one-body.ts';
import { withOwnDescription } from './own-description.ts';
import { PLACES } from './places.ts';

/** Parameters of an operation: those that go beside the body, and Swagger 2.0's that make the body. */
export interface DeclaredParameters {
  readonly beside: readonly Place[];
  readonly body: Place | undefined;
  readonly form: readonly Place[];
}

/** Parameter Objects of path item and operation; the operation's own replace the path item's of the same place and name. */
export function declaredParameters(reading: Reading, pathItem: Place, operation: Place): DeclaredParameters {
  const byIdentity = new Map<string, Place>();
  let bodies = new Map<string, Place>();
  let form = new Map<string, Place>();
  for (const owner of [pathItem, operation]) {
    if (owner.node.parameters === undefined) continue;
    const own = new Set<string>();
    const ownBodies = new Map<string, Place>();
    const ownForm = new Map<string, Place>();
    for (const parameter of parametersOf(reading, owner)) {
      const { node, pointer } = parameter;
      const name = String(node.name);
      const place = String(node.in);
      const identity = `${place}:${place === 'header' ? name.toLowerCase() : name}`;
      if (own.has(identity)) {
        reading.log.report(
          'parameter-duplicate',
          'warning',
          `The ${place} parameter ${name} is declared twice; the last one counts.`,
          pointer,
        );
      }
      own.add(identity);
      if (place === 'body') ownBodies.set(name, parameter);
      else if (place === 'formData') ownForm.set(name, parameter);
      else if (PLACES.has(place)) byIdentity.set(identity, parameter);
      else
        reading.log.report(
          'parameter-invalid',
          'warning',
          `There is no place "${place}" for the parameter ${name}; it is left out.`,
          pointer,
        );
    }
    if (ownBodies.size > 0) bodies = ownBodies;
    form =
      ownBodies.size > 0 && ownForm.size === 0 ? withoutForm(reading, form) : new Map([...form, ...ownForm]);
  }
  const body = oneBody(reading, [...bodies.values()]);
  return { beside: [...byIdentity.values()], body, form: [...form.values()] };
}

/** An operation's own body replaces the form of its path item: a request has one of them (Swagger 2.0 "Parameter Object"). */
function withoutForm(reading: Reading, form: ReadonlyMap<string, Place>): Map<string, Place> {
  for (const [name, { pointer }] of form) {
    const message = `The operation has a body of its own: the form field ${name} of its path item is left out.`;
    reading.log.report('body-unused', 'warning', message, pointer);
  }
  return new Map();
}

function* parametersOf(reading: Reading, owner: Place): Iterable<Place> {
  const { parameters } = owner.node;
  const pointer = `${owner.pointer}/parameters`;
  if (parameters === null) return;
  if (!Array.isArray(parameters)) {
    reading.log.report(
      'parameters-invalid',
      'warning',
      '`parameters` must be a list; it is left out.',
      pointer,
    );
    return;
  }
  for (const [index, entry] of parameters.entries()) {
    const at = `${pointer}/${index}`;
    const target = reading.references.follow(entry, at);
    if (target === undefined) {
      const reference = isObject(entry) ? (scalarText(entry.$ref) ?? '') : '';
      reading.log.report(
        'reference-broken',
        'warning',
        `The parameter ${reference} cannot be found; the operation is skipped.`,
        at,
      );
      throw new OperationUnusable(`a parameter cannot be found: ${reference}`);
    }
    const node = withOwnDescription(reading, entry, target.node);
    if (
      isObject(node) &&
      typeof node.in === 'string' &&
      (typeof node.name === 'string' || (node.in === 'body' && node.name === undefined))
    ) {
      yield { node, pointer: target.pointer };
    } else if (isObject(node) && (typeof node.name === 'number' || node.in === 'body')) {
      // the name of a body is no part of the request
      yield { node: { ...node, name: scalarText(node.name) ?? 'body' }, pointer: target.pointer };
    } else {
      reading.log.report(
        'parameter-invalid',
        'warning',
        'A parameter needs `name` and `in`; it is left out.',
        at,
      );
    }
  }
}
