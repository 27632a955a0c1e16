// The gateway's search as a ranker module of the retrieval check: build(tools), search(index, query, k) → names.
import { createSearchIndex } from '../../src/retrieval/index.ts';

export function build(tools) {
  return createSearchIndex([{ source: '', stamp: tools, documents: () => documentsOf(tools) }]);
}

export function search(index, query, k) {
  return index.search(query, { limit: k }).map(({ key }) => key);
}

function* documentsOf(tools) {
  for (const { name, description = '', method, path, tags = [], server, params = {} } of tools) {
    yield {
      key: name,
      name,
      description,
      ...(method === undefined ? {} : { method, effect: method === 'GET' ? 'reads' : 'changes' }),
      ...(path === undefined ? {} : { path }),
      tags: server === undefined ? tags : [...tags, server],
      parameters: params,
    };
  }
}
