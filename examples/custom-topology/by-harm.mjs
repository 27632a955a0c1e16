/**
 * A topology of one's own: everything that is read stands behind one tool, everything that changes something behind
 * another, so that a client can ask its user before the second and never before the first.
 */
export const byHarm = {
  name: 'by-harm',
  shapes: false,
  publish({ operations }) {
    const reading = operations.filter(({ facts }) => facts.access === 'read');
    const changing = operations.filter(({ facts }) => facts.access !== 'read');
    return [
      ...tool('change', 'Changes something.', changing, { readOnlyHint: false, destructiveHint: true }),
      ...tool('look_up', 'Reads, and changes nothing.', reading, {
        readOnlyHint: true,
        destructiveHint: false,
      }),
    ];
  },
};

/** No tool where a caller may call nothing of it: an operation that is not in the set is out of reach. */
function tool(name, about, operations, hints) {
  if (operations.length === 0) return [];
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const lines = operations.map((operation) => `${operation.name}: ${operation.tool.description}`);
  return [
    {
      name,
      tool: {
        name,
        description: [about, ...lines].join('\n'),
        inputSchema: {
          type: 'object',
          properties: { operation: { enum: [...byName.keys()] }, arguments: { type: 'object' } },
          required: ['operation'],
          additionalProperties: false,
        },
        annotations: { ...hints, idempotentHint: false, openWorldHint: false },
      },
      reaches: operations.map(({ operation }) => operation),
      // The router checks the arguments of the operation, asks for approval and records the call, as of every other.
      resolve: ({ operation, arguments: given = {} }) => ({
        operation: byName.get(operation).load(),
        arguments: given,
      }),
    },
  ];
}
