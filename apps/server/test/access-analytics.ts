import { plantAmounts, savedViews } from '../src/db/schema/index.ts'
import type { Make } from './access-makers.ts'
import { makeOperation } from './factories-operations.ts'
import { makeParticipation, makePoint } from './factories-participants.ts'

const VIEW = { name: 'Prise', search: 'by=months', shared: false }
const AMOUNT = {
  kind: 'maintenance',
  label: '',
  amount: 12_300,
  every: 'year',
  startsOn: '2026-01-01',
  endsOn: null,
}

export const ANALYTICS_BODIES = {
  'POST /api/analytics/views': VIEW,
  'PATCH /api/analytics/views/:id': { ...VIEW, version: 1 },
  'POST /api/plants/:pointId/amounts': AMOUNT,
  'PATCH /api/plants/amounts/:id': { ...AMOUNT, version: 1 },
}
const DAYS = { from: '2026-05-01', to: '2026-06-01' }
export const ANALYTICS_QUERIES = {
  'GET /api/analytics/compare': { ...DAYS, by: 'months' },
  'GET /api/analytics/chart': DAYS,
  'GET /api/analytics/shape': DAYS,
  'GET /api/analytics/money': DAYS,
  'GET /api/plants/economies': DAYS,
}

export function analyticsMakers(secret: string): [RegExp, Make][] {
  const view: Make = async ({ db }, { companyId, id }) => {
    const [row] = await db.insert(savedViews).values({ companyId, createdBy: id, name: secret, search: '' }).returning()
    return { id: row?.id }
  }
  const plant: Make = async ({ db }, { companyId }) => {
    const { id: pointId } = await makePoint(db, { companyId, direction: 'production' })
    const { id: operationId } = await makeOperation(db, { companyId })
    await makeParticipation(db, { companyId, operationId, pointId })
    return { pointId }
  }
  const amount: Make = async (server, owner) => {
    const { pointId } = await plant(server, owner)
    const values = { ...AMOUNT, companyId: owner.companyId, pointId: String(pointId), label: secret }
    const [row] = await server.db.insert(plantAmounts).values(values).returning()
    return { id: row?.id }
  }
  return [
    [/^\/api\/analytics\/views\/:id/, view],
    [/^\/api\/plants\/amounts\/:id/, amount],
    [/^\/api\/plants\/:pointId/, plant],
  ]
}
