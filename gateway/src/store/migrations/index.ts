import { tables } from './001-tables.ts';
import type { Migration } from './migration.ts';

/** In order; a migration's version is its place, from 1. Only ever added to. */
export const MIGRATIONS: readonly Migration[] = [tables];
