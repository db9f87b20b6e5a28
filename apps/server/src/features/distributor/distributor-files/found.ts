import type { Quantity } from '../../../adapters/enedis/types.ts'
import type { Direction, ParsedSeries } from '../../../formats/types.ts'

/** An index at the start of a local day; null where the distributor takes it back. */
export type FoundIndex = {
  prm: string
  direction: Direction
  day: string
  calendar: string
  name: string
  wh: number | null
  source: string
}

/** What was attributed to a point over a period; none where the distributor takes it back. */
export type FoundQuantities = {
  prm: string
  direction: Direction
  from: string
  to: string
  quantities: Quantity[]
  /** When the distributor wrote it: what is older does not replace what is newer. */
  writtenAt: Date | null
}

export type FoundEvent = { prm: string; event: string; on: string; collective: number | null }

/** Takes what a file says, as it is read. */
export type Sink = {
  days(series: ParsedSeries[]): Promise<void> | void
  indexes(rows: FoundIndex[]): Promise<void> | void
  quantities(rows: FoundQuantities[]): Promise<void> | void
  events(rows: FoundEvent[]): Promise<void> | void
}
