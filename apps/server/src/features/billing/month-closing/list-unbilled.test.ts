import { billing, type ToBill } from '@voisol/contract/billing'
import { invoices } from '@voisol/contract/invoices'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { allocateBillableMonth, type BillableMonth, makeBillableMonth } from '../../../../test/factories-billing.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
const MONTHS = { from: '2025-09-28', to: '2025-11-05' }
const at = ({ operation }: BillableMonth, month: string) => ({ params: { operationId: operation.id, month } })
const toBill = async (here: BillableMonth, token = here.token): Promise<ToBill> =>
  (await call(server, billing.toBill, { query: {} }, { token })).body
const close = (here: BillableMonth, month: string) =>
  call(server, billing.close, { ...at(here, month), body: {} }, { token: here.token })
const issue = (here: BillableMonth, month: string) =>
  call(server, billing.issue, at(here, month), { token: here.token })
const preview = async (here: BillableMonth, month: string) =>
  (await call(server, billing.preview, { ...at(here, month), query: {} }, { token: here.token })).body
const figures = async (here: BillableMonth) =>
  (await call(server, invoices.figures, { query: { from: '2025-09-14', to: '2025-11-03' } }, { token: here.token }))
    .body
const patrimonial = ({ companyId, operation }: BillableMonth, is: boolean) =>
  server.db.execute(sql`
    insert into operation_billing (company_id, operation_id, patrimonial) values (${companyId}, ${operation.id}, ${is})
    on conflict (company_id, operation_id) do update set patrimonial = ${is}`)

test('lists nothing to invoice before the first issue, then the amounts of the preview', async () => {
  const here = await makeBillableMonth(server, MONTHS)
  await allocateBillableMonth(server, here, MONTHS)
  expect(await toBill(here)).toEqual({ months: [], buyers: [], total: { wh: 0, net: 0, gross: 0 }, more: 0 })
  expect(await figures(here)).toMatchObject({ none: true, months: [], lastYear: null, open: 0, overdue: 0 })
  const [september, october] = [await preview(here, '2025-09'), await preview(here, '2025-10')]
  await close(here, '2025-09')
  await issue(here, '2025-09')

  // Only four days of November have readings, which is not a month to close.
  const after = await toBill(here)
  const { wh, net, gross, documents } = october.totals
  expect(after.months).toEqual([
    {
      operation: { id: here.operation.id, name: here.operation.name },
      month: '2025-10',
      state: 'ready',
      documents,
      wh,
      net,
      gross,
    },
  ])
  expect(after.total).toEqual({ wh, net, gross })
  const own = october.documents.filter(({ buyer }: { buyer: { id: string } }) => buyer.id === after.buyers[0]?.id)
  expect(own.length).toBe(2)
  expect(after.buyers[0]?.gross).toBe(own.reduce((sum: number, one: { gross: number }) => sum + one.gross, 0))

  const stranger = await makeUser(server.db)
  expect((await toBill(here, stranger.token)).months).toEqual([])
  // In a patrimonial operation energy is not billed to anybody.
  await patrimonial(here, true)
  expect((await toBill(here)).months).toEqual([])
  await patrimonial(here, false)

  await close(here, '2025-10')
  expect((await toBill(here)).months).toMatchObject([{ month: '2025-10', state: 'closed', gross }])
  // A closed month keeps its amounts, whatever the prices are now.
  await server.db.execute(sql`update tariffs set rules = '[]' where company_id = ${here.companyId}`)
  expect((await toBill(here)).total).toEqual({ wh, net, gross })
  await issue(here, '2025-10')
  expect(await toBill(here)).toMatchObject({ months: [], buyers: [], more: 0 })

  const billed = await figures(here)
  expect(billed).toMatchObject({ none: false, from: '2025-09-01', to: '2025-12-01', open: billed.total.gross })
  expect(billed.months).toMatchObject([
    { month: '2025-09-01', gross: september.totals.gross, wh: september.totals.wh },
    { month: '2025-10-01', gross, net, wh },
  ])
  const { body: accounts } = await call(server, invoices.accounts, { query: {} }, { token: here.token })
  const sum = accounts.items.reduce((all: number, { billed: own }: { billed: number }) => all + own, 0)
  expect(sum).toBe(billed.total.gross)
})

test('leaves out a month before the first issued one as billed elsewhere', async () => {
  const here = await makeBillableMonth(server, MONTHS)
  await allocateBillableMonth(server, here, MONTHS)
  await close(here, '2025-10')
  await issue(here, '2025-10')
  const query = { operationId: here.operation.id }
  const { body } = await call(server, billing.months, { query }, { token: here.token })
  const states = body.items.map(({ month, state }: { month: string; state: string }) => [month, state])
  expect(states).toContainEqual(['2025-09', 'ready'])
  expect(await toBill(here)).toMatchObject({ months: [], buyers: [], more: 0 })
})
