import { configurationPage } from './configuration-page.ts';
import { errorsPage } from './errors-page.ts';
import { httpPage } from './http-page.ts';
import { JSON_SCHEMAS, jsonSchemaText } from './json-schemas.ts';

interface WrittenFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly write: () => string;
}

/** Files that nobody writes by hand. A test compares each with what is there. */
export const WRITTEN_FILES: readonly WrittenFile[] = [
  { path: 'docs/configuration-reference.md', write: configurationPage },
  { path: 'docs/http-api.md', write: httpPage },
  { path: 'docs/errors.md', write: errorsPage },
  ...JSON_SCHEMAS.map(([file, title, schema]) => ({
    path: `gateway/schemas/${file}`,
    write: () => jsonSchemaText(title, schema),
  })),
];
