import { billing } from '@voisol/contract/billing'
import { corrections } from '@voisol/contract/corrections'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { allocateBillableMonth, makeBillableMonth } from '../../../../test/factories-billing.ts'
import { storeMonthQuantities } from '../../../../test/factories-distributor.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { events } from '../../../db/schema/index.ts'
import { recordNewQuantities } from '../../enedis/reconciliation/index.ts'

const server = useServer()

test('proposes a correction as soon as Enedis publishes quantities for an issued month', async () => {
  const here = await makeBillableMonth(server)
  const auth = { token: here.token }
  const { companyId, operation } = here
  await allocateBillableMonth(server, here)
  const params = { operationId: operation.id, month: '2025-10' }
  await call(server, billing.close, { params, body: {} }, auth)
  await call(server, billing.issue, { params }, auth)
  await waitForJobs(server)
  const month = { from: '2025-10-01', to: '2025-11-01' }
  const classes = { 'Heures Pleines Saison Basse': 7, 'Heures Creuses Saison Basse': 3 }
  const [pointId = '', otherId = ''] = here.consumers.map(({ id }) => id)
  await storeMonthQuantities(server.db, here, pointId, { ...month, classes })
  const news = [
    { operationId: operation.id, pointId, ...month },
    { operationId: operation.id, pointId, from: '2025-09-01', to: '2025-10-01' },
    { operationId: operation.id, pointId: otherId, ...month },
  ]
  const by = { job: 'sync.run', secrets: server.deps.secrets }
  await recordNewQuantities(server.db, companyId, news, by)
  const told = await server.db
    .select()
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.name, 'quantities.received')))
  expect(told.map(({ object, data }) => [object, data])).toEqual([
    [operation.id, { operationId: operation.id, points: 2, from: '2025-09-01', to: '2025-11-01' }],
  ])
  await waitForJobs(server)
  const { body } = await call(server, corrections.list, { query: {} }, auth)
  expect(body.items).toMatchObject([{ state: 'open', causes: ['quantities'], month: '2025-10-01' }])
})
