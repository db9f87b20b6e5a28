import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import {
  AttentionNotice,
  MemberEnergyItem,
  OperationEnergyItem,
  PeriodEnergyTotals,
  ProducerEnergyItem,
  Wh,
} from './energy-figures.ts'
import { Granularity, MAX_CHART_POINTS } from './granularity.ts'
import { buildPageSchema, Day, Direction, Id, Instant, ListQuery, SuspendedMeter, TableFormat } from './primitives.ts'

/** The scope: an operation, a participant or a point; without any, all that the caller may see. */
const scopeFields = { operationId: Id.optional(), participantId: Id.optional(), pointId: Id.optional() }
const Selection = z.object({ from: Day, to: Day, ...scopeFields })

export type { PeriodEnergyTotals } from './energy-figures.ts'
export type { Granularity } from './granularity.ts'

export const EnergySummary = z.object({
  from: Day,
  to: Day,
  current: PeriodEnergyTotals,
  previous: PeriodEnergyTotals.nullable(),
  lastYear: PeriodEnergyTotals.nullable(),
  steps: z.object({ expected: z.int(), received: z.int(), allocated: z.int(), excluded: z.int(), estimated: z.int() }),
  suspended: z.array(SuspendedMeter),
  receivedUntil: Instant.nullable(),
  /** True where a run in force no longer matches the readings. */
  stale: z.boolean(),
  definitive: z.boolean(),
  co2: z.object({ gridGramsPerKwh: z.number(), solarGramsPerKwh: z.number(), source: z.string() }),
  /**
   * The mean self-production rate of comparable neighbours who consented, if at least five of them make it anonymous.
   */
  neighbours: z.object({ selfProduction: z.number(), members: z.int() }).nullable(),
})
export type EnergySummary = z.infer<typeof EnergySummary>

const Column = z.array(z.number().nullable())
/** Columns with the same start times; null where unknown. Wh per bucket. */
export const EnergySeries = z.object({
  granularity: Granularity,
  starts: z.array(Instant),
  /** Minutes per step, where constant. */
  step: z.int().nullable(),
  produced: Column,
  shared: Column,
  surplus: Column,
  consumed: Column,
  allocated: Column,
  complement: Column,
  /** Charge and release of batteries with the local part of each; present where batteries take part. */
  storage: z.object({ charged: Column, stored: Column, released: Column, restored: Column }).optional(),
  /** Worst quality of the bucket: 0 missing, 1 raw, 2 corrected, 3 estimated. */
  marks: z.array(z.int()),
})
export type EnergySeries = z.infer<typeof EnergySeries>

/** `width` is the number of points that can be displayed: if the requested step has more, a coarser one is returned. */
const Width = z.coerce.number().int().min(50).max(MAX_CHART_POINTS)
const SeriesQuery = Selection.extend({ granularity: Granularity.default('15min') })
const DrawnQuery = SeriesQuery.extend({ width: Width.optional() })

export const EnergyFlow = z.object({
  /** A battery is listed on both sides: its release and its charge. */
  producers: z.array(z.object({ id: Id, label: z.string(), storage: z.boolean().optional(), wh: Wh, surplusWh: Wh })),
  consumers: z.array(z.object({ id: Id, label: z.string(), storage: z.boolean().optional(), wh: Wh, gridWh: Wh })),
  links: z.array(z.object({ from: Id, to: Id, wh: Wh })),
  surplusWh: Wh,
})

/** Field names of the public API, in kWh; bounds are local days or instants. */
const Bound = z.union([Day, Instant])
const documentedFields = { startDate: Bound, endDate: Bound, granularity: Granularity.default('hour') }
const Unit = z.literal('kWh')

export const energy = {
  production: defineEndpoint({
    method: 'GET',
    path: '/api/energy/production',
    access: { permission: 'energy.read', portal: true },
    summary: 'Production d’une opération',
    query: z.object({ operationId: Id.optional(), pointId: Id.optional(), ...documentedFields }),
    response: z.object({
      data: z.array(
        z.object({
          timestamp: Instant,
          production: z.number().nullable(),
          shared: z.number().nullable(),
          surplus: z.number().nullable(),
          unit: Unit,
          weather: z.string().nullable(),
        }),
      ),
      summary: z.object({
        totalProduction: z.number(),
        averageProduction: z.number(),
        peakProduction: z.number(),
        unit: Unit,
      }),
    }),
  }),
  consumption: defineEndpoint({
    method: 'GET',
    path: '/api/energy/consumption',
    access: { permission: 'energy.read', portal: true },
    summary: 'Consommation d’un participant',
    query: z.object({
      participantId: Id.optional(),
      operationId: Id.optional(),
      pointId: Id.optional(),
      ...documentedFields,
    }),
    response: z.object({
      data: z.array(
        z.object({
          timestamp: Instant,
          consumption: z.number().nullable(),
          selfConsumption: z.number().nullable(),
          gridConsumption: z.number().nullable(),
          unit: Unit,
        }),
      ),
      summary: z.object({
        totalConsumption: z.number(),
        totalSelfConsumption: z.number(),
        totalGridConsumption: z.number(),
        selfProductionRate: z.number().nullable(),
        unit: Unit,
      }),
    }),
  }),
  summary: defineEndpoint({
    method: 'GET',
    path: '/api/energy/summary',
    access: { permission: 'energy.read', portal: true },
    summary: 'Bilan d’une période',
    query: Selection,
    response: EnergySummary,
  }),
  series: defineEndpoint({
    method: 'GET',
    path: '/api/energy/series',
    access: { permission: 'energy.read', portal: true },
    summary: 'Courbes d’une période',
    query: DrawnQuery,
    response: EnergySeries,
  }),
  export: defineEndpoint({
    method: 'GET',
    path: '/api/energy/export',
    access: { permission: 'energy.read', portal: true },
    summary: 'Exporter les courbes d’une période',
    query: SeriesQuery.extend({ format: z.enum(['csv-excel', 'csv-data', 'xlsx', 'json']).default('csv-excel') }),
    response: { file: 'text/csv; charset=utf-8' },
  }),
  /** Mean Wh by hour (24) and day; rows are days. */
  heatMap: defineEndpoint({
    method: 'GET',
    path: '/api/energy/heat-map',
    access: { permission: 'energy.read', portal: true },
    summary: 'Carte horaire d’une période',
    query: Selection.extend({ measure: z.enum(['produced', 'consumed', 'allocated', 'surplus', 'complement']) }),
    response: z.object({ days: z.array(Day), hours: z.array(z.array(z.number().nullable())) }),
  }),
  flow: defineEndpoint({
    method: 'GET',
    path: '/api/energy/flow',
    access: { permission: 'energy.read', portal: true },
    summary: 'Qui a reçu quoi',
    query: Selection,
    response: EnergyFlow,
  }),
  /** The hours of the day that recently had the most local energy: when to run appliances. */
  bestHours: defineEndpoint({
    method: 'GET',
    path: '/api/energy/best-hours',
    access: { permission: 'energy.read', portal: true },
    block: 'hours',
    summary: 'Meilleures heures',
    query: z.object({ operationId: Id.optional() }),
    response: z.object({
      /** Days of history used, and the period they span. */
      days: z.int(),
      from: Day.nullable(),
      to: Day.nullable(),
      /** 24 shares of the surplus of those days, by hour of the wall clock. */
      hours: z.array(z.number()),
      best: z.object({ fromHour: z.int(), toHour: z.int() }).nullable(),
    }),
  }),
  members: defineEndpoint({
    method: 'GET',
    path: '/api/energy/members',
    access: { permission: 'energy.read' },
    summary: 'Énergie par membre',
    query: ListQuery.extend({ from: Day, to: Day, operationId: Id.optional(), direction: Direction.optional() }),
    response: buildPageSchema(MemberEnergyItem),
  }),
  membersExport: defineEndpoint({
    method: 'GET',
    path: '/api/energy/members/export',
    access: { permission: 'energy.read' },
    summary: 'Exporter l’énergie par membre',
    query: ListQuery.extend({
      from: Day,
      to: Day,
      operationId: Id.optional(),
      direction: Direction.optional(),
      format: TableFormat,
    }),
    response: { file: 'text/csv; charset=utf-8' },
  }),
  operations: defineEndpoint({
    method: 'GET',
    path: '/api/energy/operations',
    access: { permission: 'energy.read' },
    summary: 'Énergie par opération',
    query: z.object({ from: Day, to: Day }),
    response: z.object({ items: z.array(OperationEnergyItem), total: PeriodEnergyTotals }),
  }),
  producers: defineEndpoint({
    method: 'GET',
    path: '/api/energy/producers',
    access: { permission: 'energy.read' },
    summary: 'Énergie par producteur',
    query: z.object({ from: Day, to: Day, operationId: Id.optional() }),
    response: z.object({ items: z.array(ProducerEnergyItem) }),
  }),
  attention: defineEndpoint({
    method: 'GET',
    path: '/api/energy/attention',
    access: { permission: 'energy.read' },
    summary: 'Ce qui demande attention',
    response: z.object({ items: z.array(AttentionNotice) }),
  }),
}
