import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configurationForDocuments, sourceName } from '../../../src/config/index.ts';

const context = { env: { XDG_STATE_HOME: '/state' }, cwd: '/work' };

describe('documents on the command line', () => {
  it('one document has no prefix, and its lock lies in the state directory', () => {
    const configuration = configurationForDocuments(['api/pets.yaml'], context);
    expect(configuration.sources).toEqual({
      pets: {
        kind: 'openapi',
        settings: join('/work', 'api', 'pets.yaml'),
        prefix: 'none',
        access: [],
        include: [],
        exclude: [],
      },
    });
    expect(configuration.lock.file).toMatch(
      /^\/state\/toolcrib\/documents\/[0-9a-f]{16}\/toolcrib\.lock\.json$/,
    );
    expect(configurationForDocuments(['./api/../api/pets.yaml'], context).lock).toEqual(configuration.lock);
  });

  it('several are told apart by their names', () => {
    const { sources } = configurationForDocuments(
      ['pets.yaml', 'old/pets.json', 'https://api.acme.test/openapi.json'],
      context,
    );
    expect(Object.entries(sources).map(([name, { prefix }]) => [name, prefix])).toEqual([
      ['pets', 'pets'],
      ['pets_2', 'pets_2'],
      ['acme', 'acme'],
    ]);
  });

  it('the origin of a document that the operator named is allowed', () => {
    const { egress } = configurationForDocuments(['http://127.0.0.1:9000/openapi.json'], context);
    expect(egress.allow).toEqual(['http://127.0.0.1:9000']);
  });
});

describe('the name of a source', () => {
  it.each([
    ['-', 'stdin'],
    ['/specs/petstore.json', 'petstore'],
    ['/specs/petstore.openapi.yaml.gz', 'petstore'],
    ['./pets/openapi.yaml', 'pets'],
    ['https://api.acme.com/v1/openapi.json', 'acme'],
    ['https://raw.example.org/acme/specs/main/api.yaml', 'acme'],
    ['http://127.0.0.1:8000/openapi.json', 'api'],
    ['http://localhost:8000/', 'localhost'],
    ['https://shop.acme.com/openapi/json', 'acme'],
    ['https://acme.com/_openapi31.json', 'acme'],
    ['./shop/full_documentation.json', 'shop'],
    ['my api (v2).yaml', 'my_api_v2_'],
    ['2024-report.yaml', 'report'],
    ['constructor.yaml', 'api'],
  ])('%s → %s', (location, name) => {
    expect(sourceName(location)).toBe(name);
  });
});
