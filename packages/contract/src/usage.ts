import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Day } from './primitives.ts'
import { PlanPoints } from './subscription.ts'

/** A figure by month, the first day of which names it. */
export const UsageMonth = z.object({ month: Day, value: z.int() })
const Used = z.object({ used: z.int(), limit: z.int().nullable(), months: z.array(UsageMonth) })
export type Used = z.infer<typeof Used>

export const Usage = z.object({
  points: PlanPoints.extend({
    months: z.array(UsageMonth),
    /** The month in which the limit is reached at the pace of the last three; null where nothing says so. */
    reached: Day.nullable(),
  }),
  /** Calls of API keys. */
  calls: Used,
  /** Bytes of files kept. */
  storage: Used,
  /** Messages that left. */
  mails: Used,
})
export type Usage = z.infer<typeof Usage>

const readAccess = { permission: 'subscription.read' } as const

export const usage = {
  get: defineEndpoint({
    method: 'GET',
    path: '/api/usage',
    access: readAccess,
    summary: 'Lire ce que l’organisation utilise',
    response: Usage,
  }),
  file: defineEndpoint({
    method: 'GET',
    path: '/api/usage/export',
    access: readAccess,
    summary: 'Exporter ce que l’organisation utilise',
    response: { file: 'text/csv' },
  }),
}
