import { randomBytes } from 'node:crypto'
import { apiKeys, connections, dataExports, exportPlans } from '../src/db/schema/index.ts'
import type { ParamsMaker } from './access-makers.ts'

const MONTH_QUERY = { month: '2026-05' }
const EXPORT_REQUEST = { dataSet: 'operations', format: 'csv' }
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

export const EXPORT_BODIES: Record<string, unknown> = {
  'POST /api/exports': EXPORT_REQUEST,
  'POST /api/exports/preview': EXPORT_REQUEST,
  'POST /api/own/tokens': { name: 'Prise', scopes: ['energy.read'] },
  'POST /api/export-plans': { ...EXPORT_REQUEST, name: 'Prise', connectionId: UNKNOWN_ID, period: 'last-month' },
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
