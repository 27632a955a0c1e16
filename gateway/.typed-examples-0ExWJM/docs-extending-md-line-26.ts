import { createGateway, type Topology } from 'toolcrib';

/** Lists what reads, and leaves the rest to nobody. */
const readers: Topology = {
  name: 'readers',
  shapes: false,
  publish: ({ operations }) => operations.filter(({ facts }) => facts.access === 'read'),
};

const gateway = await createGateway(
  { topology: 'readers', sources: { shop: { openapi: './shop.yaml' } } },
  { topologies: [readers] },
);
console.log(gateway.view().tools.length);
