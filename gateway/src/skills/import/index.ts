export { createSkillFetcher, type FetchedPackages, type FetchPackages } from './fetch-packages.ts';
export { IMPORT_LIMITS } from './import-limits.ts';
