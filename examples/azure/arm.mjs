// A stand-in for Azure Resource Manager, to try `toolcrib azure` by hand without an account. Ends with Ctrl-C.
import { startArm } from '../../gateway/test/doubles/arm/arm.ts';

const PORT = 8797;
const DAY_MS = 86_400_000;

const arm = await startArm({
  port: PORT,
  sidePort: PORT + 1,
  anyToken: true,
  refuseUnlisted: true,
  connections: [
    { name: 'mail', api: 'mail' },
    { name: 'chat', api: 'chat', status: 'Error' },
  ],
});
const token = arm.token({ lifetimeMs: DAY_MS });
const chat = `/subscriptions/${arm.subscription}/resourceGroups/${arm.resourceGroup}/providers/Microsoft.Web/connections/chat`;
const consent = await fetch(`${arm.url}${chat}/listConsentLinks?api-version=2018-07-01-preview`, {
  method: 'POST',
  headers: { authorization: `Bearer ${token}` },
  body: JSON.stringify({ parameters: [{ parameterName: 'token', redirectUrl: `${arm.sideUrl}/signed-in` }] }),
});
const { value } = await consent.json();

console.log(`A resource group with two connections: mail is signed in, chat is not. In another terminal:

  export ARM_MCP_AUTH_TOKEN=${token}
  npx toolcrib azure -s ${arm.subscription} -g ${arm.resourceGroup} -a envvar --arm-endpoint ${arm.url} --port 8787

The tools of chat answer with a link until somebody has opened it. So does this one, for ten minutes:

  ${value[0].link}
`);
process.once('SIGINT', () => void arm.close());
