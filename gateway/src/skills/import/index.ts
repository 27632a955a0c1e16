export { createSkillFetcher, type FetchedPackages } from './fetch-packages.ts';
export { IMPORT_LIMITS } from './import-limits.ts';
