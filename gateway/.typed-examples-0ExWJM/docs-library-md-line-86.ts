import { createGateway, frameToolResults, SYNTHESIS_PROMPT } from 'toolcrib';

const gateway = await createGateway({ sources: { web: { web: { search: 'brave' } } } });
const result = await gateway.call({ tool: 'web_search', arguments: { query: 'spring tides' } });
if (result.kind === 'completed') {
  const messages = [
    { role: 'system', content: SYNTHESIS_PROMPT },
    { role: 'user', content: 'When are tides highest?' },
    { role: 'user', content: frameToolResults([{ tool: 'web_search', result }]) },
  ];
  console.log(messages.length);
}
