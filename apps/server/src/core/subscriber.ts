import type { EventData, EventName } from '@voisol/contract/events'
import type { Db } from '../db/client.ts'
import type { Deps } from '../deps.ts'

/** An event as a subscriber hears of it; its name says which data it carries. */
export type Heard<N extends EventName = EventName> = {
  [K in N]: { companyId: number; seq: number; id: string; at: Date; object: string; name: K; data: EventData<K> }
}[N]

/** A row of the table of subscribers. What it does stands in `tx`, together with how far it has come. */
export type Subscriber = {
  /** It names the place in the company's events: it never changes. */
  name: string
  on: readonly EventName[]
  handle(tx: Db, deps: Deps, event: Heard): Promise<void>
}

export const subscriber = <N extends EventName>(row: {
  name: string
  on: readonly N[]
  handle(tx: Db, deps: Deps, event: Heard<N>): Promise<void>
}): Subscriber => ({
  ...row,
  handle: (tx, deps, event) => row.handle(tx, deps, event as Heard<N>), // only those of `on` are handed over
})
