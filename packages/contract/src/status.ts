import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Incident } from './incidents.ts'
import { Instant } from './primitives.ts'

const StatusComponentState = z.enum(['operational', 'degraded', 'down'])
const StatusComponent = z.object({
  name: z.string(),
  label: z.string(),
  state: StatusComponentState,
  /** One entry per day, oldest first; null where nothing was measured. */
  days: z.array(
    z.object({
      date: z.string(),
      availability: z.number().nullable(),
      /** A maintenance of this part was announced for that day; what was measured counts all the same. */
      maintenance: z.boolean(),
    }),
  ),
})

export const status = {
  get: defineEndpoint({
    method: 'GET',
    path: '/api/status',
    access: 'public',
    summary: 'État du service',
    response: z.object({
      state: StatusComponentState,
      checkedAt: Instant,
      version: z.string(),
      components: z.array(StatusComponent),
      /** What is going on, what is announced, and the last 90 days; the latest first. */
      incidents: z.array(Incident),
    }),
  }),
}
