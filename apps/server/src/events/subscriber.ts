import type { EventData, EventName } from '@voisol/contract/events'
import type { Db } from '../db/client.ts'
import type { Deps } from '../deps.ts'

/** An event as received by a subscriber; its name determines its data. */
export type SubscribedEvent<N extends EventName = EventName> = {
  [K in N]: { companyId: number; seq: number; id: string; at: Date; object: string; name: K; data: EventData<K> }
}[N]

/** A row of the table of subscribers. What it writes is committed in `tx`, together with its cursor. */
export type Subscriber = {
  /** The key of its cursor: it never changes. */
  name: string
  on: readonly EventName[]
  /** Data common to all events of a company, read once per batch. */
  prepare?(tx: Db, companyId: number): Promise<unknown>
  handle(tx: Db, deps: Deps, event: SubscribedEvent, prepared?: unknown): Promise<void>
}

export const defineSubscriber = <N extends EventName, P = undefined>(row: {
  name: string
  on: readonly N[]
  prepare?(tx: Db, companyId: number): Promise<P>
  handle(tx: Db, deps: Deps, event: SubscribedEvent<N>, prepared: P): Promise<void>
}): Subscriber => ({
  ...row,
  handle: (tx, deps, event, prepared) => row.handle(tx, deps, event as SubscribedEvent<N>, prepared as P), // only those of `on`, with its own
})
