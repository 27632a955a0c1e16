// Hands the product's own functions to the independent security checks; no logic of its own.

// egress: checkUrl, checkRedirect, httpCall; retry: retryDecision
export { checkRedirect, checkUrl } from '../../src/egress/index.ts';
export { retryDecision } from '../../src/executors/http/retry.ts';

import { callOnce, createEgress } from '../../src/egress/index.ts';

export async function httpCall({ method, url, headers, body, credential, limits, allowed }) {
  const egress = createEgress({ allow: allowed });
  const request = {
    method,
    url,
    headers: [...Object.entries(headers), [credential.header, credential.value]],
    credentialHeaders: [credential.header],
    ...(body === undefined ? {} : { body }),
  };
  try {
    return await callOnce(egress, request, limits, new AbortController().signal);
  } finally {
    await egress.close();
  }
}

export { checkName, cleanTool, compareTool } from '../../src/compiler/clean-tool.ts';
// compiler: lintSchema, cleanText, cleanTool, compareTool, checkName
export { cleanText } from '../../src/operations/text/clean-text.ts';
// telemetry: redact; policy: checkPath
export { checkPath } from '../../src/policy/path-blocklist.ts';
export { redact } from '../../src/telemetry/redact.ts';
export { lintAndCompile as lintSchema } from '../../src/validation/validator.ts';
// approvals: openApprovals
export { openApprovals } from './approvals.mjs';
// executors/script: runScript
export { runScript } from './script-runner.mjs';
