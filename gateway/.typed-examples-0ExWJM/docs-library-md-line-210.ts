import { McpServer } from '@modelcontextprotocol/server';
import { closeDynamicTools, registerDynamicTools } from 'toolcrib';

const server = new McpServer({ name: 'office', version: '1.0.0' });
const { registered, skipped, errors } = await registerDynamicTools(
  server,
  async () => process.env['ARM_TOKEN'] ?? '', // a token for Azure Resource Manager, asked for again and again
  { subscriptionId: '00000000-0000-0000-0000-000000000000', resourceGroup: 'mail-and-chat', location: 'westus' },
  () => 'office/1.0',
);
console.log(registered, skipped, errors);
await closeDynamicTools(server);
