import type { z } from 'zod';
import type { Json, JsonObject } from '../../operations/index.ts';

/** A JSON Schema as a literal, in an argument that keeps its exact type. */
export type SchemaLiteral = { readonly [key: string]: unknown };

/** How a tool may say what it takes and gives. */
export type ToolSchema = z.ZodType | SchemaLiteral;

/** What a handler gets: a parsed zod value, or JSON as its schema says. Without a schema: any JSON object. */
export type ToolArguments<S> = S extends z.ZodType
  ? z.output<S>
  : S extends SchemaLiteral
    ? FromSchema<S>
    : JsonObject;

/** What a handler returns as its answer. Without a schema: any JSON value, or nothing. */
export type ToolValue<S> = S extends z.ZodType
  ? z.output<S>
  : S extends SchemaLiteral
    ? FromSchema<S>
    : Json | undefined;

/**
 * The values that a JSON Schema literal describes: const, enum, type (one or several), properties, required, items,
 * additionalProperties, anyOf and oneOf. What it does not read (`$ref`, allOf, if …) is any JSON value; a schema that
 * is no literal describes any JSON object.
 */
export type FromSchema<S> = string extends keyof S
  ? JsonObject
  : S extends { readonly const: infer C }
    ? C
    : S extends { readonly enum: ReadonlyArray<infer E> }
      ? E
      : S extends { readonly anyOf: ReadonlyArray<infer A> }
        ? FromEach<A>
        : S extends { readonly oneOf: ReadonlyArray<infer A> }
          ? FromEach<A>
          : S extends { readonly type: ReadonlyArray<infer T> }
            ? FromType<T, S>
            : S extends { readonly type: infer T }
              ? FromType<T, S>
              : Json;

/** One after the other, so that a union of schemas becomes the union of their values. */
type FromEach<S> = S extends unknown ? FromSchema<S> : never;

type FromType<T, S> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? FromItems<S>
          : T extends 'object'
            ? FromProperties<S>
            : Json;

type FromItems<S> = S extends { readonly items: infer I } ? Array<FromSchema<I>> : Json[];

type FromProperties<S> = S extends { readonly properties: infer P }
  ? Flat<
      { -readonly [K in keyof P as K extends RequiredOf<S> ? K : never]: FromSchema<P[K]> } & {
        -readonly [K in keyof P as K extends RequiredOf<S> ? never : K]?: FromSchema<P[K]>;
      }
    >
  : S extends { readonly additionalProperties: infer A extends SchemaLiteral }
    ? { [key: string]: FromSchema<A> }
    : JsonObject;

type RequiredOf<S> = S extends { readonly required: ReadonlyArray<infer K> } ? K : never;

/** One object type in place of an intersection, for people who read it in an editor. */
type Flat<T> = { [K in keyof T]: T[K] };
