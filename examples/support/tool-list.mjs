// The tools of an MCP server that changes its list while a client is connected.

/** Listens for changes of the list; to be called before `client` connects. */
export function followTools(client) {
  let changed = Promise.withResolvers();
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    changed.resolve();
    changed = Promise.withResolvers();
  });
  return {
    /** Resolves when the server next says that its list changed. */
    nextChange: () => changed.promise,
    /** Tools by name, as soon as the list is what it should be: asked again after every change. */
    async listOnce(holds) {
      for (;;) {
        const next = changed.promise;
        const { tools } = await client.listTools();
        const list = new Map(tools.map((tool) => [tool.name, tool]));
        if (holds(list)) return list;
        await next;
      }
    },
  };
}
