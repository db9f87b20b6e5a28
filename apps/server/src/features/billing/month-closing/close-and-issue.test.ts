import type { CheckItem } from '@voisol/contract/billing'
import { billing } from '@voisol/contract/billing'
import type { DraftDocument } from '@voisol/contract/billing-documents'
import { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { addRatios, formatRatio, parseRatio, ZERO } from '@voisol/money/exact-numbers'
import { asc, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { allocateBillableMonth, type BillableMonth, makeBillableMonth } from '../../../../test/factories-billing.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries, billingComputations, billingMonths, events, invoices } from '../../../db/schema/index.ts'

const server = useServer()
const MONTH = '2025-10'
const sum = (figures: number[]) => figures.reduce((all, figure) => all + figure, 0)
const at = ({ operation }: BillableMonth, month = MONTH) => ({ operationId: operation.id, month })
const ask = (here: BillableMonth, endpoint: typeof billing.check | typeof billing.preview | typeof billing.rehearsal) =>
  call(server, endpoint, { params: at(here), query: {} }, { token: here.token })
const close = (here: BillableMonth, body = {}) =>
  call(server, billing.close, { params: at(here), body }, { token: here.token })
const issue = (here: BillableMonth) => call(server, billing.issue, { params: at(here) }, { token: here.token })
const levels = (items: CheckItem[], level: string) =>
  items.filter((item) => item.level === level).map(({ code }) => code)

test('closes a checked month once and issues it once, with matching sums', async () => {
  const here = await makeBillableMonth(server)
  await allocateBillableMonth(server, here)
  const { body: check } = await ask(here, billing.check)
  expect([levels(check.items, 'blocking'), levels(check.items, 'warning')]).toEqual([[], []])
  expect([check.state, check.canClose, check.needsReason, check.missing]).toEqual(['ready', true, false, ''])

  const { body: preview } = await ask(here, billing.preview)
  const { rows } = await server.db.execute<{ energy: string }>(
    sql`select sum(energy) as energy from allocation_pairs where company_id = ${here.companyId}`,
  )
  const whole = Math.round(Number(rows[0]?.energy) / 60)
  expect(preview.sums).toEqual({
    linesWh: whole,
    membersWh: whole,
    operationWh: whole,
    distributorWh: 0,
    oursForThemWh: 0,
    oursWh: whole,
  })
  expect(preview.documents).toHaveLength(6)
  expect(sum(preview.documents.map(({ net }: DraftDocument) => net))).toBe(preview.totals.net)
  expect(preview.totals).toMatchObject({ documents: 6, members: 3, wh: whole })
  expect(preview.totals.gross).toBe(preview.totals.net + preview.totals.tax)

  const closed = await close(here)
  expect([closed.status, closed.body.state, closed.body.totals]).toEqual([200, 'closed', preview.totals])
  const again = await close(here)
  expect([again.status, again.body.message]).toEqual([409, expect.stringContaining('octobre 2025 est déjà clos')])
  expect(await issue(here)).toMatchObject({ status: 200, body: { issued: 6, already: 0 } })
  expect(await issue(here)).toMatchObject({ status: 200, body: { issued: 0, already: 6 } })
  const { body: after } = await ask(here, billing.check)
  expect([after.state, after.canClose, after.totals]).toEqual(['issued', false, preview.totals])
  const told = await server.db.select().from(events).where(eq(events.companyId, here.companyId))
  expect(told.filter(({ name }) => name === 'month.closed')).toHaveLength(1)
})

test('issues exactly what the close froze: lines, meters, mentions, sources', async () => {
  const here = await makeBillableMonth(server)
  const run = await allocateBillableMonth(server, here)
  const { body: preview } = await ask(here, billing.preview)
  await close(here)
  await issue(here)
  const rows = await server.db
    .select()
    .from(invoices)
    .where(eq(invoices.companyId, here.companyId))
    .orderBy(asc(invoices.number))
  expect(rows.map(({ net }) => net).sort()).toEqual(preview.documents.map(({ net }: DraftDocument) => net).sort())
  for (const row of rows) {
    const snapshot = InvoiceSnapshot.parse(row.snapshot)
    expect(snapshot).toMatchObject({ kind: 'invoice', typeCode: 380, from: '2025-10-01', to: '2025-11-01' })
    expect(snapshot.lines.map(({ label }) => label)).toEqual([
      'Énergie locale — Tarif voisin',
      'Énergie locale, heures pleines, saison basse — Heures pleines',
    ])
    const [point] = snapshot.points
    expect(sum((point?.days ?? []).map(({ localWh }) => localWh))).toBe(point?.localWh)
    expect([point?.days.length, point?.source]).toEqual([8, 'definitive'])
    expect(point?.totalWh).toBeGreaterThan(point?.localWh ?? 0)
    expect(snapshot.mentions.map(({ name }) => name)).toEqual([
      'mention.mandate',
      'mention.category',
      'mention.acciseZero',
      'mention.complement',
      'mention.discount',
    ])
    expect(snapshot.mentions[0]?.text).toContain(`au nom et pour le compte de ${snapshot.seller.name}`)
    expect(snapshot.seller.iban).toBe('FR7630006000011234567890189')
    expect(snapshot.sources.runs).toMatchObject([{ id: run.id, resultHash: run.resultHash }])
    expect([snapshot.sources.keys.length, snapshot.sources.tariffs.length]).toEqual([1, 1])
  }
})

test('explains a document by steps and days that add up exactly', async () => {
  const here = await makeBillableMonth(server)
  await allocateBillableMonth(server, here)
  const { body: preview } = await ask(here, billing.preview)
  const [document] = preview.documents
  const query = { seller: document.seller.id, buyer: document.buyer.id }
  const { body } = await call(server, billing.document, { params: at(here), query }, { token: here.token })
  expect([body.totals.net, body.lines.length]).toEqual([document.net, document.lines])
  for (const { line, steps, days } of body.lines) {
    expect(steps.at(-1).result).toBe(line.net)
    const energy = days.reduce(
      (all: typeof ZERO, day: { wattMinutes: string }) => addRatios(all, parseRatio(day.wattMinutes)),
      ZERO,
    )
    expect(formatRatio(energy)).toBe(line.wattMinutes)
  }
  const nobody = { seller: document.buyer.id, buyer: document.seller.id }
  expect(
    (await call(server, billing.document, { params: at(here), query: nobody }, { token: here.token })).status,
  ).toBe(404)
})

test('closes provisional figures only with a reason, and keeps it in the audit log', async () => {
  const here = await makeBillableMonth(server)
  await allocateBillableMonth(server, here, undefined, 'provisional')
  const { body: check } = await ask(here, billing.check)
  expect([levels(check.items, 'warning'), check.canClose, check.needsReason]).toEqual([['provisional'], true, true])
  const bare = await close(here)
  expect([bare.status, bare.body.issues.map(({ path }: { path: string }) => path)]).toEqual([
    422,
    ['reason', 'provisional'],
  ])
  expect(await close(here, { reason: 'trop court' })).toMatchObject({ status: 200 })
  const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, here.companyId))
  const entry = entries.find(({ action }) => action.includes('/close') && action.includes('POST'))
  expect(entry?.target).toContain('clos malgré des réserves\u00a0: trop court')
  await issue(here)
  const [row] = await server.db.select().from(invoices).where(eq(invoices.companyId, here.companyId))
  expect(InvoiceSnapshot.parse(row?.snapshot).mentions.map(({ name }) => name)).toContain('source.provisional')
})

test('lists every blocking issue at once and stores nothing', async () => {
  const here = await makeBillableMonth(server, { tariffFrom: '2025-10-27' })
  await allocateBillableMonth(server, here, { from: '2025-10-24', to: '2025-10-30' })
  await server.db.execute(
    sql`update billing_mandates set ends_on = '2025-12-01' where seller_id = ${here.vendors[0]?.id}`,
  )
  await server.db.execute(sql`update sellers set address = '' where id = ${here.vendors[1]?.id}`)
  const { body: check } = await ask(here, billing.check)
  expect(levels(check.items, 'blocking')).toEqual(['daysWithoutRun', 'noTariff', 'seller-mandate', 'seller-address'])
  expect(check.items.every(({ href, level }: CheckItem) => level === 'ok' || href)).toBe(true)
  expect([check.state, check.canClose, check.missing.includes('autres points')]).toEqual(['open', false, true])
  const refused = await close(here, { reason: 'parce que c’est pressé' })
  expect([refused.status, refused.body.issues.map(({ path }: { path: string }) => path)]).toEqual([
    422,
    ['daysWithoutRun', 'noTariff', 'seller-mandate', 'seller-address'],
  ])
  expect((await ask(here, billing.preview)).status).toBe(409)
  expect(await server.db.select().from(billingMonths).where(eq(billingMonths.companyId, here.companyId))).toEqual([])
})

test('runs the whole close in a dry run and writes nothing', async () => {
  const here = await makeBillableMonth(server)
  await allocateBillableMonth(server, here)
  const { body } = await ask(here, billing.rehearsal)
  expect([body.check.canClose, body.preview.rehearsal, body.preview.documents.length]).toEqual([true, true, 6])
  const count = await server.db
    .select()
    .from(billingComputations)
    .where(eq(billingComputations.companyId, here.companyId))
  expect(count).toEqual([])
})
