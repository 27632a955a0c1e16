/** `greenhouse_list_candidates`; hyphens of the provider become underscores. */
export function toolName(provider: string, operation: string): string {
  return `${provider.replaceAll('-', '_')}_${operation}`;
}
