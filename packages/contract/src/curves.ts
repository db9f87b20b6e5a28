import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import {
  buildPageSchema,
  Day,
  Direction,
  Id,
  Ids,
  IMPACT_PREVIEW_FIELDS,
  Instant,
  ListQuery,
  PointRef,
  SuccessReply,
} from './primitives.ts'

export const CurveFormat = z.enum([
  'r63',
  'hdm',
  'r50',
  'r4x',
  'customer-csv',
  'customer-xlsx',
  'edf',
  'wide',
  'long',
  'single',
])
const CurveUnit = z.enum(['W', 'kW', 'Wh', 'kWh'])
const TimestampPosition = z.enum(['start', 'end'])
/** Legal time, or a fixed offset: UTC, or French winter time all year. */
const CurveZone = z.enum(['Europe/Paris', 'UTC', '+01:00'])

/** Answers of the user where the file is ambiguous: nothing is stored on a guess. */
const ImportChoices = z.strictObject({
  prm: z.string().max(20).optional(),
  direction: Direction.optional(),
  unit: CurveUnit.optional(),
  stamp: TimestampPosition.optional(),
  zone: CurveZone.optional(),
  /** Minutes of every reading, or `found`: measured between timestamps, and may vary. */
  step: z.union([z.literal('found'), z.literal([5, 10, 15, 30, 60])]).optional(),
})

const DetectedImportFormat = z.object({
  format: CurveFormat,
  formatLabel: z.string(),
  unit: CurveUnit,
  unitCertain: z.boolean(),
  steps: z.array(z.int()),
  stepCertain: z.boolean().default(true),
  stamp: TimestampPosition,
  stampCertain: z.boolean(),
  zone: z.enum([...CurveZone.options, 'offset']),
  zoneCertain: z.boolean(),
  dstDays: z.array(Day),
  encoding: z.string(),
  rows: z.int(),
  readings: z.int(),
  from: Day,
  to: Day,
})

const ImportStatus = z.enum(['reading', 'ready', 'storing', 'done', 'refused', 'abandoned'])
export const ImportSeries = z.object({
  prm: z.string(),
  direction: Direction.nullable(),
  /** Whether it is one direction of a battery (charge or release). */
  storage: z.boolean().optional(),
  pointId: Id.nullable(),
  pointLabel: z.string(),
  from: Day,
  to: Day,
  days: z.int(),
  newDays: z.int(),
  changedDays: z.int(),
  sameDays: z.int(),
  readings: z.int(),
  missing: z.int(),
  energyWh: z.number(),
  /** Days whose measured values would change, and their energy before and after. */
  overwrittenDays: z.int().default(0),
  overwrittenBeforeWh: z.number().default(0),
  overwrittenAfterWh: z.number().default(0),
})

/** One way to interpret an ambiguous file, with its result. */
const ImportCandidate = z.object({
  /** The value to put in `choices`, as text. */
  value: z.string(),
  label: z.string(),
  readings: z.int(),
  /** Readings that cannot be placed with this interpretation. */
  lost: z.int(),
  from: Instant,
  to: Instant,
  /** Over all the curves of the file. */
  energyWh: z.number(),
  /** In the order of `known`; `tooHigh`: above what the connection can carry. */
  points: z.array(z.object({ energyWh: z.number(), peakWatts: z.number(), tooHigh: z.boolean() })),
})
const ImportQuestion = z.object({
  about: z.enum(['unit', 'stamp', 'zone', 'step']),
  candidates: z.array(ImportCandidate),
})
/** What is known of a point from elsewhere: a stored period, or its index readings. */
export const KnownPeriod = z.object({
  kind: z.enum(['stored', 'year-before', 'month', 'index']),
  from: Day,
  to: Day,
  days: z.int(),
  energyWh: z.number(),
})
export const KnownPoint = z.object({
  prm: z.string(),
  label: z.string(),
  direction: Direction,
  /** Whether it is one direction of a battery (charge or release). */
  storage: z.boolean().optional(),
  /** Subscribed power, or peak power of a plant. */
  limitWatts: z.int().nullable(),
  periods: z.array(KnownPeriod),
})
export const ImportQuestionSet = z.object({ questions: z.array(ImportQuestion), known: z.array(KnownPoint) })

export const ImportProblem = z.object({
  line: z.int(),
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  prm: z.string().optional(),
  message: z.string(),
})
export const CurveImport = z.object({
  id: Id,
  name: z.string(),
  status: ImportStatus,
  choices: ImportChoices,
  detected: DetectedImportFormat.nullable(),
  /** Questions that only a person can answer, with known data of the first points for comparison. */
  asked: ImportQuestionSet,
  series: z.array(ImportSeries),
  problems: z.array(ImportProblem),
  counts: z.record(z.string(), z.int()),
  /** Why it was refused, what was stored, or why it needs another look. */
  message: z.string(),
  progress: z.int(),
  createdBy: z.string(),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
})
export type CurveImport = z.infer<typeof CurveImport>

/** Per step: 0 missing, 1 raw, 2 corrected, 3 estimated, 4 doubtful (implausible to the distributor itself). */
const Marks = z.array(z.int().min(0).max(4))
const Watts = z.array(z.number().nullable())

export const DayVersion = z.object({
  version: z.int(),
  step: z.int(),
  watts: Watts,
  marks: Marks,
  energyWh: z.number(),
  present: z.int(),
  expected: z.int(),
  source: z.enum(['import', 'enedis', 'api', 'model', 'estimate']),
  receivedAt: Instant,
  supersededAt: Instant.nullable(),
  importId: Id.nullable(),
})

const params = z.object({ id: Id })
const pointParams = z.object({ id: PointRef })
const ExportFormat = z.enum(['csv-excel', 'csv-data', 'xlsx', 'json']).default('csv-excel')
const Range = { from: Day, to: Day }

export const curves = {
  /** One character per day: r received, p partial, d with doubtful values, e with estimates, c corrected, m missing, - not expected. */
  matrix: defineEndpoint({
    method: 'GET',
    path: '/api/curves/matrix',
    access: { permission: 'curves.read' },
    summary: 'Complétude des données par point et par jour',
    query: z.object({ operationId: Id, ...Range }),
    response: z.object({
      from: Day,
      to: Day,
      received: z.int(),
      expected: z.int(),
      rows: z.array(
        z.object({
          id: Id,
          prm: z.string(),
          label: z.string(),
          direction: Direction,
          storage: z.boolean().optional(),
          cells: z.string(),
          received: z.int(),
          expected: z.int(),
        }),
      ),
    }),
  }),
  /** What the meter measured, at its own step or a coarser one; `knownAt` reads it as known at that time. */
  series: defineEndpoint({
    method: 'GET',
    path: '/api/points/:id/curve',
    access: { permission: 'curves.read', portal: true },
    summary: 'Courbe de charge d’un point',
    params: pointParams,
    query: z.object({ ...Range, knownAt: Instant.optional() }),
    response: z.object({
      startsAt: Instant,
      step: z.int(),
      watts: Watts,
      marks: Marks,
      energyWh: z.number(),
      present: z.int(),
      expected: z.int(),
      receivedUntil: Instant.nullable(),
    }),
  }),
  versions: defineEndpoint({
    method: 'GET',
    path: '/api/points/:id/days/:day',
    access: { permission: 'curves.read' },
    summary: 'Versions d’une journée de relevés',
    params: pointParams.extend({ day: Day }),
    response: z.object({ day: Day, startsAt: Instant, items: z.array(DayVersion) }),
  }),
  export: defineEndpoint({
    method: 'GET',
    path: '/api/curves/export',
    access: { permission: 'curves.read', portal: true },
    summary: 'Exporter des courbes de charge',
    query: z.object({ ...Range, operationId: Id.optional(), points: Ids.optional(), format: ExportFormat }),
    response: { file: 'text/csv; charset=utf-8' },
  }),
  imports: defineEndpoint({
    method: 'GET',
    path: '/api/curve-imports',
    access: { permission: 'curves.import' },
    summary: 'Lister les imports de courbes',
    query: ListQuery.extend({ status: ImportStatus.optional() }),
    response: buildPageSchema(CurveImport.omit({ problems: true, series: true, asked: true })),
  }),
  upload: defineEndpoint({
    method: 'POST',
    path: '/api/curve-imports',
    access: { permission: 'curves.import' },
    summary: 'Déposer un fichier de courbes',
    query: z.object({ name: z.string().min(1).max(200) }),
    upload: 64 * 1024 * 1024,
    response: CurveImport,
  }),
  getImport: defineEndpoint({
    method: 'GET',
    path: '/api/curve-imports/:id',
    access: { permission: 'curves.import' },
    summary: 'Lire un import de courbes',
    params,
    response: CurveImport,
  }),
  choose: defineEndpoint({
    method: 'PATCH',
    path: '/api/curve-imports/:id',
    access: { permission: 'curves.import' },
    summary: 'Choisir la lecture d’un fichier de courbes',
    params,
    body: ImportChoices,
    response: CurveImport,
  }),
  commit: defineEndpoint({
    method: 'POST',
    path: '/api/curve-imports/:id/commit',
    access: { permission: 'curves.import' },
    summary: 'Enregistrer un fichier de courbes',
    params,
    /** `overwrite` is required where stored measured values would change. */
    body: z.strictObject({ overwrite: z.boolean().optional(), ...IMPACT_PREVIEW_FIELDS }).default({}),
    response: CurveImport,
  }),
  abandon: defineEndpoint({
    method: 'DELETE',
    path: '/api/curve-imports/:id',
    access: { permission: 'curves.import' },
    summary: 'Abandonner un import de courbes',
    params,
    response: SuccessReply,
  }),
}
