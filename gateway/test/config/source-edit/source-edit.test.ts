import { describe, expect, it } from 'vitest';
import { lineDifference } from '../../../src/config/source-edit/line-difference.ts';
import { environmentNames, literalSecrets } from '../../../src/config/source-edit/literal-secrets.ts';
import { editSource, type SourceEdit } from '../../../src/config/source-edit/source-edit.ts';
import fc from '../../properties.ts';

const FILE = `# The pet shop.
name: shop   # seen by clients

sources:
    # the first one
    pets:   { openapi: ./pets.json }   # quoted nowhere
    crm:
        openapi: './crm.json'
        # a rule of ours
        access:
        - {operation: "x", access: read}   # why

    # the end of the sources

egress:
  allow: [ "127.0.0.1:9" ]
`;
const edited = (text: string, edit: Omit<SourceEdit, 'section'> & Partial<SourceEdit>) =>
  editSource(text, 'toolcrib.yaml', { section: 'sources', ...edit });

describe('one source of a configuration file', () => {
  it('is added behind the others, every other byte as it was', async () => {
    const text = await edited(FILE, { name: 'web', entry: { openapi: 'https://a.example/b.json' } });
    const added = '    web:\n      openapi: https://a.example/b.json\n';
    expect(text).toBe(FILE.replace('# why\n', `# why\n${added}`));
    expect(await lineDifference(FILE, text)).toEqual({
      line: 12,
      removed: [],
      added: added.trimEnd().split('\n'),
    });
  });

  it('is replaced where it stands', async () => {
    const text = await edited(FILE, { name: 'pets', entry: { openapi: './new.json', prefix: 'p' } });
    expect(text).toBe(
      FILE.replace(/ {4}pets:.*\n/, '    pets:\n      openapi: ./new.json\n      prefix: p\n'),
    );
  });

  it('is taken out with the lines of its own', async () => {
    expect(await edited(FILE, { name: 'crm' })).toBe(FILE.replace(/ {4}crm:[\s\S]*# why\n/, ''));
    const one = await edited(await edited(FILE, { name: 'crm' }), { name: 'pets' });
    expect(one).toContain('sources: {}\n');
    expect(one).toContain('# seen by clients');
    const back = await edited(one, { name: 'pets', entry: { openapi: './pets.json' } });
    expect(back).toContain('sources:\n  pets:\n    openapi: ./pets.json\n');
  });

  it.each([
    ['nothing', '', 'sources:\n  a:\n    openapi: ./a.json\n'],
    ['only a comment', '# mine\n', '# mine\nsources:\n  a:\n    openapi: ./a.json\n'],
    ['no section', 'name: x', 'name: x\nsources:\n  a:\n    openapi: ./a.json\n'],
    ['an empty section', 'sources:\nname: x\n', 'sources:\n  a:\n    openapi: ./a.json\nname: x\n'],
    ['Windows line ends', 'name: x\r\n', 'name: x\r\nsources:\r\n  a:\r\n    openapi: ./a.json\r\n'],
    [
      'JSON',
      '{\n    "sources": {}\n}\n',
      '{\n    "sources": {\n        "a": {\n            "openapi": "./a.json"\n        }\n    }\n}\n',
    ],
    [
      'JSON and Windows line ends',
      '{\r\n  "sources": {}\r\n}\r\n',
      '{\r\n  "sources": {\r\n    "a": {\r\n      "openapi": "./a.json"\r\n    }\r\n  }\r\n}\r\n',
    ],
    [
      'braces and Windows line ends',
      '# top\r\nsources: { b: { openapi: ./b.json } }\r\nname: x\r\n',
      '# top\r\nsources: { b: { openapi: ./b.json }, a: { openapi: ./a.json } }\r\nname: x\r\n',
    ],
  ])('is added to a file with %s', async (_what, text, expected) => {
    expect(await edited(text, { name: 'a', entry: { openapi: './a.json' } })).toBe(expected);
  });

  it('leaves every byte as it was once it is taken out again, however the file is written', async () => {
    const value = fc.constantFrom(
      ...['./a.json', '"a # b"', "'it''s'", '1.0', '0x1F', '[a, b] # end', '{ x: 1 }', '~', '', '!!str 5'],
      ...['>-\n@folded\n@text', '|\n@one\n@  two', '|+\n@kept\n', '[\n@a,\n@b\n@]', '"two\n@lines"'],
    );
    const between = fc.constantFrom('', '', '# why\n', '\n', '\n# why\n\n', '   # odd\n');
    const before = fc.constantFrom('', '# top\n', '---\n', 'name: x\n\n', '%YAML 1.2\n---\n');
    const after = fc.constantFrom('', '# end\n', '\n\n', 'server:\n  port: 1\n', '...\n', 'list:\n- a\n');
    const deep = fc.integer({ min: 1, max: 4 });
    const file = fc
      .record({
        ...{ before, after, between, deep, deeper: deep, crlf: fc.boolean() },
        values: fc.array(fc.tuple(between, value), { minLength: 1, maxLength: 3 }),
      })
      .map((made) => {
        const outer = ' '.repeat(made.deep);
        const inner = outer + ' '.repeat(made.deeper);
        const sources = made.values.map(
          ([comment, one], index) =>
            `${comment}${outer}s${index}:\n${inner}openapi: ${one.replaceAll('@', `${inner}  `)}\n`,
        );
        const text = `${made.before}sources:\n${made.between}${sources.join('')}${made.after}`;
        return made.crlf ? text.replaceAll('\n', '\r\n') : text;
      });
    await fc.assert(
      fc.asyncProperty(file, async (text) => {
        const added = await edited(text, { name: 'new', entry: { openapi: './n.json', prefix: 'n' } });
        expect(added).not.toBe(text);
        expect(await edited(added, { name: 'new' })).toBe(text);
      }),
    );
  });

  it('is added to a section in braces, and comments stay', async () => {
    const text = await edited('# top\nsources: { b: { openapi: ./b.json } }\n', {
      name: 'a',
      entry: { openapi: './a.json' },
    });
    expect(text).toContain('# top');
    expect(text).toContain('a: { openapi: ./a.json }');
  });

  it('is not taken out where other parts refer to it', async () => {
    const text = 'sources:\n  a: &a { openapi: ./a.json }\n  b: *a\n';
    await expect(edited(text, { name: 'a' })).rejects.toMatchObject({ code: 'file_conflict' });
  });
});

it('shows no secret that the old text had', async () => {
  const before = 'sources:\n  a:\n    credentials:\n      bearer: hunter2\n      apiKey: { env: KEY }\n';
  const { removed } = await lineDifference(before, 'sources: {}\n');
  expect(removed.join('\n')).not.toContain('hunter2');
  expect(removed.join('\n')).toContain('{ env: KEY }');
});

describe('what an entry holds', () => {
  it.each([
    [{ credentials: { bearer: 'abc' } }, ['/credentials/bearer']],
    [{ credentials: { bearer: { env: 'KEY' } } }, []],
    [{ headers: { 'X-Api-Key': 'abc', accept: 'text/plain' } }, ['/headers/X-Api-Key']],
    [{ command: 'npx', args: ['-y', '--api-key=abc', '--port=1'] }, ['/args/1']],
    [{ command: 'npx', args: ['x', '--api-key', 'abc', '--port', '1'] }, ['/args/2']],
    [{ command: 'npx', args: ['--token', '${TOKEN}', '--auth', '--verbose', '--key', './k.pem'] }, []],
    [{ command: 'npx', env: { GITHUB_TOKEN: 'abc', NODE_ENV: 'test' } }, ['/env/GITHUB_TOKEN']],
    [{ command: 'npx', env: { GITHUB_TOKEN: '${GITHUB_TOKEN}' } }, []],
    [{ url: 'https://me:pw@host.example/mcp' }, ['/url']],
    [{ n8n: { url: 'https://n8n.example', apiKey: 'abc' } }, ['/n8n/apiKey']],
  ])('secrets as text in %j: %j', (entry, pointers) => {
    expect(literalSecrets(entry)).toEqual(pointers);
  });

  it('names the variables that it reads', () => {
    const entry = {
      credentials: { basic: { username: { env: 'USER_ID' } } },
      env: { A: '${B} and ${env:C:-d}' },
    };
    expect(environmentNames(entry)).toEqual(['B', 'C', 'USER_ID']);
  });
});
