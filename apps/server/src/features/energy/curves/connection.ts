import type { points } from '../../../db/schema/index.ts'

/** Mean power above this multiple of the connection's power cannot be real. */
const CONNECTION_MARGIN = 1.2

type ConnectionPower = Pick<typeof points.$inferSelect, 'direction' | 'subscribedVa' | 'peakWatts'>

/** The power of the connection in watts, if known. */
export const getConnectionLimit = ({ direction, subscribedVa, peakWatts }: ConnectionPower): number | null =>
  (direction === 'production' ? peakWatts : subscribedVa) || null

export const isBeyondLimit = (watts: number, limit: number): boolean => watts > limit * CONNECTION_MARGIN
