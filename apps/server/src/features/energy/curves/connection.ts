import type { points } from '../../../db/schema/index.ts'

/** A mean power beyond this many times what the connection is made for was not measured there. */
const MARGIN = 1.2

type Connection = Pick<typeof points.$inferSelect, 'direction' | 'subscribedVa' | 'peakWatts'>

/** Watts that the connection is made for, where they are known. */
export const limitOf = ({ direction, subscribedVa, peakWatts }: Connection): number | null =>
  (direction === 'production' ? peakWatts : subscribedVa) || null

export const isBeyond = (watts: number, limit: number): boolean => watts > limit * MARGIN
