import { basename, sep } from 'node:path';
import { isObject, type Json } from '../../operations/index.ts';
import { workspaceOf } from './their-folder.ts';

export interface VariablePlace {
  /** The client's file. */
  readonly file: string;
  /** The user's home folder. */
  readonly home: string;
}

/** Reads what a client's values refer to; one for each entry. */
export interface TheirVariables {
  /** `key` is where the value stands in the entry. */
  read(value: Json, key: string): Json;
  /** What a person has to know of what was read. */
  readonly notes: readonly string[];
}

/**
 * `${workspaceFolder}`, Claude Code's `${CLAUDE_PROJECT_DIR}` and `${userHome}` are places of this machine; `${input:…}`,
 * for which an editor asks its person, becomes a variable; `{env:VAR}` is OpenCode's and `$VAR` Gemini CLI's word for
 * one. The rest stays as it is: what nobody knows here is refused by name.
 */
export function createVariables(
  { file, home }: VariablePlace,
  form: { readonly opencode: boolean; readonly gemini: boolean },
): TheirVariables {
  const workspace = workspaceOf(file, home);
  const places: Readonly<Record<string, string | undefined>> = {
    workspaceFolder: workspace,
    workspaceFolderBasename: workspace === undefined ? undefined : basename(workspace),
    userHome: home,
    pathSeparator: sep,
    '/': sep,
  };
  const notes: string[] = [];

  const text = (given: string, name: string | undefined): string => {
    const named = given
      .replace(/\$\{([A-Za-z]+|\/)\}/g, (all, key: string) =>
        Object.hasOwn(places, key) ? (places[key] ?? all) : all,
      )
      .replace(/\$\{CLAUDE_PROJECT_DIR(?::-[^{}]*)?\}/g, (all) => workspace ?? all)
      .replace(/\$\{input:([^{}]+)\}/g, (all, id: string) => {
        const variable = all === given && name !== undefined ? name : variableName(id);
        notes.push(`\${${variable}} stands where ${all} stood`);
        return `\${${variable}}`;
      });
    if (form.opencode) return named.replace(/\{env:([A-Za-z_]\w*)\}/g, '$${$1}');
    if (form.gemini) return named.replace(/\$([A-Za-z_]\w*)/g, '$${$1}');
    if (/^\$[A-Za-z_]\w*$/.test(given)) {
      notes.push(`${given} is taken as text; write \${${given.slice(1)}} where the variable is meant`);
    }
    return named;
  };

  const read = (value: Json, isEnv: boolean, name?: string): Json => {
    if (typeof value === 'string') return text(value, name);
    if (Array.isArray(value)) return value.map((one) => read(one, false));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, read(one, false, isEnv ? key : undefined)]),
    );
  };

  return { read: (value, key) => read(value, key === 'env'), notes };
}

function variableName(id: string): string {
  const name = id.replace(/\W+/g, '_').toUpperCase();
  return /^[A-Z_]/.test(name) ? name : `_${name}`;
}
