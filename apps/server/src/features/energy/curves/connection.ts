import type { points } from '../../../db/schema/index.ts'

/** A mean power beyond this many times what the connection is made for was not measured there. */
const CONNECTION_MARGIN = 1.2

type ConnectionPower = Pick<typeof points.$inferSelect, 'direction' | 'subscribedVa' | 'peakWatts'>

/** Watts that the connection is made for, where they are known. */
export const getConnectionLimit = ({ direction, subscribedVa, peakWatts }: ConnectionPower): number | null =>
  (direction === 'production' ? peakWatts : subscribedVa) || null

export const isBeyondLimit = (watts: number, limit: number): boolean => watts > limit * CONNECTION_MARGIN
