import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Day, Id, Instant } from './primitives.ts'

export const ForecastKind = z.enum(['production', 'consumption', 'surplus'])
export type ForecastKind = z.infer<typeof ForecastKind>
/** near: two days at the step of the meters; week: seven days by hour. */
export const ForecastRange = z.enum(['near', 'week'])
export type ForecastRange = z.infer<typeof ForecastRange>

/** An operation, or one of its plants. Days are those on which something was issued. */
export const ForecastSubject = z.object({
  operationId: Id,
  name: z.string(),
  firstDay: Day.nullable(),
  lastDay: Day.nullable(),
  plants: z.array(z.object({ pointId: Id, name: z.string(), firstDay: Day.nullable(), lastDay: Day.nullable() })),
})
export type ForecastSubject = z.infer<typeof ForecastSubject>

/** Watts, null where nothing is known or nothing could be said. */
const Watts = z.array(z.number().nullable())
const Energy = z.number().nullable()

/** Watt-hours of a day. `band`: from the errors of past days, or the sum of the steps' bounds, which is wider than 80 %. */
export const ForecastDay = z.object({
  day: Day,
  low: Energy,
  middle: Energy,
  high: Energy,
  band: z.enum(['measured', 'bounds']),
  persistence: Energy,
  /** Null unless the whole day was measured. */
  measured: Energy,
})
export type ForecastDay = z.infer<typeof ForecastDay>

/** One forecast as it was issued; nothing of it was computed afterwards but what was measured. */
export const Forecast = z.object({
  operationId: Id,
  operationName: z.string(),
  pointId: Id.nullable(),
  pointName: z.string().nullable(),
  kind: ForecastKind,
  span: ForecastRange,
  issuedOn: Day,
  issuedAt: Instant,
  /** Said later, with what was known that day: the demonstration's own past. */
  rebuilt: z.boolean(),
  knownUntil: Instant.nullable(),
  startsAt: Instant,
  step: z.int(),
  low: Watts,
  middle: Watts,
  high: Watts,
  persistence: Watts,
  measured: Watts,
  /** What was measured just before, at the same step: the last value stands next to the start. */
  before: Watts,
  /** Steps that the announced weather spoke for. */
  weatherSteps: z.int(),
  weatherIssuedAt: Instant.nullable(),
  /** Whether the company has a connection to a provider of weather that works. */
  weatherConnected: z.boolean(),
  recipe: z.enum(['appris', 'modèle', 'profil']),
  version: z.int(),
  learntDays: z.int(),
  /** Meters of which nothing was known: they are not part of it. */
  silent: z.int(),
  days: z.array(ForecastDay),
})
export type Forecast = z.infer<typeof Forecast>

export const ForecastHorizon = z.enum(['first', 'second', 'later'])
export type ForecastHorizon = z.infer<typeof ForecastHorizon>

/** Parts of the peak power, of the mean load for a consumption. Null under fourteen scored days. */
export const ForecastAccuracy = z.object({
  horizon: ForecastHorizon,
  /** Days scored, and steps of them. */
  days: z.int(),
  steps: z.int(),
  nMAE: z.number().nullable(),
  persistence: z.number().nullable(),
  bias: z.number().nullable(),
  skill: z.number().nullable(),
  /** Of every band that was said while the sun was up; beside it, of those that can be missed on either side. */
  coverage: z.number().nullable(),
  openCoverage: z.number().nullable(),
  pinball: z.number().nullable(),
})
export type ForecastAccuracy = z.infer<typeof ForecastAccuracy>

/** `hours`: local energy is to be had then, at least this sure. `none`: no hour is. `unmeasured`: too few days to tell. */
export const TomorrowHours = z.object({
  operationId: Id,
  operationName: z.string(),
  day: Day,
  state: z.enum(['hours', 'none', 'unmeasured', 'unknown']),
  from: Instant.nullable(),
  to: Instant.nullable(),
  chance: z.number().nullable(),
  issuedAt: Instant.nullable(),
  /** Of the hours announced over the last weeks, the part in which something was really left. */
  hits: z.object({ rate: z.number(), days: z.int() }).nullable(),
})
export type TomorrowHours = z.infer<typeof TomorrowHours>

const subjectFields = { operationId: Id, pointId: Id.optional(), kind: ForecastKind.default('production') }
const query = z.object({ ...subjectFields, span: ForecastRange.default('near'), day: Day.optional() })
const readAccess = { permission: 'energy.read' } as const

export const forecasts = {
  subjects: defineEndpoint({
    method: 'GET',
    path: '/api/forecasts/subjects',
    access: readAccess,
    summary: 'Lister ce dont il y a des prévisions',
    response: z.object({ items: z.array(ForecastSubject) }),
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/forecasts',
    access: readAccess,
    summary: 'Lire une prévision telle qu’elle fut émise, à côté du mesuré',
    query,
    response: z.object({ forecast: Forecast.nullable() }),
  }),
  accuracy: defineEndpoint({
    method: 'GET',
    path: '/api/forecasts/accuracy',
    access: readAccess,
    summary: 'Lire la précision mesurée des prévisions, par échéance',
    query: z.object(subjectFields),
    response: z.object({
      from: Day,
      to: Day,
      /** Scored days under which nothing is said. */
      least: z.int(),
      items: z.array(ForecastAccuracy),
    }),
  }),
  export: defineEndpoint({
    method: 'GET',
    path: '/api/forecasts/export',
    access: readAccess,
    summary: 'Télécharger une prévision en CSV',
    query,
    response: { file: 'text/csv' },
  }),
  bestHours: defineEndpoint({
    method: 'GET',
    path: '/api/forecasts/best-hours',
    access: { permission: 'energy.read', portal: true },
    block: 'hours',
    summary: 'Prévoir les meilleures heures de demain',
    query: z.object({ operationId: Id.optional() }),
    response: z.object({ items: z.array(TomorrowHours) }),
  }),
}
