import { createGateway, type RunEvent, toRunEvent } from 'toolcrib';

const gateway = await createGateway({ sources: { shop: { openapi: './shop.yaml' } } });
const asked = await gateway.call({ tool: 'shop_deleteOrder', arguments: { id: 7 } }); // error.code: approval_required
const approvals = await gateway.approvals();
const [waiting] = await approvals.list({ kind: 'operator' }, { states: ['pending'] });
if (waiting !== undefined) {
  console.log(waiting.card.title, waiting.card.metadata);
  await approvals.decide(waiting.id, { decision: 'approve' }, { kind: 'operator', channel: 'console', id: 'ann' });
  await gateway.call({ tool: 'shop_deleteOrder', arguments: { id: 7 } }); // carried out, once
}

const outputs = await gateway.artifacts();
for (const { id, name, size } of await outputs.list()) console.log(id, name, size);

gateway.onEvent((event) => {
  const told: RunEvent | undefined = toRunEvent(event);
  if (told !== undefined) console.log(told.type, told.sequence); // TOOL_CALL_STARTED …
});
