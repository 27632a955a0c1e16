import { CompiledQuery } from 'kysely';
import type { Database } from './store.ts';

/** A statement that is sent again and again; its name stands for this text only. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Runs a statement outside of any transaction and answers with its rows. */
export type Repeat = <R>(statement: Statement, values: readonly unknown[]) => Promise<readonly R[]>;

/** Sends the whole text each time, to be parsed and planned again: any connection can do that. */
export function repeatWhole(database: Database): Repeat {
  return async <R>({ text }: Statement, values: readonly unknown[]) =>
    (await database.executeQuery<R>(CompiledQuery.raw(text, [...values]))).rows;
}
