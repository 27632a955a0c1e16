import { readFileSync } from 'node:fs';

/**
 * Sorts findings by `exceptions.json`: `[{ document, operations?, step, message, class, reason }]`, where `message` is a
 * part of Prism's message, `operations` the operation ids meant (absent: any), and `class` says whose matter it is:
 * `prism` (a limitation of Prism), `document` (the document contradicts itself).
 */
export function explainFindings(findings, documents, complete) {
  const exceptions = JSON.parse(readFileSync(new URL('exceptions.json', import.meta.url), 'utf8'));
  const used = new Set();
  const explained = [];
  const unexplained = [];
  for (const finding of findings) {
    const exception = exceptions.find((candidate) => covers(candidate, finding));
    if (exception === undefined) {
      unexplained.push(finding);
      continue;
    }
    used.add(exception);
    explained.push({ ...finding, exception });
  }
  const stale = complete
    ? exceptions.filter((exception) => !used.has(exception) && documents.has(exception.document))
    : [];
  return { explained, unexplained, stale };
}

function covers({ document, operations, step, message }, finding) {
  return (
    document === finding.document &&
    step === finding.step &&
    finding.message.includes(message) &&
    (operations === undefined || operations.includes(finding.operation))
  );
}
