/** Why one operation cannot be called; caught where operations are listed. */
export class OperationUnusable extends Error {}
