import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Instant } from './primitives.ts'

export const ComponentState = z.enum(['operational', 'degraded', 'down'])
export const Component = z.object({
  name: z.string(),
  label: z.string(),
  state: ComponentState,
  /** One entry per day, oldest first; null where nothing was measured. */
  days: z.array(z.object({ date: z.string(), availability: z.number().nullable() })),
})

export const status = {
  get: endpoint({
    method: 'GET',
    path: '/api/status',
    access: 'public',
    summary: 'État du service',
    response: z.object({
      state: ComponentState,
      checkedAt: Instant,
      version: z.string(),
      components: z.array(Component),
    }),
  }),
}
