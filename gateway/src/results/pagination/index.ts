export { decodeCursor, encodeCursor, invalidCursor } from './cursor.ts';
export { leadsOn, saysThereIsMore } from './header-page.ts';
export { createLinkParameters, isLinkParameter, type LinkParameters } from './link-parameters.ts';
export { type Pagination, paginationOf } from './pagination.ts';
