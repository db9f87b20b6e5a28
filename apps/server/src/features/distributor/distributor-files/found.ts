import type { EnedisQuantity } from '../../../adapters/enedis/types.ts'
import type { Direction, ParsedSeries } from '../../../formats/types.ts'

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
