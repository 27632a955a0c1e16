import type { ArmInvocation, AzureInvocation } from '../azure.ts';
import type { ScriptInvocation, TemplateInvocation } from '../skill/skill.ts';
import type { HttpInvocation } from './http-invocation.ts';

/** A function inside this process; the source that described it holds the code. */
export interface FunctionInvocation {
  readonly kind: 'function';
  readonly function: string;
}

/** A tool of an upstream MCP server. */
export interface McpInvocation {
  readonly kind: 'mcp';
  /** The tool's name there. */
  readonly tool: string;
  /** The output's root is no object: structured content is published under `result`. */
  readonly wrapsResult?: boolean;
}

/** What a web provider can be asked for; the contract stays when the provider is exchanged. */
export type WebCapability = 'search' | 'scrape' | 'retrieve';

/** A question to whichever provider the configuration names at that moment. */
export interface WebInvocation {
  readonly kind: 'web';
  readonly capability: WebCapability;
}

export type Invocation =
  | HttpInvocation
  | FunctionInvocation
  | McpInvocation
  | WebInvocation
  | AzureInvocation
  | ArmInvocation
  | ScriptInvocation
  | TemplateInvocation;

/** A request described by a document, whatever carries it. */
export type RequestInvocation = HttpInvocation | AzureInvocation;

export function isRequest(invocation: Invocation): invocation is RequestInvocation {
  return invocation.kind === 'http' || invocation.kind === 'azure';
}

/** A tool that a skill brought. */
export function isOfSkill(invocation: Invocation): invocation is ScriptInvocation | TemplateInvocation {
  return invocation.kind === 'script' || invocation.kind === 'template';
}
