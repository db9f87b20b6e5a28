import { billing } from '@voisol/contract/billing'
import type { LineDay, LineStep } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { allocateBillableMonth, type BillableMonth, makeBillableMonth } from '../../../../test/factories-billing.ts'
import { storeMonthQuantities } from '../../../../test/factories-distributor.ts'
import { useServer } from '../../../../test/server.ts'
import { allocationRuns } from '../../../db/schema/index.ts'

const server = useServer()
const sum = (figures: number[]) => figures.reduce((all, figure) => all + figure, 0)
/** The day of a hundred quarter-hours, when the clock goes back. */
const LONG = '2025-10-26'

async function issued(here: BillableMonth) {
  await allocateBillableMonth(server, here)
  const at = { params: { operationId: here.operation.id, month: '2025-10' } }
  await call(
    server,
    billing.close,
    { ...at, body: { reason: 'Essai de l’ouverture des lignes.' } },
    { token: here.token },
  )
  await call(server, billing.issue, at, { token: here.token })
  const { body } = await call(server, invoices.list, { query: {} }, { token: here.token })
  return body.items.map(({ id }: { id: string }) => id)
}
const get = async (here: BillableMonth, id: string) =>
  (await call(server, invoices.get, { params: { id } }, { token: here.token })).body
const daysOf = async (here: BillableMonth, id: string, line: number): Promise<LineDay[]> =>
  (await call(server, invoices.lineDays, { params: { id, line } }, { token: here.token })).body.items
const stepsOf = (here: BillableMonth, id: string, line: number, day: string) =>
  call(server, invoices.lineSteps, { params: { id, line, day } }, { token: here.token })

test('splits a line into days and quarter-hours that add up to the printed amounts', async () => {
  const here = await makeBillableMonth(server)
  const [id] = await issued(here)
  const { snapshot } = await get(here, id)
  for (const [at, line] of snapshot.lines.entries()) {
    const days = await daysOf(here, id, at)
    expect(sum(days.map(({ wh }) => wh))).toBe(line.wh)
    expect(sum(days.map(({ amount }) => amount))).toBe(line.net * 100)
    const own = days.filter(({ day }) => day === LONG)
    const { body } = await stepsOf(here, id, at, LONG)
    expect([body.wh, body.amount]).toEqual([sum(own.map(({ wh }) => wh)), sum(own.map(({ amount }) => amount))])
    expect(sum(body.items.map(({ wh }: LineStep) => wh))).toBe(body.wh)
    expect(sum(body.items.map(({ amount }: LineStep) => amount))).toBe(body.amount)
    for (const step of body.items) expect(step.drawnWh).toBeGreaterThanOrEqual(step.wh - 1)
    expect(body).toMatchObject({ minutes: 15, key: { number: 1, method: 'default' } })
  }
  // Both lines together cover the whole day: no quarter-hour is in both, though some clock times occur twice.
  const both = await Promise.all(snapshot.lines.map((_: unknown, at: number) => stepsOf(here, id, at, LONG)))
  const starts = both.flatMap(({ body }) => body.items.map(({ start }: LineStep) => start))
  expect(new Set(starts).size).toBe(starts.length)
  expect(starts.length).toBeGreaterThan(90)
  expect((await stepsOf(here, id, 0, '2025-11-01')).status).toBe(404)
  expect((await stepsOf(here, id, 9, LONG)).status).toBe(404)

  // When the run is gone, no steps are shown.
  await server.db.delete(allocationRuns).where(eq(allocationRuns.companyId, here.companyId))
  expect((await stepsOf(here, id, 0, LONG)).body).toMatchObject({ items: [], key: null, wh: expect.any(Number) })
})

test('distributes the distributor’s quantity like our own steps, to the line’s total', async () => {
  const here = await makeBillableMonth(server)
  const [first] = here.consumers
  const days = { from: '2025-10-24', to: '2025-11-01' }
  await storeMonthQuantities(server.db, here, first?.id ?? '', { ...days, classes: { HPB: 17, HCB: 5 } })
  const ids: string[] = await issued(here)
  const { rows } = await server.db.execute<{ id: string }>(sql`
    select id from invoices where company_id = ${here.companyId} and snapshot #>> '{lines,0,source}' = 'distributor' limit 1`)
  const id = rows[0]?.id ?? ''
  expect(ids).toContain(id)
  const own = (await daysOf(here, id, 0)).filter(({ day }) => day === LONG)
  const { body } = await stepsOf(here, id, 0, LONG)
  expect(body.items.length).toBeGreaterThan(4)
  expect(sum(body.items.map(({ wh }: LineStep) => wh))).toBe(sum(own.map(({ wh }) => wh)))
})
