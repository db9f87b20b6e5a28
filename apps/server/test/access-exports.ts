import { randomBytes } from 'node:crypto'
import { apiKeys, connections, dataExports, exportPlans } from '../src/db/schema/index.ts'
import type { Make } from './access-makers.ts'

const MONTH = { month: '2026-05' }
const EXPORT = { dataSet: 'operations', format: 'csv' }
const NOBODY = '00000000-0000-4000-8000-000000000000'

export const EXPORT_BODIES: Record<string, unknown> = {
  'POST /api/exports': EXPORT,
  'POST /api/exports/preview': EXPORT,
  'POST /api/own/tokens': { name: 'Prise', scopes: ['energy.read'] },
  'POST /api/export-plans': { ...EXPORT, name: 'Prise', connectionId: NOBODY, period: 'last-month' },
}

/** Of the feed, which is made of the same sets. */
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
  ].map((name) => [`GET /api/feed/${name}`, MONTH]),
)

/** What somebody took away, and what they have sent. */
export function exportMakers(SECRET: string): [RegExp, Make][] {
  const what = { dataSet: 'operations', format: 'csv', dialect: 'french' }
  const taken: Make = async ({ db, deps }, { companyId, id: userId }) => {
    const id = crypto.randomUUID()
    const fileKey = `${companyId}/exports/${id}`
    await deps.files.put(fileKey, Buffer.from(SECRET), 'application/zip')
    const expiresAt = new Date(Date.now() + 86_400_000)
    const made = { state: 'done', fileKey, expiresAt, name: SECRET, askedBy: SECRET }
    await db.insert(dataExports).values({ companyId, id, userId, ...what, ...made })
    return { id }
  }
  const planned: Make = async ({ db, deps }, { companyId, id: makerId }) => {
    const connectionId = crypto.randomUUID()
    const settings = deps.secrets.seal('{}', `connection ${companyId} ${connectionId}`)
    const about = { kind: 'sftp', name: SECRET, settings, state: 'paused', makerId }
    await db.insert(connections).values({ companyId, id: connectionId, ...about })
    const [row] = await db
      .insert(exportPlans)
      .values({ companyId, connectionId, makerId, name: SECRET, period: 'last-month', ...what })
      .returning()
    return { id: row?.id }
  }
  const token: Make = async ({ db }, { companyId, id: makerId }) => {
    const about = { name: SECRET, prefix: 'vsl_x', keyHash: randomBytes(32), permissions: ['energy.read'] }
    const [row] = await db
      .insert(apiKeys)
      .values({ companyId, makerId, space: 'portal', ...about })
      .returning()
    return { id: row?.id }
  }
  const link: Make = async () => ({ token: 'x' })
  return [
    [/^\/api\/export-links/, link],
    [/^\/api\/own\/tokens\/:id/, token],
    [/^\/api\/exports\/:id/, taken],
    [/^\/api\/export-plans\/:id/, planned],
  ]
}
