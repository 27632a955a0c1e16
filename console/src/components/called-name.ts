/** As approvals are titled: the operation behind a tool that leads to several, else the tool itself. */
export function calledName(tool: string, operation: string): string {
  return isNamedAfter(tool, operation) ? tool : `${operation} (by ${tool})`;
}

/** Whether a tool leads to this operation alone. */
export function isNamedAfter(tool: string, operation: string): boolean {
  const [ofTool, ofOperation] = [plain(tool), plain(operation)];
  return ofTool.includes(ofOperation) || ofOperation.includes(ofTool);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
