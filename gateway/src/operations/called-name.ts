/** For people and models: the operation behind a tool that leads to several, else the tool itself. */
export function calledName(tool: string, operation: string): string {
  const isNamedAfter = plain(tool).includes(plain(operation)) || plain(operation).includes(plain(tool));
  return isNamedAfter ? tool : `${operation} (by ${tool})`;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
