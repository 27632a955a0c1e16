import type { Json, ScriptArgument } from '../operations/index.ts';
import { didYouMean } from '../operations/text/nearest-name.ts';
import { argumentProblem, listProblem } from './check-argument.ts';
import { parseTemplate, referenceName, type TemplateReference } from './parse.ts';
import { argumentPath } from './render-arguments.ts';
import type { TemplateScope } from './scope.ts';
import type { TemplatePath } from './values.ts';

/** Why a template cannot be used. */
export interface TemplateProblem {
  /** Into the tree that was checked. */
  readonly path: TemplatePath;
  /** One sentence. */
  readonly message: string;
}

const NAMESPACES = ['args', 'context', 'secrets'];
/** A value may be large, and stands in a request as often as it is referred to. */
const MOST_REFERENCES = 256;
const DEEPEST = 64;
/** Names in one reference: each is looked for in the schema. */
const LONGEST_PATH = 32;
const LONGEST_NAME = 512;

/**
 * What is wrong with the templates at the leaves of a value: a `{{` that does not close, names that nothing will have,
 * arguments that the input schema does not declare, secrets where none may stand. Empty: they can be rendered.
 */
export function checkTemplate(tree: Json, scope: TemplateScope): readonly TemplateProblem[] {
  const checking = new Checking(scope);
  checking.visit(tree, []);
  return checking.problems;
}

/** The same for the arguments of a program; flags name an argument, `each` one that can be a list of plain values. */
export function checkArguments(
  args: readonly ScriptArgument[],
  scope: TemplateScope,
): readonly TemplateProblem[] {
  const checking = new Checking(scope);
  for (const [index, item] of args.entries()) {
    if (typeof item === 'string') checking.visit(item, [index]);
    else if ('each' in item) checking.each(item, index);
    else if ('when' in item) checking.flag(item, index);
    else checking.visit(item as Json, [index]);
  }
  return checking.problems;
}

class Checking {
  readonly problems: TemplateProblem[] = [];
  readonly #scope: TemplateScope;
  #references = 0;

  constructor(scope: TemplateScope) {
    this.#scope = scope;
  }

  visit(tree: Json, path: TemplatePath): void {
    if (path.length > DEEPEST) this.#say(path.slice(0, 3), `It is nested deeper than ${DEEPEST} levels.`);
    else if (typeof tree === 'string') this.#text(tree, path);
    else if (Array.isArray(tree))
      for (const [index, item] of tree.entries()) this.visit(item, [...path, index]);
    else if (tree !== null && typeof tree === 'object')
      for (const [key, value] of Object.entries(tree)) {
        if (key.includes('{{')) this.#say([...path, key], 'Templates stand in values, not in names.');
        this.visit(value, [...path, key]);
      }
  }

  flag({ flag, when }: { readonly flag: string; readonly when: string }, index: number): void {
    this.#flagText(flag, index);
    const path = argumentPath(when);
    if (path === undefined) this.#say([index, 'when'], 'when names one argument, as args.json does.');
    else this.#reference({ namespace: 'args', path }, [index, 'when']);
  }

  each({ each, flag }: { readonly each: string; readonly flag?: string }, index: number): void {
    if (flag !== undefined) this.#flagText(flag, index);
    const path = argumentPath(each);
    if (path === undefined) {
      this.#say([index, 'each'], 'each names one argument, as args.files does.');
      return;
    }
    const before = this.problems.length;
    this.#reference({ namespace: 'args', path }, [index, 'each']);
    const problem = this.problems.length === before ? listProblem(path, this.#scope.args) : undefined;
    if (problem !== undefined) this.#say([index, 'each'], problem);
  }

  #flagText(flag: string, index: number): void {
    if (flag === '' || flag.includes('{{')) this.#say([index, 'flag'], 'A flag is text without templates.');
  }

  #text(text: string, path: TemplatePath): void {
    const { parts, problem } = parseTemplate(text);
    if (problem !== undefined) this.#say(path, problem);
    for (const part of parts) if (typeof part === 'object') this.#reference(part, path);
  }

  #reference(reference: TemplateReference, path: TemplatePath): void {
    this.#references++;
    if (this.#references > MOST_REFERENCES) {
      if (this.#references === MOST_REFERENCES + 1)
        this.#say(path, `There are more than ${MOST_REFERENCES} references to values.`);
      return;
    }
    const problem = this.#problemOf(reference);
    if (problem !== undefined) this.#say(path, problem);
  }

  #problemOf(reference: TemplateReference): string | undefined {
    const { namespace, path } = reference;
    const name = referenceName(reference);
    if (name.length > LONGEST_NAME) return `A reference has at most ${LONGEST_NAME} characters.`;
    if (!NAMESPACES.includes(namespace))
      return `${name} is unknown: names begin with args, context or secrets.${didYouMean(namespace, NAMESPACES)}`;
    if (path.length > LONGEST_PATH) return `A reference has at most ${LONGEST_PATH} names.`;
    if (path.length === 0) return `${namespace} alone is no value: name one, as in ${namespace}.name.`;
    if (namespace === 'args') return argumentProblem(path, this.#scope.args);
    if (path.length > 1) return `${name} is unknown: values of ${namespace} are texts without members.`;
    if (namespace === 'secrets') return this.#secretProblem(path[0]!);
    return this.#scope.context.includes(path[0]!)
      ? undefined
      : `${name} is unknown; there are ${this.#scope.context.join(', ')}.${didYouMean(path[0]!, this.#scope.context)}`;
  }

  #secretProblem(name: string): string | undefined {
    const { secrets, secretNames } = this.#scope;
    if (!secrets) return `secrets.${name} may not stand here: secrets go into env and headers only.`;
    return secretNames === undefined || secretNames.includes(name)
      ? undefined
      : `secrets.${name} is unknown.${didYouMean(name, secretNames)}`;
  }

  #say(path: TemplatePath, message: string): void {
    this.problems.push({ path, message });
  }
}
