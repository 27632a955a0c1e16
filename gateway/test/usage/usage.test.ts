import { onEveryStore } from '../store/support/stores.ts';
import { usageCases } from './usage-cases.ts';

onEveryStore(usageCases);
