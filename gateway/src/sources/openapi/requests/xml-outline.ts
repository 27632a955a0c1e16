import { isObject, type Json, type JsonObject } from '../../../operations/index.ts';
import type { Reading } from '../reading.ts';
import { componentName } from '../schemas/definition-names.ts';
import { viewObject } from '../schemas/object-view.ts';

/** Characters of an outline: it stands in every list that shows the tool. */
const MAX_LENGTH = 1200;
/** Elements within elements; less where that is too long. */
const DEPTHS = [6, 4, 3, 2, 1];
/** Nodes that are looked at for one depth: each may hold as many again. */
const MAX_NODES = 300;
/** What may be written unquoted into an outline as a name (XML 1.0 §2.3, without its rarer letters). */
const NAME = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;
const MORE = '…';

type Reader = Pick<Reading, 'references' | 'version'> & {
  readonly request: Pick<Reading['request'], 'hides'>;
};

/**
 * The document that a schema describes, by the rules of the XML Object: elements and attributes by their names, with the
 * type of what they hold. A caller who writes XML as text knows nothing else of it. Undefined where the schema names no
 * root, or says nothing.
 */
export function xmlOutline(reading: Reader, schema: unknown, pointer: string): string | undefined {
  for (const depth of DEPTHS) {
    const outline = new Outline(reading, depth);
    const text = outline.root(schema, pointer);
    if (text === undefined || (text.length <= MAX_LENGTH && !outline.isCut)) return text;
  }
  return undefined;
}

/** What a node of the document is, and how it is called. */
interface Meant {
  readonly node: JsonObject;
  readonly pointer: string;
  readonly kind: string;
  readonly name: string | undefined;
  readonly xml: JsonObject;
  readonly isList: boolean;
}

interface Parts {
  readonly attributes: string;
  readonly content: string;
}

class Outline {
  readonly #reading: Reader;
  readonly #depth: number;
  readonly #open = new Set<unknown>();
  #nodes = 0;

  constructor(reading: Reader, depth: number) {
    this.#reading = reading;
    this.#depth = depth;
  }

  /** It has more nodes than were looked at. */
  get isCut(): boolean {
    return this.#nodes > MAX_NODES;
  }

  root(schema: unknown, pointer: string): string | undefined {
    const meant = this.#meant(schema, pointer, undefined);
    if (meant === undefined || meant.kind !== 'element' || meant.name === undefined) return undefined;
    const { content } = this.#node(meant, 0, '');
    return content;
  }

  /** @param name what its place calls it */
  #meant(schema: unknown, pointer: string, name: string | undefined): Meant | undefined {
    const { references, version } = this.#reading;
    const target = references.object(schema, pointer);
    if (target === undefined) return undefined;
    const component = componentName(target.pointer);
    // since 3.2 a reference is no node of its own, and a component has its own name
    const inferred = version.queryMethod ? (component ?? name) : (name ?? component);
    const beside = isObject(schema) && isObject(schema.xml) ? schema.xml : {};
    const xml: JsonObject = { ...(isObject(target.node.xml) ? target.node.xml : {}), ...beside };
    const isList = target.node.type === 'array' || isObject(target.node.items);
    const usual = xml.attribute === true ? 'attribute' : isList && xml.wrapped !== true ? 'none' : 'element';
    const kind = typeof xml.nodeType === 'string' ? xml.nodeType : usual;
    const own = typeof xml.name === 'string' && kind !== 'none' ? xml.name : inferred;
    return { ...target, kind, name: own !== undefined && NAME.test(own) ? own : undefined, xml, isList };
  }

  #node(meant: Meant, depth: number, mark: string): Parts {
    const { node, kind, xml } = meant;
    this.#nodes++;
    const name = qualified(meant);
    if (kind === 'text') return { attributes: '', content: `${textOf(node)}${mark}` };
    if (kind === 'cdata') return { attributes: '', content: `<![CDATA[${textOf(node)}${mark}]]>` };
    if (name === undefined && kind !== 'none') return { attributes: '', content: '' };
    if (kind === 'attribute') return { attributes: ` ${name}="${textOf(node)}${mark}"`, content: '' };
    const { attributes, content } = this.#within(meant, depth, mark);
    if (kind === 'none') return { attributes, content };
    const isNeeded = mark !== '' && content !== '' ? '<!--required-->' : '';
    const inner = content === '' && attributes === '' ? `${textOf(node)}${mark}` : `${isNeeded}${content}`;
    const space = namespaceOf(xml);
    return { attributes: '', content: `<${name}${space}${attributes}>${inner}</${name}>` };
  }

  /** What stands in a node that is no text, unless that is too deep or has begun further up. */
  #within(meant: Meant, depth: number, mark: string): Parts {
    const { node, kind, isList } = meant;
    if (depth >= this.#depth || this.isCut || this.#open.has(node)) return { attributes: '', content: MORE };
    this.#open.add(node);
    const parts = isList
      ? this.#items(meant, depth, kind === 'none' ? mark : '')
      : this.#members(meant, depth);
    this.#open.delete(node);
    return parts;
  }

  #items({ node, pointer, name }: Meant, depth: number, mark: string): Parts {
    const item = this.#meant(node.items ?? {}, `${pointer}/items`, name);
    if (item === undefined) return { attributes: '', content: MORE };
    const { content } = this.#node(item, depth + 1, mark);
    return { attributes: '', content: `${content}${MORE}` };
  }

  #members({ node, pointer }: Meant, depth: number): Parts {
    const { references, request, version } = this.#reading;
    const view = viewObject(references, node, pointer, version.jsonSchema);
    let attributes = '';
    let content = '';
    for (const [property, parts] of view?.properties ?? []) {
      if (this.isCut) break;
      const part = parts.find(({ schema, pointer: at }) => !request.hides(schema, at));
      const meant = part && this.#meant(part.schema, part.pointer, property);
      if (meant === undefined) continue;
      const written = this.#node(meant, depth + 1, view?.required.has(property) ? ', required' : '');
      attributes += written.attributes;
      content += written.content;
    }
    return { attributes, content };
  }
}

function qualified({ name, xml: { prefix } }: Meant): string | undefined {
  return name !== undefined && typeof prefix === 'string' && NAME.test(prefix) ? `${prefix}:${name}` : name;
}

function namespaceOf({ namespace, prefix }: JsonObject): string {
  if (typeof namespace !== 'string' || !/^[^\s"<>]{1,200}$/.test(namespace)) return '';
  return typeof prefix === 'string' && NAME.test(prefix)
    ? ` xmlns:${prefix}="${namespace}"`
    : ` xmlns="${namespace}"`;
}

/** What a text may be: its only values, or its type. */
function textOf({ type, format, enum: values, const: only }: JsonObject): string {
  const texts = [only === undefined ? values : only].flat().filter(isPlain).map(String);
  if (texts.length > 0 && texts.length <= 12) return texts.join('|');
  const named = [type].flat().find((one) => typeof one === 'string' && one !== 'null');
  const said = typeof format === 'string' && /^[\w-]{1,20}$/.test(format) ? format : named;
  return named === 'string' ? String(said) : typeof named === 'string' ? named : MORE;
}

function isPlain(value: Json | undefined): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^[^<>&"\n]{1,60}$/.test(value));
}
