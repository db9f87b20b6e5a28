import type { Direction, ParsedSeries } from '@voisol/file-formats/curve-file-types'
import type { EnedisQuantity } from '../../../integrations/enedis/enedis-types.ts'

/** An index at the start of a local day; null when the distributor withdraws it. */
export type ParsedIndex = {
  prm: string
  direction: Direction
  day: string
  calendar: string
  name: string
  wh: number | null
  source: string
}

/** Energy attributed to a point over a period; empty when the distributor withdraws it. */
export type ParsedQuantities = {
  prm: string
  direction: Direction
  from: string
  to: string
  quantities: EnedisQuantity[]
  /** When the distributor wrote it: older data does not replace newer data. */
  writtenAt: Date | null
}

export type ParsedContractEvent = { prm: string; event: string; on: string; collective: number | null }

/** Receives the content of a file while it is decoded. */
export type FileDataSink = {
  days(series: ParsedSeries[]): Promise<void> | void
  indexes(rows: ParsedIndex[]): Promise<void> | void
  quantities(rows: ParsedQuantities[]): Promise<void> | void
  events(rows: ParsedContractEvent[]): Promise<void> | void
}

/** A point as named in a file: a contract has no direction, and the file of a curve may not give it. */
export type PointReference = { prm: string; direction: string | null }
export const UNKNOWN_DIRECTION = 'unsaid'
