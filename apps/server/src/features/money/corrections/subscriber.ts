import { type Heard, subscriber } from '../../../core/subscriber.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { enqueue } from '../../../jobs/queue.ts'

const ON = [
  'allocation.completed',
  'quantities.received',
  'participation.started',
  'participation.enrolled',
  'participation.changed',
  'participation.removed',
  'participation.transferred',
  'tariff.adopted',
] as const
type Told = Heard<(typeof ON)[number]>

/** The days that are other now; none where nothing that was computed is. */
function daysOf(event: Told): { from: string; to: string | null } | null {
  if (event.name === 'allocation.completed' || event.name === 'quantities.received')
    return { from: event.data.from, to: event.data.to }
  return event.data.days
}

async function hear(tx: Db, _: Deps, event: Told) {
  const days = daysOf(event)
  if (!days) return
  const { companyId } = event
  const { operationId } = event.data
  const { from, to } = days
  await enqueue(tx, 'corrections.look', { companyId, operationId, from, to }, { once: `${operationId} ${from} ${to}` })
}

export const correctionSubscriber = subscriber({ name: 'corrections', on: ON, handle: hear })
