import { McpServer } from '@modelcontextprotocol/server';
import { defineManifest, generateToolsFromManifest, getToolSummary, registerGeneratedTools } from 'toolcrib';

const deskly = defineManifest({
  provider: 'deskly',
  displayName: 'Deskly',
  category: 'crm',
  baseUrl: 'https://api.deskly.example/v1',
  apiVersion: 'v1',
  auth: { type: 'api-key', headerName: 'X-Deskly-Key' },
  blocklist: ['/admins'],
  operations: [
    {
      id: 'get_ticket',
      method: 'GET',
      path: '/tickets/{id}',
      access: 'read',
      description: 'Reads one ticket with all its messages.',
      params: { id: { type: 'integer', required: true, description: 'Ticket id.' } },
    },
  ],
});

const server = new McpServer({ name: 'desk', version: '1.0.0' });
const tools = generateToolsFromManifest(deskly, 'read-only');
registerGeneratedTools(server, tools, {
  proxyRequest: async (request) => {
    const response = await fetch('https://tools.example.com/api/v1/proxy', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${process.env['TOOLCRIB_API_KEY']}` },
      body: JSON.stringify(request),
    });
    if (!response.ok) throw new Error(`The gateway answered ${response.status}`);
    return response.json();
  },
});
console.log(getToolSummary(deskly, 'read-only')); // { total: 1, read: 1, write: 0, filtered: 0 }
