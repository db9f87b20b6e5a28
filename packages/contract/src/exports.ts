import { z } from 'zod'
import { DATA_SET_IDS } from './data-sets.ts'
import { defineEndpoint } from './endpoint.ts'
import { DataColumn } from './feed.ts'
import { buildPageSchema, Day, Id, Instant, ListQuery, SuccessReply, Text, Version } from './primitives.ts'

export const ExportFormat = z.enum(['csv', 'xlsx', 'json', 'jsonl', 'parquet'])
export type ExportFormat = z.infer<typeof ExportFormat>
/** CSV dialect: as French spreadsheets open it, or by RFC 4180. */
export const CsvDialect = z.enum(['french', 'rfc'])
export type CsvDialect = z.infer<typeof CsvDialect>
const DataSetId = z.enum(DATA_SET_IDS)

const filterFields = { operationId: Id.nullable().default(null), participantId: Id.nullable().default(null) }
const formatFields = { format: ExportFormat, dialect: CsvDialect.default('french') }
/** Days from `from` up to but excluding `until`; both null where the set has no period. */
const periodFields = { from: Day.nullable().default(null), to: Day.nullable().default(null) }

export const NewExport = z.strictObject({ dataSet: DataSetId, ...periodFields, ...filterFields, ...formatFields })
export type NewExport = z.output<typeof NewExport>

const ExportState = z.enum(['waiting', 'running', 'done', 'failed', 'cancelled', 'expired'])
export const DataExport = z.object({
  id: Id,
  dataSet: DataSetId,
  label: z.string(),
  from: Day.nullable(),
  to: Day.nullable(),
  operation: z.object({ id: Id, name: z.string() }).nullable(),
  participant: z.object({ id: Id, name: z.string() }).nullable(),
  format: ExportFormat,
  dialect: CsvDialect,
  name: z.string(),
  state: ExportState,
  /** Rows written so far, and expected in total. */
  rows: z.int(),
  expected: z.int(),
  bytes: z.int(),
  failure: z.string(),
  askedBy: z.string(),
  createdAt: Instant,
  endedAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
  version: Version,
})
export type DataExport = z.infer<typeof DataExport>

/** The days that a scheduled export covers, relative to the day on which it runs. */
const ExportPlanPeriod = z.enum(['yesterday', 'last-week', 'last-month', 'month-to-date'])
const planFields = {
  name: Text.max(60),
  connectionId: Id,
  period: ExportPlanPeriod,
  dataSet: DataSetId,
  ...filterFields,
  ...formatFields,
}
export const NewExportPlan = z.strictObject(planFields)
export const ExportPlan = z.object({
  ...planFields,
  id: Id,
  label: z.string(),
  connection: z.string(),
  /** From its connection: how often, and when next. */
  schedule: z.string(),
  nextRunAt: Instant.nullable(),
  /** Why it no longer runs; empty when it does. */
  trouble: z.string(),
  createdAt: Instant,
  version: Version,
})
export type ExportPlan = z.infer<typeof ExportPlan>

const readAccess = { permission: 'exports.read' } as const
const writeAccess = { permission: 'exports.write' } as const
const params = z.object({ id: Id })

export const dataExports = {
  sets: defineEndpoint({
    method: 'GET',
    path: '/api/exports/data-sets',
    access: readAccess,
    summary: 'Lire les jeux de données qui s’exportent',
    response: z.object({
      items: z.array(
        z.object({
          id: DataSetId,
          label: z.string(),
          about: z.string(),
          period: z.boolean(),
          operation: z.boolean(),
          participant: z.boolean(),
          columns: z.array(DataColumn),
        }),
      ),
      /** The connections a scheduled export can be sent through. */
      connections: z.array(z.object({ id: Id, name: z.string() })),
    }),
  }),
  preview: defineEndpoint({
    method: 'POST',
    path: '/api/exports/preview',
    access: readAccess,
    audit: 'none',
    summary: 'Voir les premières lignes d’un export',
    body: NewExport,
    response: z.object({
      columns: z.array(DataColumn),
      rows: z.array(z.array(z.string())),
      /** Expected number of rows: exact where cheap to count. */
      expected: z.int(),
      /** Why this export is refused; empty when it is possible. */
      refusal: z.string(),
    }),
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/api/exports',
    access: readAccess,
    summary: 'Lister ses exports',
    query: ListQuery.extend({ state: ExportState.optional() }),
    response: buildPageSchema(DataExport),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/exports',
    access: writeAccess,
    lapsed: true,
    summary: 'Exporter des données',
    body: NewExport,
    response: DataExport,
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/exports/:id',
    access: readAccess,
    summary: 'Lire un export',
    params,
    response: DataExport,
  }),
  cancel: defineEndpoint({
    method: 'POST',
    path: '/api/exports/:id/cancel',
    access: writeAccess,
    lapsed: true,
    summary: 'Annuler un export',
    params,
    response: DataExport,
  }),
  again: defineEndpoint({
    method: 'POST',
    path: '/api/exports/:id/again',
    access: writeAccess,
    lapsed: true,
    summary: 'Refaire un export',
    params,
    response: DataExport,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/exports/:id',
    access: writeAccess,
    lapsed: true,
    summary: 'Supprimer un export',
    params,
    response: SuccessReply,
  }),
  file: defineEndpoint({
    method: 'GET',
    path: '/api/exports/:id/file',
    access: readAccess,
    summary: 'Télécharger un export',
    params,
    response: { file: 'application/octet-stream' },
    timeout: 3600,
  }),
  link: defineEndpoint({
    method: 'POST',
    path: '/api/exports/:id/link',
    access: writeAccess,
    lapsed: true,
    summary: 'Créer un lien vers un export',
    params,
    response: z.object({ url: z.string(), expiresAt: Instant }),
  }),
  linked: defineEndpoint({
    method: 'GET',
    path: '/api/export-links/:token',
    access: 'public',
    summary: 'Télécharger un export par son lien',
    params: z.object({ token: z.string().max(200) }),
    response: { file: 'application/octet-stream' },
    timeout: 3600,
  }),
  plans: defineEndpoint({
    method: 'GET',
    path: '/api/export-plans',
    access: readAccess,
    summary: 'Lister les exports réguliers',
    response: z.object({ items: z.array(ExportPlan) }),
  }),
  plan: defineEndpoint({
    method: 'POST',
    path: '/api/export-plans',
    access: writeAccess,
    summary: 'Prévoir un export régulier',
    body: NewExportPlan,
    response: ExportPlan,
  }),
  unplan: defineEndpoint({
    method: 'DELETE',
    path: '/api/export-plans/:id',
    access: writeAccess,
    summary: 'Arrêter un export régulier',
    params,
    response: SuccessReply,
  }),
}
