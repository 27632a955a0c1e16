import { explainFindings } from './explain-findings.mjs';

const REQUIRED_SHARE = 0.999;

/** Prints what came out over all documents; true when everything holds. */
export function summarize(results, { complete, all }) {
  const failures = results.filter(({ failure }) => failure !== undefined);
  const unloaded = results.filter((result) => result.unloaded !== undefined);
  const loaded = results.filter(({ findings }) => findings !== undefined);
  const documents = new Set(loaded.map(({ document }) => document));
  const findings = loaded.flatMap(({ document, findings }) =>
    findings.map((finding) => ({ document, ...finding })),
  );
  const sorted = explainFindings(findings, documents, complete);
  printFindings(sorted, all);
  console.log(
    `\ndocuments   ${loaded.length} loaded, ${unloaded.length} that Prism cannot load, ${failures.length} failed`,
  );
  const share = printShare(loaded, findings.length, sorted.explained, all);
  console.log(`unexplained ${sorted.unexplained.length}`);
  const enough = share >= REQUIRED_SHARE || (!complete && share > 0);
  return failures.length === 0 && sorted.unexplained.length === 0 && sorted.stale.length === 0 && enough;
}

function printFindings({ explained, unexplained, stale }, all) {
  for (const { document, operation, step, message, exception } of all ? explained : [])
    console.log(
      `  ${exception.class}: ${document} ${operation} (${step}) ${message}\n      ${exception.reason}`,
    );
  for (const { document, operation, step, message } of unexplained)
    console.log(`OURS? ${document} ${operation} (${step}) ${message}`);
  for (const exception of stale)
    console.log(`STALE exceptions.json: ${JSON.stringify(exception)} explains nothing any more`);
}

/** Accepted of judged: where a document allows no request at all, there is nothing to accept. */
function printShare(loaded, findings, explained, all) {
  const total = (key) => loaded.reduce((sum, result) => sum + result[key], 0);
  const left = leftOut(loaded);
  const { prism = [], document = [] } = Object.groupBy(explained, ({ exception }) => exception.class);
  const judged = total('checked') - left.length - document.length;
  const accepted = total('checked') - left.length - findings;
  const share = judged === 0 ? 0 : accepted / judged;
  console.log(
    `operations  ${judged} judged (${total('withBody')} requests with a body); ${total('absent')} more that Prism does not list`,
  );
  console.log(
    `accepted    ${accepted} of ${judged} = ${(share * 100).toFixed(3)} % (at least ${REQUIRED_SHARE * 100} % wanted)`,
  );
  for (const [name, list] of Object.entries(Object.groupBy(left, (one) => one.name))) {
    const which = all ? `: ${list.map(({ operation }) => operation).join(', ')}` : '';
    console.log(`left out    ${list.length} with ${name}${which}`);
  }
  console.log(
    `exceptions  ${prism.length} by limits of Prism, ${document.length} where the document allows no request (exceptions.json)`,
  );
  return share;
}

function leftOut(loaded) {
  return loaded.flatMap(({ document, excluded }) =>
    Object.entries(excluded).flatMap(([name, operations]) =>
      operations.map((operation) => ({ name, operation: `${document} ${operation}` })),
    ),
  );
}
