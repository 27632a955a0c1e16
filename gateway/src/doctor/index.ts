export { type Examination, type ExaminedGateway, examine } from './examine.ts';
export { FINDING_GROUPS, type Finding, type FindingGroup, type GroupedFinding, grouped } from './finding.ts';
export { type GatewayAt, gatewayAt } from './gateway-at.ts';
export { checkNode } from './machine.ts';
export { inUse, listenProblem } from './port.ts';
