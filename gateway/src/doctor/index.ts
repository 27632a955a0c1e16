export { examine } from './examine.ts';
export { type Finding, type GroupedFinding, grouped } from './finding.ts';
export { checkNode } from './machine.ts';
export { type MissingCredential, missingCredentials } from './missing-credentials.ts';
export { inUse, listenProblem } from './port/port.ts';
export { refusedServices } from './services/refused-services.ts';
