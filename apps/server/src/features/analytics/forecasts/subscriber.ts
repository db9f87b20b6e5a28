import { defineSubscriber } from '../../../events/subscriber.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday } from '../../../today.ts'

/** Scores the forecasts again when readings arrive or are corrected. */
export const forecastSubscriber = defineSubscriber({
  name: 'forecasts',
  on: ['curves.received', 'curves.imported'],
  handle: async (tx, _deps, { companyId, data }) => {
    const days = data.readings.flatMap((one) => one.days)
    const from = days.map((span) => span.from).reduce((a, b) => (a < b ? a : b), getToday())
    const to = days.map((span) => span.to).reduce((a, b) => (a > b ? a : b), from)
    if (from >= to) return
    for (const operationId of data.operations)
      await enqueue(
        tx,
        'forecasts.score',
        { companyId, operationId, from, to },
        { once: `${operationId} ${from} ${to}` },
      )
  },
})
