import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { EnergySeries } from './energy.ts'
import { PeriodEnergyTotals, Wh } from './energy-figures.ts'
import { MAX_CHART_POINTS } from './granularity.ts'
import { Cents } from './money.ts'
import { Day, Id, Instant, Version } from './primitives.ts'

export const AnalyticsMeasure = z.enum(['produced', 'consumed', 'allocated', 'surplus', 'complement'])
export type AnalyticsMeasure = z.infer<typeof AnalyticsMeasure>
export const MEASURE_LABELS: Record<AnalyticsMeasure, string> = {
  produced: 'Production',
  consumed: 'Consommation',
  allocated: 'Énergie locale',
  surplus: 'Surplus',
  complement: 'Complément du réseau',
}

export const CompareBy = z.enum(['operations', 'members', 'groups', 'months'])
export type CompareBy = z.infer<typeof CompareBy>
export const COMPARE_BY_LABELS: Record<CompareBy, string> = {
  operations: 'Opérations',
  members: 'Membres',
  groups: 'Groupes',
  months: 'Mois',
}

/** The largest number of rows compared at once, those with the most energy first. */
export const MAX_COMPARED_ROWS = 200

const periodFields = { from: Day, to: Day, operationId: Id.optional() }
const Rate = z.number().nullable()

/** Energies in Wh; null where the row has no such side (consumption or production). */
export const CompareRow = z.object({
  id: z.string(),
  name: z.string(),
  /** For a group, the number of its members. */
  members: z.int().nullable(),
  produced: Wh.nullable(),
  shared: Wh.nullable(),
  surplus: Wh.nullable(),
  consumed: Wh.nullable(),
  allocated: Wh.nullable(),
  complement: Wh.nullable(),
  /** Not yet in any run: produced, and consumed. */
  pending: Wh,
  selfConsumption: Rate,
  selfProduction: Rate,
  valueCents: z.int().nullable(),
  co2Grams: z.number().nullable(),
})
export type CompareRow = z.infer<typeof CompareRow>

const Co2 = z.object({
  solarGramsPerKwh: z.number(),
  source: z.string(),
  /** Grams avoided, by the yearly factor that is used everywhere else. */
  yearly: z.object({ gridGramsPerKwh: z.number(), grams: z.number() }),
  /** The same by a factor for each hour of the day, where the installation has one. */
  hourly: z.object({ gridGramsPerKwh: z.array(z.number()), grams: z.number(), wh: Wh }).nullable(),
})

export const LoadShape = z.object({
  measure: AnalyticsMeasure,
  heat: z.object({ days: z.array(Day), hours: z.array(z.array(z.number().nullable())) }),
  /** Load duration curve: hours known, and the power reached during each part of them, highest first. */
  duration: z.object({ hours: z.int(), points: z.array(z.object({ part: z.number(), watts: z.number() })) }),
  /** By hour of the day: number of known hours, and the distribution of their energy in Wh. */
  boxes: z.array(
    z.object({
      hour: z.int(),
      days: z.int(),
      spread: z
        .object({ min: z.number(), low: z.number(), median: z.number(), high: z.number(), max: z.number() })
        .nullable(),
    }),
  ),
  co2: Co2,
})
export type LoadShape = z.infer<typeof LoadShape>

export const MoneyMonth = z.object({
  month: Day,
  /** Net cents issued for days of the month, less credit notes. */
  invoiced: Cents,
  documents: z.int(),
  valueCents: z.int().nullable(),
})
export type MoneyMonth = z.infer<typeof MoneyMonth>

export const SavedView = z.object({
  id: Id,
  name: z.string(),
  search: z.string(),
  shared: z.boolean(),
  mine: z.boolean(),
  author: z.string(),
  createdAt: Instant,
  version: z.int(),
})
export type SavedView = z.infer<typeof SavedView>
export const ViewDraft = z.strictObject({
  name: z.string().trim().min(1).max(80),
  search: z.string().max(600),
  shared: z.boolean(),
})
const params = z.object({ id: Id })

export const analytics = {
  compare: defineEndpoint({
    method: 'GET',
    path: '/api/analytics/compare',
    access: { permission: 'analytics.read' },
    summary: 'Comparer des opérations, des membres, des groupes ou des mois',
    query: z.object({ ...periodFields, by: CompareBy.default('operations') }),
    response: z.object({
      by: CompareBy,
      rows: z.array(CompareRow),
      /** The total number; only those with the most energy are listed. */
      count: z.int(),
      total: PeriodEnergyTotals,
      co2Source: z.string(),
    }),
  }),
  chart: defineEndpoint({
    method: 'GET',
    path: '/api/analytics/chart',
    access: { permission: 'analytics.read' },
    summary: 'Courbe d’une période, en autant de points qu’il y a de place',
    /** `width` is the number of points that can be displayed: the finest step that fits is returned. */
    query: z.object({ ...periodFields, width: z.coerce.number().int().min(50).max(MAX_CHART_POINTS).default(800) }),
    response: EnergySeries,
  }),
  shape: defineEndpoint({
    method: 'GET',
    path: '/api/analytics/shape',
    access: { permission: 'analytics.read' },
    summary: 'Heures d’une période\u00a0: carte, monotone, boîtes et CO₂',
    query: z.object({ ...periodFields, measure: AnalyticsMeasure.default('consumed') }),
    response: LoadShape,
  }),
  money: defineEndpoint({
    method: 'GET',
    path: '/api/analytics/money',
    access: { permission: 'invoices.read' },
    summary: 'Montants facturés par mois',
    query: z.object(periodFields),
    response: z.object({ months: z.array(MoneyMonth) }),
  }),
  views: defineEndpoint({
    method: 'GET',
    path: '/api/analytics/views',
    access: { permission: 'analytics.read' },
    summary: 'Vues enregistrées',
    response: z.object({ items: z.array(SavedView) }),
  }),
  saveView: defineEndpoint({
    method: 'POST',
    path: '/api/analytics/views',
    access: { permission: 'analytics.write' },
    summary: 'Enregistrer une vue',
    body: ViewDraft,
    response: SavedView,
  }),
  updateView: defineEndpoint({
    method: 'PATCH',
    path: '/api/analytics/views/:id',
    access: { permission: 'analytics.write' },
    summary: 'Modifier une vue enregistrée',
    params,
    body: ViewDraft.extend({ version: Version }),
    response: SavedView,
  }),
  removeView: defineEndpoint({
    method: 'DELETE',
    path: '/api/analytics/views/:id',
    access: { permission: 'analytics.write' },
    summary: 'Retirer une vue enregistrée',
    params,
    response: z.object({ success: z.literal(true) }),
  }),
}
