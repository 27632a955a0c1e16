import { z } from 'zod';
import { headerName } from '../../operations/http/header-shapes.ts';
import { type Access, isObject, type JsonSchema } from '../../operations/index.ts';
import { dottedPath } from '../../operations/text/document-path.ts';
import { problemsOf } from '../../operations/text/schema-problems.ts';

/** What the author of a workflow, or the operator, says of it beyond what its Webhook node says. */
export interface Annotation {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly access?: Access | undefined;
  /** Calling it again changes nothing further: it may be retried. */
  readonly idempotent?: boolean | undefined;
  /** Header that carries the credential of Header Auth. */
  readonly header?: string | undefined;
  /** Names of input properties that go into the query, where there is a body too. */
  readonly query?: readonly string[] | undefined;
  /** Seconds that one call may take. */
  readonly timeout?: number | undefined;
  readonly input?: JsonSchema | undefined;
  readonly output?: JsonSchema | undefined;
}

const schema = z.custom<JsonSchema>(isObject, 'Must be a JSON Schema, as an object.');

const annotation = z.strictObject({
  title: z.string().min(1).max(120).optional(),
  description: z.string().min(1).max(4000).optional(),
  access: z.enum(['read', 'write', 'delete', 'dangerous']).optional(),
  idempotent: z.boolean().optional(),
  header: headerName.optional(),
  query: z.array(z.string().min(1)).optional(),
  timeout: z.number().positive().max(3600).optional(),
  input: schema.optional(),
  output: schema.optional(),
});

/** An annotation that cannot be used: its workflow is left out, since what it restricts is not known. */
export class AnnotationInvalid extends Error {}

/** `place` names where it stands, for the message. Throws AnnotationInvalid. */
export function readAnnotation(value: unknown, place: string): Annotation {
  const parsed = annotation.safeParse(value ?? {});
  if (!parsed.success) {
    const { path, message } = problemsOf(parsed.error.issues, value)[0]!;
    const at = path.length === 0 ? '' : ` at ${dottedPath(path)}`;
    throw new AnnotationInvalid(`${place}${at}: ${message}`);
  }
  const { input, output } = parsed.data;
  if (input !== undefined) checkReferences(input, `${place}, input`);
  if (output !== undefined) checkReferences(output, `${place}, output`);
  return parsed.data;
}

/** Schemas are moved to other places, so that only definitions can be referred to, and nothing outside. */
function checkReferences(value: unknown, place: string): void {
  if (Array.isArray(value)) for (const item of value) checkReferences(item, place);
  if (!isObject(value)) return;
  const { $ref } = value;
  if (typeof $ref === 'string' && !/^#\/\$defs\/[^/]+$/.test($ref)) {
    throw new AnnotationInvalid(`${place}: the reference ${$ref} must lead to #/$defs.`);
  }
  for (const member of Object.values(value)) checkReferences(member, place);
}

/** The first that says something wins, member by member. */
export function mergeAnnotations(annotations: readonly (Annotation | undefined)[]): Annotation {
  const merged: Record<string, unknown> = {};
  for (const one of annotations) {
    for (const [key, value] of Object.entries(one ?? {})) {
      if (value !== undefined && !Object.hasOwn(merged, key)) merged[key] = value;
    }
  }
  return merged as Annotation;
}
