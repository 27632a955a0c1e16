import { createRequire } from 'node:module';
import { asRe2 } from './re2-syntax.ts';

/** What ajv asks of a regular expression; `toString` is its key, so it must tell patterns apart. */
export interface LinearPattern {
  test(text: string): boolean;
  toString(): string;
}

/** Compiles regular expressions whose running time grows with the text only. */
export interface PatternEngine {
  /** Undefined for what cannot be run so: look-around, back-references, invalid syntax, programs that are too large. */
  compile(pattern: string): LinearPattern | undefined;
}

/** Instructions of a compiled program. */
const MAX_PROGRAM = 6000;
/** Counted repeats make a program large and slow: then text is refused beyond this many steps (a second or two). */
const LARGE_PROGRAM = 200;
const MAX_STEPS = 10_000_000;

/** `^` and single characters with at most one variable repeat: the built-in engine needs linear time for those. */
const ATOM = '(?:\\[\\^?(?:\\\\[^]|[^\\]\\\\])*\\]|\\\\[^1-9bBk]|[^\\\\()[\\]{}|^$*+?])(?:\\{\\d{1,4}\\})?';
const VARIABLE = '(?:[*+?]|\\{\\d{1,5},\\d{0,5}\\})';
const SIMPLE = new RegExp(
  `^(?:\\^(?:${ATOM})*(?:${ATOM}${VARIABLE})?(?:${ATOM})*\\$?|(?:${ATOM}){1,64})$`,
  'u',
);
/** Longer ones are not looked at: matching SIMPLE itself must stay cheap. */
const MAX_SIMPLE = 200;
/** Compiled patterns of one engine. */
const MAX_KEPT = 500;

/** RE2 in JavaScript, and the built-in engine where a pattern is too simple to backtrack. */
export function createPatternEngine(): PatternEngine {
  const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof import('re2js');
  const kept = new Map<string, LinearPattern | undefined>();
  const compile = (pattern: string): LinearPattern | undefined => {
    const native = compileNative(pattern);
    if (native === undefined) return undefined;
    if (isSimple(pattern)) return { test: (text) => native.test(text), toString: () => pattern };
    try {
      const compiled = RE2JS.compile(RE2JS.translateRegExp(asRe2(pattern)));
      const size = compiled.programSize();
      if (size > MAX_PROGRAM) return undefined;
      const fits = (text: string) => size <= LARGE_PROGRAM || size * text.length <= MAX_STEPS;
      return { test: (text) => fits(text) && compiled.test(text), toString: () => pattern };
    } catch {
      return undefined;
    }
  };
  return {
    compile(pattern) {
      if (!kept.has(pattern)) {
        if (kept.size >= MAX_KEPT) kept.clear();
        kept.set(pattern, compile(pattern));
      }
      return kept.get(pattern);
    },
  };
}

function isSimple(pattern: string): boolean {
  return pattern.length <= MAX_SIMPLE && SIMPLE.test(pattern);
}

/** JSON Schema asks for ECMA-262 with `u`; many documents are written without it in mind, so either will do. */
function compileNative(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // the next flags, or none
    }
  }
  return undefined;
}
