/**
 * What the gateway's own tools are called, as far as names do not come from a configuration. Models know them: no tool
 * that somebody brings while we run may pass for one of them, or push it to another name.
 */
export const OWN_TOOL_NAMES: ReadonlySet<string> = new Set([
  ...['use_skill', 'query_result', 'search_last_result'],
  ...['search_tools', 'describe_tool', 'call_tool'],
  ...['list_endpoints', 'get_schema', 'call_endpoint'],
  ...['list_api_endpoints', 'get_reference_schema', 'call_api_endpoint'],
  'manage_other',
]);
