/** Calls every tool, reads every resource, gets every prompt. `used`, or the code of the error of the first refusal. */
export async function useEverything(client, tools, { toolCalls } = {}) {
  const own = tools.filter(({ name }) => name.startsWith('up_'));
  const calls =
    toolCalls?.map(({ name, arguments: given }) => ({
      name: `up_${name}`,
      arguments: withoutNulls(given),
    })) ?? own.map(({ name, inputSchema }) => ({ name, arguments: argumentsFor(inputSchema, own) }));
  let outcome = 'used';
  for (const call of calls) {
    const result = await client.callTool(call);
    const error = result._meta?.['toolcrib/error'];
    console.log(`${call.name}: ${result.isError ? JSON.stringify(error ?? result.content) : 'ok'}`);
    if (outcome === 'used' && error !== undefined) outcome = error.code;
  }
  for (const { uri } of await listed(client, 'resources'))
    await attempt(`resource ${uri}`, () => client.readResource({ uri }));
  for (const { name } of await listed(client, 'prompts'))
    await attempt(`prompt ${name}`, () => client.getPrompt({ name }));
  return outcome;
}

/** What a scenario server answers to a read may be empty, which is nothing to us: only that it was asked counts. */
async function attempt(what, ask) {
  const answer = await ask().then(
    () => 'ok',
    (error) => error.message,
  );
  console.log(`${what}: ${answer}`);
}

async function listed(client, what) {
  if (client.getServerCapabilities()?.[what] === undefined) return [];
  return what === 'resources'
    ? (await client.listResources()).resources
    : (await client.listPrompts()).prompts;
}

/** The router holds arguments against their schema: a value that is not there is left out. */
function withoutNulls(given) {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

/** What is called `schema` wants the definition of another tool, as it is listed. */
function argumentsFor({ properties = {} }, tools) {
  const other = tools.find(({ inputSchema }) => inputSchema.properties !== properties)?.inputSchema;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, name === 'schema' ? other : valueFor(schema)]),
  );
}

function valueFor({ type, enum: choices }) {
  if (choices !== undefined) return choices[0];
  const values = { number: 2.5, integer: 3, boolean: true, object: {}, array: [], null: null };
  return Object.hasOwn(values, type) ? values[type] : 'text';
}
