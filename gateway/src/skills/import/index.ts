export { createSkillFetcher } from './create-skill-fetcher.ts';
export type { FetchedPackages } from './fetch-packages.ts';
export { IMPORT_LIMITS } from './import-limits.ts';
