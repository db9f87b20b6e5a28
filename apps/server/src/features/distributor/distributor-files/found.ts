import type { EnedisQuantity } from '../../../adapters/enedis/types.ts'
import type { Direction, ParsedSeries } from '../../../formats/types.ts'

/** An index at the start of a local day; null where the distributor takes it back. */
export type ParsedIndex = {
  prm: string
  direction: Direction
  day: string
  calendar: string
  name: string
  wh: number | null
  source: string
}

/** What was attributed to a point over a period; none where the distributor takes it back. */
export type ParsedQuantities = {
  prm: string
  direction: Direction
  from: string
  to: string
  quantities: EnedisQuantity[]
  /** When the distributor wrote it: what is older does not replace what is newer. */
  writtenAt: Date | null
}

export type ParsedContractEvent = { prm: string; event: string; on: string; collective: number | null }

/** Takes what a file says, as it is read. */
export type FileDataSink = {
  days(series: ParsedSeries[]): Promise<void> | void
  indexes(rows: ParsedIndex[]): Promise<void> | void
  quantities(rows: ParsedQuantities[]): Promise<void> | void
  events(rows: ParsedContractEvent[]): Promise<void> | void
}
