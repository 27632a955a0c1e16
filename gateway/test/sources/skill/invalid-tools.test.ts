import { describe, expect, it } from 'vitest';
import { compileSkill } from '../../../src/sources/skill/index.ts';
import { compileManifest, compileTool, PLACE, packageOf, SKILL_MD } from './package.ts';

const HTTP = 'executor: { type: http, url: "https://a.test/x" }';
const SCRIPT = 'executor: { type: script, entry: scripts/run.py }';

describe('schema validation', () => {
  it('passes a schema on, made safe, with its output', async () => {
    const { tools, findings } = await compileTool(
      `${SCRIPT}
input_schema: { $schema: "http://json-schema.org/draft-07/schema#", properties: { q: { type: string } } }
output_schema: { type: object, properties: { n: { type: integer } } }`,
    );
    expect(findings).toEqual([]);
    expect(tools[0]?.input).toEqual({ type: 'object', properties: { q: { type: 'string' } } });
    expect(tools[0]?.output).toEqual({ type: 'object', properties: { n: { type: 'integer' } } });
  });

  it.each([
    ['input_schema: { type: string }', 'skill-tool-input'],
    ['input_schema: [1]', 'skill-tool-input'],
    ['input_schema: { properties: { a: { $ref: "https://elsewhere.test/s.json" } } }', 'skill-tool-input'],
    ['input_schema: { $ref: "#" }', 'skill-tool-input'],
    ['output_schema: text', 'skill-tool-output'],
  ])('fails %s', async (line, code) => {
    const { tools, invalid } = await compileTool(`${SCRIPT}\n${line}`);
    expect(tools).toEqual([]);
    expect(invalid).toMatchObject([{ name: 'run', code, place: 'tool-manifest.yaml:5' }]);
  });
});

it('drops from a schema what cannot be checked, and says so', async () => {
  const { tools, findings } = await compileTool(`${SCRIPT}\ninput_schema: { properties: { a: 5 } }`);
  expect(tools[0]?.input).toEqual({ type: 'object', properties: {} });
  expect(findings.map(({ code, location }) => [code, location])).toEqual([
    ['skill-tool-input', '/skills/reader/tool-manifest.yaml:5'],
  ]);
});

describe('one invalid tool costs itself', () => {
  it('names file, line and reason, and leaves the others', async () => {
    const { tools, invalid } = await compileManifest(`tools:
  - { name: good, entry: scripts/run.py }
  - name: bad name
    entry: scripts/run.py
  - name: good
    entry: scripts/run.py
  - 7
  - entry: scripts/run.py
  - { name: also, entry: scripts/run.py }
`);
    expect(tools.map(({ name }) => name)).toEqual(['good', 'also']);
    expect(invalid).toEqual([
      {
        place: 'tool-manifest.yaml:3',
        error: 'name has 2 to 101 letters, digits, "_", "." and "-", the first a letter or a digit.',
        code: 'skill-tool-name',
      },
      {
        place: 'tool-manifest.yaml:5',
        name: 'good',
        error: 'Another tool is called good, too.',
        code: 'skill-tool-name',
      },
      {
        place: 'tool-manifest.yaml:7',
        error: 'A tool has name, description, input_schema and executor.',
        code: 'skill-tool',
      },
      {
        place: 'tool-manifest.yaml:8',
        error: 'name has 2 to 101 letters, digits, "_", "." and "-", the first a letter or a digit.',
        code: 'skill-tool-name',
      },
    ]);
  });

  it.each([
    ['', 'There is no executor: a script has an entry, an http tool a url.'],
    ['executor: { type: grpc }', 'executor.type is script or http.'],
    ['executor: mcp', 'executor.type is script or http.'],
    ['executor: [1]', 'executor is a mapping.'],
    ['executor: { type: script }', 'A script executor has an entry.'],
    ['executor: { type: script, entry: 7 }', 'A script executor has an entry.'],
    ['entry: ../../etc/passwd', 'entry ../../etc/passwd leads out of the skill.'],
    ['entry: scripts/../../x.py', 'entry scripts/../../x.py leads out of the skill.'],
    ['entry: /bin/sh', 'entry /bin/sh is no path within the skill.'],
    ['entry: C:\\x.py', 'entry C:\\x.py is no path within the skill.'],
    ['entry: scripts/gone.py', 'entry scripts/gone.py is not there, or no plain file.'],
    [
      'entry: python scripts/run.py --all',
      'entry python scripts/run.py --all is not there, or no plain file: it is a path alone, and arguments stand in args_template.',
    ],
    [
      'entry: .venv/bin/python',
      'entry .venv/bin/python lies in a hidden folder or one of a cache, which is no part of a skill.',
    ],
    ['entry: scripts', 'entry scripts is not there, or no plain file.'],
    [`${SCRIPT}\nargs_template: x`, undefined],
    [
      'executor: { entry: scripts/run.py, args: --all }',
      'args_template is a list: one item is one argument.',
    ],
    ['executor: { entry: scripts/run.py, args: [[]] }', /^An argument is text, a list of texts/],
    ['executor: { entry: scripts/run.py, args: [{ flag: -x }] }', /^An argument is text, a list of texts/],
    ['executor: { entry: scripts/run.py, args: [{ each: [a] }] }', /^An argument is text, a list of texts/],
    [
      'executor: { entry: scripts/run.py, args: [{ each: args.a, flag: [-x] }] }',
      /^An argument is text, a list of texts/,
    ],
    [
      'executor: { entry: scripts/run.py, args: [{ each: args.a, when: args.a }] }',
      /^An argument is text, a list of texts/,
    ],
    [
      'executor: { entry: scripts/run.py, args: [{ each: args.a, join: "," }] }',
      /^An argument is text, a list of texts/,
    ],
    [
      `input_schema: { properties: { a: { type: string } } }
executor: { entry: scripts/run.py, args: [{ each: args.a }] }`,
      'each needs a list, and args.a is none by input_schema.',
    ],
    [
      'executor: { entry: scripts/run.py, stdin_template: { a: 1 }, stdin_text: a }',
      'stdin_template and stdin_text exclude each other.',
    ],
    [
      'executor: { entry: scripts/run.py, stdin: a, stdin_text: a }',
      'stdin_template and stdin_text exclude each other.',
    ],
    ['executor: { entry: scripts/run.py, stdin_text: { a: 1 } }', 'stdin_text is text.'],
    ['executor: { entry: scripts/run.py, stdin_text: ["{{args.a}}"] }', 'stdin_text is text.'],
    [
      'executor: { entry: scripts/run.py, stdin_text: "{{secrets.KEY}}" }',
      /^secrets\.KEY may not stand here/,
    ],
    [
      `input_schema: { properties: { a: {} } }
executor: { entry: scripts/run.py, stdin_text: "{{args.b}}" }`,
      /^args\.b is unknown/,
    ],
    ['entry: scripts/run.py\nenv: [A]', 'env maps names of variables to texts.'],
    ['entry: scripts/run.py\nenv: { LD_PRELOAD: x }', 'LD_PRELOAD is no variable that a skill may set.'],
    ['entry: scripts/run.py\nenv: { A B: x }', 'A B is no variable that a skill may set.'],
    ['entry: scripts/run.py\nenv: { A: [1] }', 'The variable A is text.'],
    ['entry: scripts/run.py\naccess: dangerous', 'access is read, write or delete.'],
    ['entry: scripts/run.py\nidempotent: yes please', 'idempotent is true or false.'],
    ['executor: { type: http }', 'An http executor has a url.'],
    ['url: ftp://a.test', 'url begins with http:// or https:// and a host.'],
    ['url: file:///etc/passwd', 'url begins with http:// or https:// and a host.'],
    ['url: "{{args.base}}/x"', 'url begins with http:// or https:// and a host.'],
    [
      'url: "https://{{args.host}}/x"',
      'url has a template in its host: where a request goes is the author’s to say.',
    ],
    [
      'url: "https://a.test{{args.host}}"',
      'url has a template in its host: where a request goes is the author’s to say.',
    ],
    [
      'url: "https://a.test:{{args.port}}/"',
      'url has a template in its host: where a request goes is the author’s to say.',
    ],
    [
      'url: "https://a.test\\\\{{args.q}}"',
      'url has a template in its host: where a request goes is the author’s to say.',
    ],
    ['url: "https://user:pw@a.test"', 'url holds a user name: credentials go into headers_template.'],
    ['url: "https://a.test/a b"', 'url holds white space or backslashes.'],
    ['url: "https://a.test:99999/"', 'url is no address.'],
    ['url: "https://a.test/{{secrets.KEY}}"', /^secrets\.KEY may not stand here/],
    [`${HTTP}\nmethod: GET`, undefined],
    ['url: https://a.test\nmethod: CONNECT', /^method is one of GET, /],
    ['url: https://a.test\nheaders: { Host: b.test }', 'The header Host belongs to the connection.'],
    ['url: https://a.test\nheaders: { "X Y": b }', '"X Y" is no name of a header.'],
    ['url: https://a.test\nheaders: { X-A: 1, x-a: 2 }', 'The header x-a is written twice.'],
    ['url: https://a.test\nheaders: { X-A: "a\\r\\nX-B: c" }', 'The header X-A is one line of text.'],
    [
      'url: https://a.test\nbody: \'{"q": {{args.q}}}\'',
      /^body_template is no JSON before values are put in/,
    ],
    ['url: https://a.test\nbody: { q: "{{context.skill_dir}}" }', /^context\.skill_dir is unknown/],
  ])('refuses %j', async (lines, error) => {
    const { tools, invalid, findings } = await compileTool(lines);
    if (error === undefined) {
      expect(invalid).toEqual([]);
      expect(findings.map(({ code }) => code)).toContain('skill-key-unknown');
      return;
    }
    expect(tools).toEqual([]);
    expect(invalid).toHaveLength(1);
    expect(invalid[0]?.error).toEqual(typeof error === 'string' ? error : expect.stringMatching(error));
    expect(invalid[0]?.place).toMatch(/^tool-manifest\.yaml:[2-6]$/);
  });

  const BEYOND = [
    ...['Authorization', 'Cookie', 'Content-Type', 'Accept', 'Proxy-Connect'],
    ...['X-HTTP-Method', 'X-HTTP-Method-Override', 'x-method-override'],
  ];
  it.each(BEYOND)('refuses values of a call in the header %s, and says so at its line', async (name) => {
    for (const value of [
      '{{args.q}}',
      'x {{args.q|default:y}}',
      '{{context.run_id}}',
      '{{context.skill_id}}',
    ]) {
      const { tools, invalid } = await compileTool(
        `url: https://a.test\nheaders:\n  X-Q: "{{args.q|default:}}"\n  ${name}: "${value}"`,
      );
      expect(tools).toEqual([]);
      expect(invalid).toEqual([
        {
          place: 'tool-manifest.yaml:7',
          name: 'run',
          error: `The header ${name} may hold no value of a call: text and secrets only.`,
          code: 'skill-tool-executor',
        },
      ]);
    }
    const { invalid } = await compileTool(`url: https://a.test\nheaders: { ${name}: "x {{secrets.KEY}}" }`);
    expect(invalid).toEqual([]);
  });

  it('says of a template that cannot be used which line it is on', async () => {
    const { invalid } = await compileTool(`input_schema: { type: object, properties: { query: {} } }
executor:
  type: script
  entry: scripts/run.py
  args_template:
    - --q
    - "{{args.qeury}}"`);
    expect(invalid).toEqual([
      {
        place: 'tool-manifest.yaml:10',
        name: 'run',
        error: 'args.qeury is unknown: input_schema declares no qeury. Did you mean "query"?',
        code: 'skill-tool-template',
      },
    ]);
  });
});

describe('manifests that cost themselves', () => {
  const deep = (open: string, close: string) => `tools: ${open.repeat(20_000)}1${close.repeat(20_000)}`;
  const bomb = [
    'a: &a [1,1,1,1,1,1,1,1,1]',
    ...'bcdefgh'
      .split('')
      .map((name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]},`.repeat(8)}*${'abcdefgh'[index]}]`),
    'tools: [*h]',
  ].join('\n');

  it.each<[string, string, RegExp]>([
    ['no YAML', 'tools: [', /is no valid YAML/],
    ['a key twice', 'tools: []\ntools: []', /is no valid YAML/],
    ['a text', 'just text', /^A manifest is a mapping with tools/],
    ['tools that are no list', 'tools: { a: 1 }', /^tools is a list/],
    ['lists without end', deep('[', ']'), /nested deeper than 64/],
    ['mappings without end', deep('{a: ', '}'), /nested deeper than 64/],
    ['dashes without end', `tools:\n${'- '.repeat(20_000)}x`, /nested deeper than 64/],
    ['questions without end', `${'? '.repeat(20_000)}x`, /nested deeper than 64/],
    [
      'indents without end',
      Array.from({ length: 300 }, (_, i) => `${' '.repeat(i)}k:`).join('\n'),
      /nested deeper than 64/,
    ],
    ['brackets that quotes seem to close', `a: ${'["]",'.repeat(20_000)}`, /nested deeper than 64/],
    ['an alias bomb', bomb, /has more than|Excessive alias count/],
    ['many aliases', `a: &a 1\nb: [${'*a,'.repeat(200)}]`, /more than 100 aliases/],
    ['an alias within itself', 'tools: &t [{ name: aa, args: *t }]', /stands within what it stands for/],
    ['many keys', Array.from({ length: 7000 }, (_, i) => `k${i}: 1`).join('\n'), /more than 6000 keys/],
    ['a prototype', 'tools: [{ name: aa, __proto__: { entry: scripts/run.py } }]', /called __proto__/],
    [
      'a prototype by a merge',
      'x: &x { __proto__: { entry: a } }\ntools: [{ <<: *x, name: aa }]',
      /called __proto__/,
    ],
    ['bytes', 'tools: [{ name: aa, description: !!binary aGk= }]', /none that JSON has/],
    ['not a number', 'tools: [{ name: aa, timeout_sec: .nan }]', /none that JSON has/],
    ['more than 256 KiB', `# ${'x'.repeat(300_000)}`, /at most 262144 bytes/],
    ['what is no UTF-8', '\ud800'.concat(''), /mapping with tools/],
  ])('%s', async (_what, manifest, reason) => {
    const { tools, invalid } = await compileManifest(manifest, {
      'tools/good.yaml': 'name: good\nentry: scripts/run.py\n',
    });
    expect(tools.map(({ name }) => name)).toEqual(['good']);
    expect(invalid).toHaveLength(1);
    expect(invalid[0]?.error).toMatch(reason);
    expect(invalid[0]?.place).toMatch(/^tool-manifest\.yaml/);
  });

  it('what is no UTF-8, and more files than a skill may have', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [
        `tools/t${1000 + index}.yaml`,
        `name: t${index}\nentry: run.py\n`,
      ]),
    );
    const { tools, invalid } = await compileSkill(
      packageOf({
        'SKILL.md': SKILL_MD,
        'run.py': '',
        ...many,
        'tool-manifest.yaml': Uint8Array.of(0xff, 0xfe, 0x41),
      }),
      PLACE,
    );
    expect(tools).toHaveLength(99);
    expect(invalid).toHaveLength(22);
    expect(invalid[0]?.error).toBe('It is no UTF-8 text.');
    expect(invalid.at(-1)?.error).toBe('A skill has at most 100 manifests.');
  });

  it('has an end to tools and findings', async () => {
    const { tools, invalid, findings } = await compileManifest(
      `tools:\n${Array.from({ length: 300 }, (_, i) => `  - { name: t${i}x, entry: scripts/run.py, huh: 1, hah: 2 }`).join('\n')}`,
    );
    expect([tools.length, invalid.length, findings.length]).toEqual([200, 1, 200]);
  });

  it('takes what real manifests nest', async () => {
    const { tools, findings } = await compileManifest(
      `defaults: &d { timeout_sec: 9 }
tools:
  - <<: *d
    name: one
    description: "It's {braces: [inside], texts}"
    entry: scripts/run.py
    input_schema:
      type: object
      properties:
        list: { type: array, items: { type: object, properties: { deep: { type: array, items: { type: string } } } } }
`,
    );
    expect(tools[0]?.invocation.timeoutMs).toBe(9000);
    expect(findings.map(({ message }) => message)).toEqual(['defaults is unknown.']);
  });
});
