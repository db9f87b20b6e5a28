/** A point as a file names it: a contract has no direction, a curve may have one that the file does not say. */
export type PointReference = { prm: string; direction: string | null }
export const UNKNOWN_DIRECTION = 'unsaid'
