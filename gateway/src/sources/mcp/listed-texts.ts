import type { ListedExtras, PromptArgument } from '../../operations/description.ts';
import { fittingAnnotations } from '../../operations/fitting.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  type PromptDescription,
  type ResourceDescription,
  type ResourceTemplateDescription,
  type UpstreamTool,
} from '../../operations/index.ts';
import { isInterface } from '../../operations/mcp-apps.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { ICONS_META, toolMeta } from './tool-meta.ts';

const MAX_ADDRESS = 4096;
const MAX_NAME = 256;
const MAX_DESCRIPTION = 4096;
const MAX_ARGUMENTS = 100;

export interface Cleaned<T> {
  readonly items: readonly T[];
  /** What was left out or changed, in words. */
  readonly changes: readonly string[];
}

/** Resources with clean texts; their addresses stay as they are, or they are left out. */
export function cleanResources(items: readonly ResourceDescription[]): Cleaned<ResourceDescription> {
  return cleanItems(
    'resource',
    items,
    ({ uri }) => uri,
    ({ uri, mimeType, size, ...others }, clean) => ({
      uri,
      ...named(others, uri, clean),
      ...extras(others),
      ...(typeof mimeType === 'string' ? { mimeType: clean(mimeType, MAX_NAME) } : {}),
      ...(typeof size === 'number' ? { size } : {}),
    }),
  );
}

export function cleanTemplates(
  items: readonly ResourceTemplateDescription[],
): Cleaned<ResourceTemplateDescription> {
  return cleanItems(
    'resource template',
    items,
    ({ uriTemplate }) => uriTemplate,
    ({ uriTemplate, mimeType, ...others }, clean) => ({
      uriTemplate,
      ...named(others, uriTemplate, clean),
      ...extras(others),
      ...(typeof mimeType === 'string' ? { mimeType: clean(mimeType, MAX_NAME) } : {}),
    }),
  );
}

export function cleanPrompts(items: readonly PromptDescription[]): Cleaned<PromptDescription> {
  return cleanItems(
    'prompt',
    items,
    ({ name }) => name,
    ({ name, arguments: args, annotations: _none, ...others }: PromptDescription & ListedExtras, clean) => ({
      ...named({ ...others, name }, name, clean),
      ...extras(others),
      name,
      // some servers write null, or an object, for none
      ...(Array.isArray(args)
        ? {
            arguments: (args as readonly Json[])
              .filter((argument) => isObject(argument) && typeof argument['name'] === 'string')
              .slice(0, MAX_ARGUMENTS)
              .map((argument) => {
                const { required, ...about } = argument as JsonObject & PromptArgument;
                return {
                  ...named(about, about.name, clean),
                  name: about.name,
                  ...(typeof required === 'boolean' ? { required } : {}),
                };
              }),
          }
        : {}),
    }),
  );
}

/** What is for clients alone, within the bounds that it has for tools. */
function extras({ annotations, icons, _meta }: ListedExtras): ListedExtras {
  const fit = fittingAnnotations(annotations);
  const { [ICONS_META]: shown, ...meta } = toolMeta({ _meta, icons } as UpstreamTool).meta ?? {};
  return {
    ...(fit === undefined ? {} : { annotations: fit }),
    ...(shown === undefined ? {} : { icons: shown as JsonObject[] }),
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
}

type Clean = (text: string, maxLength: number) => string;

interface Texts {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

function named({ name, title, description }: Texts, fallback: string, clean: Clean): Texts {
  return {
    name: clean(typeof name === 'string' && name !== '' ? name : fallback, MAX_NAME),
    ...(typeof title === 'string' ? { title: clean(title, MAX_NAME) } : {}),
    ...(typeof description === 'string' ? { description: clean(description, MAX_DESCRIPTION) } : {}),
  };
}

/** What identifies an item goes back to the server as it is: one that hides something is left out. */
function cleanItems<T>(
  kind: string,
  items: readonly T[],
  keyOf: (item: T) => string,
  cleaned: (item: T, clean: Clean) => T,
): Cleaned<T> {
  const changes: string[] = [];
  const seen = new Set<string>();
  const kept = items.filter((item) => {
    const key = keyOf(item);
    const problem = problemOf(key) ?? (seen.has(key) ? 'listed twice' : undefined);
    if (problem === undefined) seen.add(key);
    else changes.push(`${kind} ${shown(key)} left out: ${problem}`);
    return problem === undefined;
  });
  return {
    items: kept.map((item) =>
      cleaned(item, (text, maxLength) => {
        const result = cleanText(text, { maxLength });
        if (result.changes.length > 0) changes.push(`${kind} ${shown(keyOf(item))}: ${result.changes[0]}`);
        return result.text;
      }),
    ),
    changes,
  };
}

function problemOf(key: unknown): string | undefined {
  if (typeof key !== 'string' || key === '') return 'it has no name';
  if (key.length > MAX_ADDRESS) return `longer than ${MAX_ADDRESS} characters`;
  if (isInterface(key)) return "it is a page of the server's, which is not passed on";
  const clean = !/[\r\n\t]/.test(key) && cleanText(key, { tags: false }).text === key;
  return clean ? undefined : 'it holds hidden characters';
}

function shown(key: unknown): string {
  return JSON.stringify(cleanText(String(key), { maxLength: 80 }).text);
}
