import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { defineSubscriber, type SubscribedEvent } from '../../../events/subscriber.ts'
import { enqueue } from '../../../jobs/queue.ts'

const WATCHED_EVENTS = [
  'allocation.completed',
  'quantities.received',
  'participation.started',
  'participation.enrolled',
  'participation.changed',
  'participation.removed',
  'participation.transferred',
  'tariff.adopted',
] as const
type WatchedEvent = SubscribedEvent<(typeof WATCHED_EVENTS)[number]>

/** The period whose figures the event changed; null when nothing computed is affected. */
function getChangedDays(event: WatchedEvent): { from: string; to: string | null } | null {
  if (event.name === 'allocation.completed' || event.name === 'quantities.received')
    return { from: event.data.from, to: event.data.to }
  return event.data.days
}

async function enqueueMonthReview(tx: Db, _: Deps, event: WatchedEvent) {
  const days = getChangedDays(event)
  if (!days) return
  const { companyId } = event
  const { operationId } = event.data
  const { from, to } = days
  await enqueue(tx, 'corrections.look', { companyId, operationId, from, to }, { once: `${operationId} ${from} ${to}` })
}

export const correctionSubscriber = defineSubscriber({
  name: 'corrections',
  on: WATCHED_EVENTS,
  handle: enqueueMonthReview,
})
