import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Id, Instant } from './primitives.ts'

export const HealthLevel = z.enum(['ok', 'warning', 'critical'])
export type HealthLevel = z.infer<typeof HealthLevel>
export const HealthUnit = z.enum(['bytes', 'share', 'count', 'ms', 'hours', 'days'])

export const HealthMeasure = z.object({
  metric: z.string(),
  label: z.string(),
  group: z.string(),
  unit: HealthUnit,
  /** Null where it could not be measured. */
  value: z.number().nullable(),
  level: HealthLevel,
  /** From where on it is worth a look, and from where on it cannot wait; null where it is only shown. */
  warning: z.number().nullable(),
  critical: z.number().nullable(),
  /** What to do where it is not well. */
  advice: z.string(),
})
export type HealthMeasure = z.infer<typeof HealthMeasure>

export const HealthJob = z.object({
  name: z.string(),
  label: z.string(),
  cron: z.string(),
  lastAt: Instant.nullable(),
  nextAt: Instant.nullable(),
  late: z.boolean(),
  waiting: z.int(),
  /** Failed for good in the last day. */
  failed: z.int(),
})
export type HealthJob = z.infer<typeof HealthJob>

export const HealthAlert = z.object({
  id: Id,
  metric: z.string(),
  label: z.string(),
  level: z.enum(['warning', 'critical']),
  detail: z.string(),
  advice: z.string(),
  openedAt: Instant,
  closedAt: Instant.nullable(),
})
export type HealthAlert = z.infer<typeof HealthAlert>

const readAccess = { permission: 'installation.read' } as const

export const health = {
  get: defineEndpoint({
    method: 'GET',
    path: '/api/installation/health',
    access: readAccess,
    summary: 'Lire la santé de l’installation',
    response: z.object({
      measuredAt: Instant,
      version: z.string(),
      /** The commit it was built from; null where that is not known. */
      commit: z.string().nullable(),
      postgres: z.string(),
      migrations: z.object({ applied: z.int(), known: z.int() }),
      measures: z.array(HealthMeasure),
      jobs: z.array(HealthJob),
      routes: z.array(z.object({ route: z.string(), calls: z.int(), p95: z.number() })),
      alerts: z.array(HealthAlert),
    }),
  }),
  history: defineEndpoint({
    method: 'GET',
    path: '/api/installation/health/history',
    access: readAccess,
    summary: 'Lire trente jours de mesures de santé',
    query: z.object({ metric: z.string().max(60) }),
    response: z.object({
      /** The worst of each six hours, oldest first; null where nothing was measured. */
      points: z.array(z.object({ at: Instant, value: z.number().nullable() })),
    }),
  }),
}
