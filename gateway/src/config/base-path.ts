import type { Configuration } from './configuration.ts';

/** Sources whose base URL names a host alone get their `basePath` behind it. */
export function withBasePaths(sources: Configuration['sources']): Configuration['sources'] {
  return Object.fromEntries(
    Object.entries(sources).map(([name, source]) => {
      const { baseUrl, basePath } = source;
      if (baseUrl === undefined || basePath === undefined) return [name, source];
      return [name, { ...source, baseUrl: behind(baseUrl, basePath) }];
    }),
  );
}

function behind(baseUrl: string, basePath: string): string {
  const url = URL.parse(baseUrl);
  if (url === null || url.pathname !== '/' || url.search !== '') return baseUrl;
  return `${url.origin}${basePath}`;
}
