#!/usr/bin/env node
// The test suite of json-schema.org, every draft from 4 to 2020-12, against how this program reads schemas. A valid value
// must be taken; an invalid one refused. What is otherwise stands in exceptions.json with its reason, and a reason that
// explains more or fewer differences than it says fails too. Node 24; exit 0 when all agrees.
import { readFileSync } from 'node:fs';
import { asOpenApiSchema, asToolSchema } from './readers.mjs';
import { groups, isInstalled } from './suite.mjs';

/** References to other documents are refused, whoever writes them: nothing is fetched to check a value. */
const OUTSIDE = /leaves the document/;
/** Names that OpenAPI gives no meaning, or another one: $id, anchors, dialects, references to other documents. */
const NOT_OPENAPI =
  /^(?:anchor|dynamicRef|id|refRemote|vocabulary|optional\/(?:anchor|cross-draft|dynamicRef|id))\.json$/;
const NAMED = /"\$(?:id|anchor|dynamicRef)":|"\$ref":"[^#]/;

if (!isInstalled()) {
  console.error('Install libtest-json-schema-acceptance-perl, which holds the suite.');
  process.exit(69);
}
const exceptions = JSON.parse(readFileSync(new URL('exceptions.json', import.meta.url), 'utf8'));
/** Differences that each one explains. */
const explained = new Map(exceptions.map((one) => [one, 0]));
const red = [
  ...compared('tool', groups(), asToolSchema),
  ...compared('openapi', openApiGroups(), asOpenApiSchema),
  ...[...explained].flatMap(([{ file, groups: names, differences }, count]) =>
    count === differences
      ? []
      : [`${file}, ${names[0]}, …: ${count} differences, ${differences} have a reason`],
  ),
];
for (const line of red) console.log(line);
console.log(red.length === 0 ? 'as expected' : `${red.length} differences`);
process.exitCode = red.length === 0 ? 0 : 1;

function* openApiGroups() {
  for (const one of groups(['draft2020-12'])) {
    if (!NOT_OPENAPI.test(one.file) && !NAMED.test(JSON.stringify(one.schema))) yield one;
  }
}

function compared(reader, all, read) {
  const count = { tests: 0, agree: 0, outside: 0, excepted: 0 };
  const found = [];
  for (const { draft, file, group, schema, tests } of all) {
    const { refused, accepts } = read(schema);
    if (refused !== undefined && OUTSIDE.test(refused)) {
      count.outside += tests.length;
      continue;
    }
    for (const { description, data, valid } of tests) {
      count.tests++;
      const answer = refused === undefined ? accepts(data) : refused;
      if (answer === valid) count.agree++;
      else if (isExpected(reader, file, group)) count.excepted++;
      else found.push(`${reader}: ${draft}/${file}, ${group}, ${description}: ${answer}`);
    }
  }
  const share = ((100 * count.agree) / count.tests).toFixed(2);
  console.log(
    `${reader}: ${count.agree} of ${count.tests} as the suite says (${share} %), ${count.excepted} for a reason; ${count.outside} tests need other documents and were left out`,
  );
  return found;
}

function isExpected(reader, file, group) {
  const exception = exceptions.find(
    (one) => one.file === file && one.groups.includes(group) && (one.reader ?? reader) === reader,
  );
  if (exception === undefined) return false;
  explained.set(exception, explained.get(exception) + 1);
  return true;
}
