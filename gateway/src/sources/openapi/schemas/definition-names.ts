import { UNSAFE_KEYS } from '../../../operations/index.ts';

/** The usual case, where nothing has to be decoded or left out. */
const PLAIN_COMPONENT =
  /^#\/(?:components\/schemas|definitions)\/(?!(?:properties|schema|items)$)([A-Za-z0-9_.-]{1,64})$/;

const COMPONENT = /#\/(?:components\/schemas|definitions)\/([^/]+)$/;

/** As the document writes it, of what stands directly under the schemas of its components. */
export function componentName(pointer: string): string | undefined {
  return COMPONENT.exec(pointer)?.[1];
}

/** The component's own name, or the last steps of a pointer elsewhere; `^[A-Za-z0-9_.-]{1,64}$`. */
export function definitionName(pointer: string): string {
  const plain = PLAIN_COMPONENT.exec(pointer)?.[1];
  if (plain !== undefined && !UNSAFE_KEYS.has(plain)) return plain;
  const fragment = pointer.slice(pointer.indexOf('#') + 1);
  const decoded = fragment.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const steps = decoded
    .split('/')
    .filter((step) => step !== '' && !/^(?:properties|schema|items)$/.test(step));
  const component = /^(?:components\/schemas|definitions)$/.test(steps.slice(0, -1).join('/'));
  const [place = ''] = pointer.split('#', 1);
  const file = place.slice(place.lastIndexOf('/') + 1).replace(/\.[a-z]+$/i, '');
  const words = steps.length === 0 ? [file] : component ? steps.slice(-1) : steps.slice(-2);
  const name = words
    .join('_')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .slice(0, 64);
  return name === '' || UNSAFE_KEYS.has(name) ? 'Schema' : name;
}
