import { defineTool } from 'toolcrib';

/** To cents, halves away from zero; never minus zero. */
const cents = (amount: number) => (Math.sign(amount) * Math.round(Math.abs(amount) * 100 + 1e-9)) / 100 || 0;

/** The arguments and the answer are typed by these schemas; tool.schema.json says the rest. */
export default defineTool({
  name: 'invoice_total',
  description:
    'Adds up the lines of an invoice, with tax. Use it instead of adding by hand: it rounds as invoices are rounded.',
  input: {
    type: 'object',
    properties: {
      lines: {
        type: 'array',
        minItems: 1,
        description: 'The lines of the invoice.',
        items: {
          type: 'object',
          properties: {
            quantity: { type: 'number', minimum: 0, description: 'How many.' },
            price: { type: 'number', description: 'Price of one, without tax.' },
          },
          required: ['quantity', 'price'],
          additionalProperties: false,
        },
      },
      taxPercent: { type: 'number', minimum: 0, maximum: 100, description: 'Default 0.' },
    },
    required: ['lines'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      net: { type: 'number', description: 'Sum of the lines, rounded to cents.' },
      tax: { type: 'number', description: 'Tax on the sum, rounded to cents.' },
      total: { type: 'number', description: 'Both together.' },
    },
    required: ['net', 'tax', 'total'],
    additionalProperties: false,
  },
  handler: ({ lines, taxPercent = 0 }) => {
    const net = cents(lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0));
    const tax = cents((net * taxPercent) / 100);
    return { net, tax, total: cents(net + tax) };
  },
});
