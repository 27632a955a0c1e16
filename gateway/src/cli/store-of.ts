import type { Configuration } from '../config/index.ts';
import { ToolcribError } from '../errors.ts';

const NAME_ONE = 'Name a store, or leave `store` out: the default is a SQLite file in the state directory.';

/** Address of the store that a command works on. Throws `configuration_invalid` where the configuration keeps none. */
export function storeOf({ store, file }: Configuration, message: string, next = NAME_ONE): string {
  if (store !== 'none') return store;
  throw new ToolcribError('configuration_invalid', message, {
    ...(file === undefined ? {} : { location: file }),
    pointer: '#/store',
    next,
  });
}
