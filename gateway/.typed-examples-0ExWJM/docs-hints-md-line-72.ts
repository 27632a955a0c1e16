import { createGateway, type HintReader } from 'toolcrib';

const advice: HintReader = {
  name: 'advice',
  extension: 'x-advice',
  read: (value, operation) => ({
    purpose: String(operation?.['summary'] ?? ''),
    usage: [String(value)],
  }),
};
const gateway = await createGateway({ sources: { shop: { openapi: './shop.yaml' } } }, { hintReaders: [advice] });
