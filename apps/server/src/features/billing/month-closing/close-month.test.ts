import { type BillingMonth, billing } from '@voisol/contract/billing'
import { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  allocateBillableMonth,
  type BillableMonth,
  makeAdoptedTariff,
  makeBillableMonth,
} from '../../../../test/factories-billing.ts'
import { storeMonthQuantities } from '../../../../test/factories-distributor.ts'
import { useServer } from '../../../../test/server.ts'
import { billingComputations, billingMonths, invoices, participants, participations } from '../../../db/schema/index.ts'
import { findClosedMonth, loadComputation, packMonth } from './index.ts'

const server = useServer()
const params = ({ operation }: BillableMonth) => ({ operationId: operation.id, month: '2025-10' })
const close = (here: BillableMonth, token = here.token) =>
  call(server, billing.close, { params: params(here), body: {} }, { token })
const preview = async (here: BillableMonth) =>
  (await call(server, billing.preview, { params: params(here), query: {} }, { token: here.token })).body

test('lets one of two simultaneous closes succeed and refuses the other', async () => {
  const here = await makeBillableMonth(server)
  await allocateBillableMonth(server, here)
  const other = await makeUser(server.db, { companyId: here.companyId })
  const answers = await Promise.all([close(here), close(here, other.token)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const rows = await server.db.select().from(billingMonths).where(eq(billingMonths.companyId, here.companyId))
  expect(rows).toHaveLength(1)
  const kept = await server.db
    .select()
    .from(billingComputations)
    .where(eq(billingComputations.companyId, here.companyId))
  expect(kept).toHaveLength(1)
  // Read back and packed again, the computation has the same hash.
  const month = await findClosedMonth(server.db, here.companyId, here.operation.id, '2025-10')
  if (!month) throw new Error('no month')
  const stored = await loadComputation(server.db, month)
  expect((await packMonth(stored)).hash).toBe(kept[0]?.hash)
})

test('invoices two holders of one meter within a month, to the watt-hour', async () => {
  const here = await makeBillableMonth(server)
  const { companyId, operation } = here
  const pointId = here.consumers[0]?.id ?? ''
  const place = { address: '4 quai Rambaud', postalCode: '69002', city: 'Lyon' }
  const [heir] = await server.db
    .insert(participants)
    .values({ companyId, kind: 'person', name: 'Nouvelle', ...place })
    .returning()
  await server.db.execute(sql`
    update participations set ends_on = '2025-10-27' where company_id = ${companyId} and point_id = ${pointId}`)
  await server.db.insert(participations).values({
    companyId,
    operationId: operation.id,
    pointId,
    participantId: heir?.id ?? '',
    startsOn: '2025-10-27',
  })
  await allocateBillableMonth(server, here)
  const { documents, sums } = await preview(here)
  expect(documents).toHaveLength(8)
  expect([sums.linesWh, sums.membersWh]).toEqual([sums.operationWh, sums.operationWh])
  await close(here)
  await call(server, billing.issue, { params: params(here) }, { token: here.token })
  const rows = await server.db
    .select()
    .from(invoices)
    .where(eq(invoices.buyerId, heir?.id ?? ''))
  expect(rows).toHaveLength(2)
  const { points } = InvoiceSnapshot.parse(rows[0]?.snapshot)
  expect(points[0]?.days.map(({ day }) => day)).toEqual(['27', '28', '29', '30', '31'].map((day) => `2025-10-${day}`))
})

test('bills the distributor’s quantities when they cover every day, with ours beside them', async () => {
  const here = await makeBillableMonth(server)
  await allocateBillableMonth(server, here)
  const before = await preview(here)
  const days = { from: '2025-10-24', to: '2025-11-01' }
  const [first, second] = here.consumers
  await storeMonthQuantities(server.db, here, first?.id ?? '', { ...days, classes: { HPB: 17, HCB: 5 } })
  await storeMonthQuantities(server.db, here, second?.id ?? '', { ...days, to: '2025-10-31', classes: { HPB: 9 } })
  const after = await preview(here)
  expect(after.sums.distributorWh).toBe(22_000)
  expect(after.sums.linesWh).toBe(after.sums.operationWh)
  expect(after.sums.oursWh + after.sums.oursForThemWh).toBeGreaterThanOrEqual(before.sums.operationWh - 1)
  const { body } = await call(server, billing.check, { params: params(here), query: {} }, { token: here.token })
  expect(body.items.map(({ code }: { code: string }) => code)).toContain('partlyCovered')
})

test('lists months by state, and simulates a tariff on one of them', async () => {
  const here = await makeBillableMonth(server)
  await allocateBillableMonth(server, here)
  const ask = () => call(server, billing.months, { query: { operationId: here.operation.id } }, { token: here.token })
  const stateOf = async () => (await ask()).body.items.find(({ month }: BillingMonth) => month === '2025-10')
  expect(await stateOf()).toMatchObject({ state: 'ready', missing: '', totals: null })
  const lists = (await ask()).body.items.map(({ month }: BillingMonth) => month)
  expect([lists.at(-1), lists.at(-2)]).toEqual(['2025-10', '2025-11'])
  const { totals, documents } = await preview(here)
  const draft = await makeAdoptedTariff(server.db, here, [{ id: 'double', price: 2038 }], '2027-01-01')
  const body = { operationId: here.operation.id, month: '2025-10', tariffId: draft.id }
  const tried = await call(server, billing.simulate, { body }, { token: here.token })
  expect(tried.body.totals.net).toBe(totals.net)
  expect(tried.body.members).toHaveLength(3)
  expect(tried.body.totals.simulatedNet).toBeGreaterThan(totals.net)
  expect(documents).toHaveLength(6)
  await close(here)
  expect(await stateOf()).toMatchObject({ state: 'closed', totals })
})
