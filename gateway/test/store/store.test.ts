import { storeCases } from './cases.ts';
import { onEveryStore } from './support/stores.ts';

onEveryStore(storeCases);
