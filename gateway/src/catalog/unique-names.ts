import type { Diagnostic, PromptDescription, ResourceDescription } from '../operations/index.ts';

export type OwnedResource = ResourceDescription & { readonly source: string };
/** `original`: the name at its source, where another source had it first. */
export type OwnedPrompt = PromptDescription & { readonly source: string; readonly original?: string };

export interface Unique<T> {
  readonly items: readonly T[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Where two sources list one address, the earlier keeps it: a later source cannot put itself in its place. */
export function uniqueResources(resources: readonly OwnedResource[]): Unique<OwnedResource> {
  const first = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const items = resources.filter(({ uri, source }) => {
    const owner = first.get(uri) ?? source;
    first.set(uri, owner);
    if (owner === source) return true;
    diagnostics.push(
      shadowed(
        'resource',
        source,
        `Resource ${uri} of source ${source} is not listed: source ${owner} has it.`,
      ),
    );
    return false;
  });
  return { items, diagnostics };
}

/** Where two sources have a prompt of one name, the earlier keeps it; the later one's carries its source's name. */
export function uniquePrompts(prompts: readonly OwnedPrompt[]): Unique<OwnedPrompt> {
  const taken = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const first = prompts.filter(({ name, source }) => {
    const free = !taken.has(name);
    if (free) taken.set(name, source);
    return free;
  });
  const names = new Map(first.map((prompt) => [prompt, prompt.name]));
  for (const prompt of prompts) {
    if (names.has(prompt)) continue;
    const { name, source } = prompt;
    const renamed = `${source}_${name}`;
    const owner = taken.get(name)!;
    if (taken.has(renamed)) {
      diagnostics.push(
        shadowed(
          'prompt',
          source,
          `Prompt ${name} of source ${source} is not listed: source ${owner} has it.`,
        ),
      );
      continue;
    }
    taken.set(renamed, source);
    names.set(prompt, renamed);
    diagnostics.push(
      shadowed(
        'prompt',
        source,
        `Prompt ${name} of source ${source} is ${renamed}: source ${owner} has that name.`,
      ),
    );
  }
  return {
    items: prompts.flatMap((prompt) => {
      const name = names.get(prompt);
      if (name === undefined) return [];
      return [name === prompt.name ? prompt : { ...prompt, name, original: prompt.name }];
    }),
    diagnostics,
  };
}

function shadowed(what: string, source: string, message: string): Diagnostic {
  return { code: `${what}-shadowed`, severity: 'warning', message, source };
}
