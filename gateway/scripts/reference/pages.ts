import { configurationPage } from './configuration-page.ts';
import { httpPage } from './http-page.ts';

/** Pages of docs/ that nobody writes by hand. A test compares each with its file. */
export const PAGES: ReadonlyArray<{ readonly name: string; readonly write: () => Promise<string> }> = [
  { name: 'configuration-reference.md', write: configurationPage },
  { name: 'http-api.md', write: async () => httpPage() },
];
