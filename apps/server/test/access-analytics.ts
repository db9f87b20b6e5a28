import { plantAmounts, savedViews } from '../src/db/schema/index.ts'
import type { ParamsMaker } from './access-makers.ts'
import { makeOperation } from './factories-operations.ts'
import { makeParticipation, makePoint } from './factories-participants.ts'

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
