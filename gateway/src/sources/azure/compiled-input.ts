import {
  type Binding,
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from '../../operations/index.ts';

/** Arguments and bindings of one operation while the extensions of its parameters are applied. */
export class CompiledInput {
  readonly #root: JsonSchema;
  readonly #properties: JsonObject;
  #required: readonly Json[];
  #bindings: Binding[];

  constructor(input: JsonSchema, bindings: readonly Binding[]) {
    this.#root = input;
    this.#properties = isObject(input.properties) ? { ...input.properties } : {};
    this.#required = Array.isArray(input.required) ? input.required : [];
    this.#bindings = [...bindings];
  }

  get bindings(): readonly Binding[] {
    return this.#bindings;
  }

  /** The binding of a parameter, a form field or a property of the body; the name as it is on the wire. */
  binding(place: string, name: string): Binding | undefined {
    const wanted = place === 'path' || place === 'header' ? name.toLowerCase() : name;
    return this.#bindings.find((one) => {
      if (one.in !== place) return false;
      return (place === 'path' || place === 'header' ? one.name.toLowerCase() : one.name) === wanted;
    });
  }

  schema(argument: string): JsonObject {
    const schema = this.#properties[argument];
    return isObject(schema) ? schema : {};
  }

  describe(argument: string, description: string): void {
    if (description !== '') this.#properties[argument] = { ...this.schema(argument), description };
  }

  setSchema(argument: string, schema: JsonSchema): void {
    this.#properties[argument] = schema;
  }

  /** Sent without asking from now on. */
  fix(binding: Binding, value: Json): void {
    this.#forget(binding);
    const { arg: _arg, ...rest } = binding;
    this.replace(binding, { ...rest, const: value } as Binding);
  }

  /** Neither asked for nor sent. */
  drop(binding: Binding): void {
    this.#forget(binding);
    this.#bindings = this.#bindings.filter((one) => one !== binding);
  }

  replace(binding: Binding, by: Binding): void {
    this.#bindings = this.#bindings.map((one) => (one === binding ? by : one));
  }

  add(binding: Binding): void {
    this.#bindings.push(binding);
  }

  /** The input schema as it is now. */
  input(): JsonSchema {
    const { required: _required, properties: _properties, ...rest } = this.#root;
    const required = this.#required.length === 0 ? {} : { required: [...this.#required] };
    return { type: 'object', properties: this.#properties, ...required, ...rest };
  }

  #forget({ arg }: Binding): void {
    if (arg === undefined) return;
    delete this.#properties[arg];
    this.#required = this.#required.filter((name) => name !== arg);
  }
}
