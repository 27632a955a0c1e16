import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ToolcribError } from '../../errors.ts';
import type { Category } from '../../topology/generic/category.ts';
import { parseCategory } from '../../topology/generic/schema.ts';
import { PACKAGE_FOLDER } from '../../version.ts';

/** The categories that this package ships, and the operator's own; a later file replaces an earlier category. */
export function readCategories(files: readonly string[]): readonly Category[] {
  const shipped = join(PACKAGE_FOLDER, 'categories');
  const own = readdirSync(shipped).filter((name) => name.endsWith('.yaml'));
  const categories = [...own.map((name) => join(shipped, name)), ...files].map(readCategory);
  return [...new Map(categories.map((one) => [one.category, one])).values()];
}

function readCategory(file: string): Category {
  try {
    return parseCategory(parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new ToolcribError(
      'configuration_invalid',
      `The category file cannot be used: ${(error as Error).message}`,
      { location: file, cause: error },
    );
  }
}
