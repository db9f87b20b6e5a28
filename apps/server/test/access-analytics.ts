import { randomBytes } from 'node:crypto'
import {
  apiKeys,
  connections,
  dataExports,
  exportPlans,
  flowRules,
  plantAmounts,
  reportSchedules,
  reports,
  reportTemplates,
  savedViews,
  webhooks,
} from '../src/db/schema/index.ts'
import type { Owner, ParamsMaker } from './access-makers.ts'
import type { TestServer } from './client.ts'
import { UNKNOWN_ID } from './factories.ts'
import { makeOperation, makeParticipation, makePoint } from './factories-energy.ts'

const VIEW_BODY = { name: 'Prise', search: 'by=months', shared: false }
const AMOUNT_BODY = {
  kind: 'maintenance',
  label: '',
  amount: 12_300,
  every: 'year',
  startsOn: '2026-01-01',
  endsOn: null,
}

export const ANALYTICS_BODIES = {
  'POST /api/analytics/views': VIEW_BODY,
  'PATCH /api/analytics/views/:id': { ...VIEW_BODY, version: 1 },
  'POST /api/plants/:pointId/amounts': AMOUNT_BODY,
  'PATCH /api/plants/amounts/:id': { ...AMOUNT_BODY, version: 1 },
}
const PERIOD_QUERY = { from: '2026-05-01', to: '2026-06-01' }
export const ANALYTICS_QUERIES = {
  'GET /api/analytics/compare': { ...PERIOD_QUERY, by: 'months' },
  'GET /api/analytics/chart': PERIOD_QUERY,
  'GET /api/analytics/shape': PERIOD_QUERY,
  'GET /api/analytics/money': PERIOD_QUERY,
  'GET /api/plants/economies': PERIOD_QUERY,
}

export function analyticsMakers(secret: string): [RegExp, ParamsMaker][] {
  const view: ParamsMaker = async ({ db }, { companyId, id }) => {
    const [row] = await db.insert(savedViews).values({ companyId, createdBy: id, name: secret, search: '' }).returning()
    return { id: row?.id }
  }
  const plant: ParamsMaker = async ({ db }, { companyId }) => {
    const { id: pointId } = await makePoint(db, { companyId, direction: 'production' })
    const { id: operationId } = await makeOperation(db, { companyId })
    await makeParticipation(db, { companyId, operationId, pointId })
    return { pointId }
  }
  const amount: ParamsMaker = async (server, owner) => {
    const { pointId } = await plant(server, owner)
    const values = { ...AMOUNT_BODY, companyId: owner.companyId, pointId: String(pointId), label: secret }
    const [row] = await server.db.insert(plantAmounts).values(values).returning()
    return { id: row?.id }
  }
  return [
    [/^\/api\/analytics\/views\/:id/, view],
    [/^\/api\/plants\/amounts\/:id/, amount],
    [/^\/api\/plants\/:pointId/, plant],
  ]
}

const MONTH_QUERY = { month: '2026-05' }
const EXPORT_REQUEST = { dataSet: 'operations', format: 'csv' }
const UNKNOWN_EXPORT_ID = '00000000-0000-4000-8000-000000000000'

export const EXPORT_BODIES: Record<string, unknown> = {
  'POST /api/exports': EXPORT_REQUEST,
  'POST /api/exports/preview': EXPORT_REQUEST,
  'POST /api/own/tokens': { name: 'Prise', scopes: ['energy.read'] },
  'POST /api/export-plans': { ...EXPORT_REQUEST, name: 'Prise', connectionId: UNKNOWN_EXPORT_ID, period: 'last-month' },
}

/** Queries of the feed, which uses the same data sets. */
export const FEED_QUERIES = Object.fromEntries(
  [
    'readings',
    'allocations',
    'allocation-days',
    'energies',
    'forecasts',
    'invoices',
    'invoice-lines',
    'payments',
    'entries',
    'audit',
    'events',
  ].map((name) => [`GET /api/feed/${name}`, MONTH_QUERY]),
)

/** Data exports and scheduled exports. */
export function exportMakers(SECRET: string): [RegExp, ParamsMaker][] {
  const exportFields = { dataSet: 'operations', format: 'csv', dialect: 'french' }
  const makeExport: ParamsMaker = async ({ db, deps }, { companyId, id: userId }) => {
    const id = crypto.randomUUID()
    const fileKey = `${companyId}/exports/${id}`
    await deps.files.put(fileKey, Buffer.from(SECRET), 'application/zip')
    const expiresAt = new Date(Date.now() + 86_400_000)
    const made = { state: 'done', fileKey, expiresAt, name: SECRET, askedBy: SECRET }
    await db.insert(dataExports).values({ companyId, id, userId, ...exportFields, ...made })
    return { id }
  }
  const makeExportPlan: ParamsMaker = async ({ db, deps }, { companyId, id: makerId }) => {
    const connectionId = crypto.randomUUID()
    const settings = deps.secrets.seal('{}', `connection ${companyId} ${connectionId}`)
    const about = { kind: 'sftp', name: SECRET, settings, state: 'paused', makerId }
    await db.insert(connections).values({ companyId, id: connectionId, ...about })
    const [row] = await db
      .insert(exportPlans)
      .values({ companyId, connectionId, makerId, name: SECRET, period: 'last-month', ...exportFields })
      .returning()
    return { id: row?.id }
  }
  const makeFeedToken: ParamsMaker = async ({ db }, { companyId, id: makerId }) => {
    const about = { name: SECRET, prefix: 'vsl_x', keyHash: randomBytes(32), permissions: ['energy.read'] }
    const [row] = await db
      .insert(apiKeys)
      .values({ companyId, makerId, space: 'portal', ...about })
      .returning()
    return { id: row?.id }
  }
  const makeExportLink: ParamsMaker = async () => ({ token: 'x' })
  return [
    [/^\/api\/export-links/, makeExportLink],
    [/^\/api\/own\/tokens\/:id/, makeFeedToken],
    [/^\/api\/exports\/:id/, makeExport],
    [/^\/api\/export-plans\/:id/, makeExportPlan],
  ]
}

type ReportMakerTools = {
  file: (server: TestServer, companyId: number) => Promise<string>
  operationOf: (server: TestServer, owner: Owner) => Promise<string>
  secret: string
}

/** Reports of an operation, their templates and their schedules. */
export function reportMakers({ file, operationOf, secret }: ReportMakerTools): [RegExp, ParamsMaker][] {
  const report: ParamsMaker = async (server, owner) => {
    const { companyId } = owner
    const content = {
      title: secret,
      subject: { kind: 'operation' as const, name: secret },
      span: 'month' as const,
      period: 'mars 2026',
      brand: { name: secret, colour: '#1e3a8a', contact: '' },
      blocks: [],
      notes: [],
    }
    const about = { preset: 'operation-month', subject: content.subject.kind, span: content.span, period: '2026-03' }
    const place = { operationId: await operationOf(server, owner), fileId: await file(server, companyId) }
    const [row] = await server.db
      .insert(reports)
      .values({ companyId, ...about, ...place, number: 1, content, rights: [], createdBy: secret })
      .returning()
    return { id: row?.id }
  }
  const template: ParamsMaker = async ({ db }, { companyId }) => {
    const name = `${secret} ${crypto.randomUUID()}`
    const blocks = [{ kind: 'figure' as const, source: 'produced' as const }]
    const [row] = await db
      .insert(reportTemplates)
      .values({ companyId, preset: 'operation-month', name, blocks })
      .returning()
    return { id: row?.id }
  }
  const schedule: ParamsMaker = async (server, owner) => {
    const { companyId, id: makerId } = owner
    const when = { day: 3, nextOn: '2030-01-03', recipientIds: [makerId], makerId, createdBy: secret }
    const operationId = await operationOf(server, owner)
    const [row] = await server.db
      .insert(reportSchedules)
      .values({ companyId, preset: 'operation-month', operationId, ...when })
      .returning()
    return { id: row?.id }
  }
  return [
    [/^\/api\/reports\/templates\/:id/, template],
    [/^\/api\/reports\/schedules\/:id/, schedule],
    [/^\/api\/reports\/:id/, report],
  ]
}

const SCHEDULE_TIMES = { month: null, day: 3, recipientIds: [UNKNOWN_ID] }
const REPORT_REQUEST = { template: 'operation-month', subjectId: UNKNOWN_ID, period: '2026-03' }

/** Reports: a valid body for each call, except the tested id. */
export const REPORT_BODIES = {
  'POST /api/reports': REPORT_REQUEST,
  'POST /api/reports/templates': { preset: 'operation-month', name: 'Le nôtre' },
  'PUT /api/reports/templates/:id': { name: 'Pris', blocks: [{ kind: 'figure', source: 'produced' }], version: 1 },
  'POST /api/reports/schedules': { template: 'operation-month', subjectId: UNKNOWN_ID, ...SCHEDULE_TIMES },
  'PUT /api/reports/schedules/:id': { ...SCHEDULE_TIMES, active: true, version: 1 },
}
export const REPORT_QUERIES = {
  'GET /api/reports/preview': REPORT_REQUEST,
  'GET /api/reports/subjects': { kind: 'participant' },
}

/** Webhooks, rules and connections. */
export function eventMakers(SECRET: string): [RegExp, ParamsMaker][] {
  const webhook: ParamsMaker = async ({ db, deps }, { companyId }) => {
    const id = crypto.randomUUID()
    const secret = deps.secrets.seal(SECRET, `webhook ${companyId} ${id}`)
    await db.insert(webhooks).values({ companyId, id, url: 'https://crochet.invalid/', events: [], secret })
    return { id, deliveryId: id }
  }

  const connection: ParamsMaker = async ({ db, deps }, { companyId, id: makerId }) => {
    const id = crypto.randomUUID()
    const settings = deps.secrets.seal(JSON.stringify({ dataSets: 'operations' }), `connection ${companyId} ${id}`)
    await db
      .insert(connections)
      .values({ companyId, id, kind: 'feed', name: SECRET, settings, state: 'active', makerId })
    return { id, runId: id }
  }

  const flowRule: ParamsMaker = async ({ db }, { companyId, id: destinationId }) => {
    const about = { name: SECRET, event: 'operation.created', conditions: [], fields: [], createdBy: 'x' }
    const [row] = await db
      .insert(flowRules)
      .values({ companyId, destination: 'mail', destinationId, ...about })
      .returning()
    return { id: row?.id }
  }

  return [
    [/^\/api\/webhooks\/:id/, webhook],
    [/^\/api\/connections\/:id/, connection],
    [/^\/api\/flows\/rules\/:id/, flowRule],
  ]
}
