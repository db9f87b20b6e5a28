import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, createdAt, day, instant } from './columns.ts'
import { operations } from './operations.ts'
import { ownerColumns } from './owned.ts'

/** What was last learnt of the production of an operation or of one plant: the newest fit alone is kept. */
export const forecastModels = pgTable(
  'forecast_models',
  {
    companyId: integer('company_id').notNull(),
    /** The operation itself, or the point of a plant. */
    subjectId: uuid('subject_id').notNull(),
    operationId: uuid('operation_id').notNull(),
    /** The recipe; another one is fitted anew. */
    version: integer('version').notNull(),
    fittedAt: instant('fitted_at').notNull(),
    /** The first day that it knew nothing of. */
    fittedOn: day('fitted_on').notNull(),
    model: jsonb('model').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.subjectId] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
  ],
)

/** A forecast as it was said, with what persistence said beside it. Nothing of it ever changes. */
export const issuedForecasts = pgTable(
  'issued_forecasts',
  {
    ...ownerColumns(),
    operationId: uuid('operation_id').notNull(),
    subjectId: uuid('subject_id').notNull(),
    /** production, consumption or surplus */
    kind: text('kind').notNull(),
    /** near: two days at the step of the meters; week: seven days by hour. */
    span: text('span').notNull(),
    issuedOn: day('issued_on').notNull(),
    issuedAt: instant('issued_at').notNull(),
    /** The end of what was known of the meters. */
    knownUntil: instant('known_until'),
    step: smallint('step').notNull(),
    steps: smallint('steps').notNull(),
    levels: doublePrecision('levels').array().notNull(),
    /** Int32 watts, level after level, from the start of the day of issue; -1 where nothing could be said. */
    values: bytes('values').notNull(),
    /** The same as it was learnt, where the edges of the band were moved by what was missed of late. */
    learnt: bytes('learnt'),
    /** Int32 watts. */
    persistence: bytes('persistence').notNull(),
    /** One byte per step: 1 where the announced weather spoke. */
    source: bytes('source').notNull(),
    /** Of a surplus, one byte per step: percent that something is left, 255 where nobody can tell. */
    chance: bytes('chance'),
    /** What errors are parts of: peak power; null for a consumption, which is measured by itself. */
    peakWatts: integer('peak_watts'),
    /** appris, modèle or profil */
    recipe: text('recipe').notNull(),
    version: integer('version').notNull(),
    /** Days that the recipe learnt from. */
    learntDays: integer('learnt_days').notNull(),
    weatherIssuedAt: instant('weather_issued_at'),
    /** Points of which nothing was known: they are in neither side. */
    silent: uuid('silent').array().notNull().default([]),
    /** Said later than that day, with what was known then: the demonstration's own past. */
    rebuilt: boolean('rebuilt').notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    uniqueIndex('issued_forecasts_once').on(t.companyId, t.subjectId, t.kind, t.span, t.issuedOn),
    index('issued_forecasts_operation').on(t.companyId, t.operationId, t.issuedOn),
    check('issued_forecasts_kind', sql`${t.kind} in ('production', 'consumption', 'surplus')`),
    check('issued_forecasts_span', sql`${t.span} in ('near', 'week')`),
  ],
)

/** How a forecast did on one of its days: sums in watts over the same steps for it and for persistence. Follows corrected curves. */
export const forecastScores = pgTable(
  'forecast_scores',
  {
    companyId: integer('company_id').notNull(),
    forecastId: uuid('forecast_id').notNull(),
    day: day('day').notNull(),
    subjectId: uuid('subject_id').notNull(),
    kind: text('kind').notNull(),
    issuedOn: day('issued_on').notNull(),
    /** Days from the issue. */
    lead: smallint('lead').notNull(),
    peakWatts: integer('peak_watts'),
    /** Hours of the day, and those that count. */
    expected: smallint('expected').notNull(),
    steps: smallint('steps').notNull(),
    measured: doublePrecision('measured').notNull(),
    absolute: doublePrecision('absolute').notNull(),
    signed: doublePrecision('signed').notNull(),
    persistence: doublePrecision('persistence').notNull(),
    bandSteps: smallint('band_steps').notNull(),
    covered: smallint('covered').notNull(),
    pinball: doublePrecision('pinball').notNull(),
    /** Of bands that can be missed on either side; empty where it was scored before they were told apart. */
    openSteps: smallint('open_steps'),
    openCovered: smallint('open_covered'),
    /** Of a surplus foreseen the day before: steps of the hours it called the best, and those in which something was left. */
    windowSteps: smallint('window_steps').notNull().default(0),
    windowHits: smallint('window_hits').notNull().default(0),
    scoredAt: instant('scored_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.forecastId, t.day] }),
    foreignKey({
      columns: [t.companyId, t.forecastId],
      foreignColumns: [issuedForecasts.companyId, issuedForecasts.id],
    }),
    index('forecast_scores_subject').on(t.companyId, t.subjectId, t.kind, t.day),
  ],
)
