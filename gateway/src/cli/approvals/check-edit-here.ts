import type { Configuration } from '../../config/index.ts';
import { isToolcribError } from '../../errors.ts';
import type { Gateway } from '../../gateway.ts';
import type { Approval, JsonObject } from '../../operations/index.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Checks edited arguments as a gateway of this configuration would. Where it does not know what is called, that is said:
 * the call checks them in any case. Throws `arguments_invalid`.
 */
export async function checkEditHere(
  approval: Approval,
  args: JsonObject,
  configuration: Configuration,
  terminal: Terminal,
): Promise<void> {
  const { source, operation } = approval;
  const [{ checkEdit }, { createValidator }, { entryOfOperation }] = await Promise.all([
    import('../../assembly/calling/check-edit.ts'),
    import('../../validation/validator.ts'),
    import('../../catalog/entry-of-operation.ts'),
  ]);
  const opened = await openSource(source, configuration);
  try {
    const entry =
      typeof opened === 'string' ? undefined : entryOfOperation(opened.view().catalog, source, operation);
    checkEdit(createValidator(), entry, approval, args);
    if (entry !== undefined) return;
    const why =
      typeof opened === 'string' ? opened : `source "${source}" does not describe ${operation} here`;
    terminal.note(`The edited arguments were not checked: ${why}. The call checks them.`);
  } finally {
    if (typeof opened !== 'string') await opened.close();
  }
}

/** A gateway that only reads this one source, beside those that run; a text says why it cannot. */
async function openSource(name: string, configuration: Configuration): Promise<Gateway | string> {
  if (!Object.hasOwn(configuration.sources, name)) return `this configuration has no source "${name}"`;
  const { createGateway } = await import('../../gateway.ts');
  try {
    return await createGateway({
      ...configuration,
      sources: { [name]: configuration.sources[name]! },
      lock: { ...configuration.lock, mode: 'warn', isDefault: false },
      store: 'none',
      watch: false,
    });
  } catch (error) {
    if (!isToolcribError(error)) throw error;
    return `source "${name}" cannot be read here (${error.message.replace(/\.$/, '')})`;
  }
}
