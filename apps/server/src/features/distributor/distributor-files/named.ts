/** A point as named in a file: a contract has no direction, and the file of a curve may not give it. */
export type PointReference = { prm: string; direction: string | null }
export const UNKNOWN_DIRECTION = 'unsaid'
