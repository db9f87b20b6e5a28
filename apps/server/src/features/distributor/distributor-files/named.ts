/** A point as a file names it: a contract has no direction, a curve may have one that the file does not say. */
export type Named = { prm: string; direction: string | null }
export const UNSAID = 'unsaid'
