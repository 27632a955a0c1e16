import { describe, expect, it } from 'vitest';
import { lastWords } from '../../../src/executors/script/last-words.ts';
import { processorTime } from '../../processor-time.ts';

const NODE = '\n\nNode.js v24.21.0\n';

describe('why a program says that it failed', () => {
  it.each([
    ['the last line', 'step one\ncannot reach it\n', 'cannot reach it'],
    ['nothing', '\n \n', ''],
    [
      'an error of Node: its message, and where it was thrown',
      'step\nscripts/count.mjs:1\nfunction f(){ throw new TypeError("no header"); }\n                    ^\n\nTypeError: no header\n    at f (scripts/count.mjs:1:21)\n    at ModuleJob.run (node:internal/modules/esm/module_job:561:25)',
      'TypeError: no header (scripts/count.mjs:1)',
    ],
    [
      'one of several lines, with members and carets of its own',
      'scripts/a.mjs:9\nx\n^\n\nError: outer\n  ^\nsecond\n    at scripts/a.mjs:9:43 {\n  code: 7\n}',
      'Error: outer   ^ second (scripts/a.mjs:9)',
    ],
    [
      'one of syntax, which has no frame of the package',
      'scripts/a.mjs:1\nconst a = ;\n          ^\n\nSyntaxError: Unexpected token\n    at compile (node:internal/modules/esm/utils:319:16)',
      'SyntaxError: Unexpected token (scripts/a.mjs:1)',
    ],
    [
      'a thrown text',
      'scripts/a.mjs:3\nthrow "boom"\n^\nboom\n(Use `node --trace-uncaught ...` to show where the exception was thrown)',
      'boom (scripts/a.mjs:3)',
    ],
    [
      'a place outside of the package is not told',
      'node:internal/modules/run:9\n  throw err;\n  ^\n\nError: gone\n    at read (/usr/lib/x.js:1:1)',
      'Error: gone',
    ],
  ])('%s', (_what, stderr, words) => {
    expect(lastWords(stderr.includes('^') ? `${stderr}${NODE}` : stderr)).toBe(words);
  });

  it('a traceback of Python, with the innermost line of the package', () => {
    const frames = [
      '  File "scripts/run.py", line 2, in <module>\n    f()\n',
      '  File "scripts/lib.py", line 7, in f\n    json.loads("")\n',
      '  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode\n    raise\n',
    ];
    expect(lastWords(`Traceback (most recent call last):\n${frames.join('')}ValueError: no data\n`)).toBe(
      'ValueError: no data (scripts/lib.py:7)',
    );
  });

  it.each(['    at (((((', '  File "a', 'a:1:1:1', '^'])(
    'takes no time over a text of its own making: %j',
    async (line) => {
      const text = `${line.repeat(100_000)}\n${`${line}\n`.repeat(100_000)}Node.js v24.21.0\n`;
      expect(await processorTime(() => lastWords(text))).toBeLessThan(3000);
    },
  );
});
