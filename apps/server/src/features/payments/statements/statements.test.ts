import { statements } from '@voisol/contract/statements'
import { extractPdfText } from '@voisol/documents/testing/pdf-text'
import { and, eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeIssuedInvoice } from '../../../../test/factories-billing.ts'
import { issueMonthDocuments, makeMonthFixture, makeSellerWithVat } from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'
import { invoices, operationBilling, producerStatements, sellers } from '../../../db/schema/index.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())

const itIs = (day: string) =>
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from(day))

const FEES = [
  { kind: 'perKwh', price: 137 },
  { kind: 'percentNet', bp: 333 },
  { kind: 'fixed', amount: 271 },
]

/** The month of May, issued on 4 June, of a producer who pays the organiser management fees. */
async function makeSoldMonth({ organised = true } = {}) {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const world = await makeMonthFixture(server.db, { companyId, members: 3 })
  const organiser = await makeSellerWithVat(server.db, { companyId, name: 'Association des Tilleuls' })
  await server.db
    .update(sellers)
    .set({ managementFees: FEES, managementFeeRate: 2000 })
    .where(and(eq(sellers.companyId, companyId), eq(sellers.id, world.seller.id)))
  if (organised)
    await server.db
      .insert(operationBilling)
      .values({ companyId, operationId: world.operation.id, organiserId: organiser.id })
  itIs('2026-06-04')
  await issueMonthDocuments(server.db, world)
  const params = { sellerId: world.seller.id, month: '2026-06' }
  const auth = { token: admin.token }
  return { admin, auth, world, organiser, companyId, params }
}
const documentsOf = (companyId: number) =>
  server.db.select().from(invoices).where(eq(invoices.companyId, companyId)).orderBy(invoices.number)

test('computes a month of issue as its documents minus the organiser’s fees', async () => {
  const { auth, companyId, world } = await makeSoldMonth()
  const { items } = (await call(server, statements.list, { query: { month: '2026-06' } }, auth)).body
  expect(items).toHaveLength(1)
  const [statement] = items
  const rows = await documentsOf(companyId)
  const sum = (name: 'wh' | 'net' | 'tax' | 'gross') => rows.reduce((all, row) => all + row[name], 0)
  const [wh, net] = [sum('wh'), sum('net')]
  expect(statement).toMatchObject({
    seller: world.seller.name,
    documents: 3,
    sales: { wh, net, tax: sum('tax'), gross: sum('gross') },
    collected: null,
    payable: null,
    settled: null,
  })
  const parts = [Math.round((wh * 137) / 100_000), Math.round((net * 333) / 10_000), 271]
  expect(statement.fees.map(({ cents }: { cents: number }) => cents)).toEqual(parts)
  const fee = parts.reduce((all, part) => all + part, 0)
  expect(statement.fee).toEqual({ net: fee, tax: Math.round(fee * 0.2), gross: fee + Math.round(fee * 0.2) })
  expect(statement.result).toBe(statement.sales.gross - statement.fee.gross)
  expect(statement.waits).toContain('Le mois n’est pas fini')
})

test('settles a finished month once, with the fee invoice', async () => {
  const { auth, companyId, params, organiser, world } = await makeSoldMonth()
  const early = await call(server, statements.settle, { params }, auth)
  expect([early.status, early.body.message]).toEqual([409, expect.stringContaining('pas fini')])
  itIs('2026-07-02')
  const [first, second] = await Promise.all([
    call(server, statements.settle, { params }, auth),
    call(server, statements.settle, { params }, auth),
  ])
  expect([first.status, second.status]).toEqual([200, 200])
  expect(first.body).toEqual(second.body)
  const kept = await server.db.select().from(producerStatements).where(eq(producerStatements.companyId, companyId))
  expect(kept).toHaveLength(1)
  const fees = (await documentsOf(companyId)).filter(({ sellerId }) => sellerId === organiser.id)
  expect(fees).toHaveLength(1)
  expect(fees[0]).toMatchObject({
    buyerId: null,
    clientSellerId: world.seller.id,
    net: first.body.fee.net,
    gross: first.body.fee.gross,
    number: first.body.settled.invoiceNumber,
  })
  // Documents issued later belong to a later month, so this one is unchanged.
  itIs('2026-06-28')
  await issueMonthDocuments(server.db, { ...world, input: { ...world.input, month: '2026-03' } })
  itIs('2026-07-02')
  const later = (await call(server, statements.get, { params }, auth)).body
  expect(later.sales).toEqual(first.body.sales)
})

test('invoices nothing without an organiser, and explains why', async () => {
  const { auth, params } = await makeSoldMonth({ organised: false })
  itIs('2026-07-02')
  const refused = await call(server, statements.settle, { params }, auth)
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('organisateur')])
})

test('invoices nothing for an organiser without a VAT mode', async () => {
  const { auth, params, organiser, companyId } = await makeSoldMonth()
  await server.asOwner(`delete from seller_vat where seller_id = '${organiser.id}'`)
  itIs('2026-07-02')
  const refused = await call(server, statements.settle, { params }, auth)
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('régime de TVA')])
  expect((await documentsOf(companyId)).filter(({ sellerId }) => sellerId === organiser.id)).toEqual([])
})

test('sums the months of a year, the same on screen and on paper', async () => {
  const { auth, params } = await makeSoldMonth()
  const year = (await call(server, statements.year, { params: { sellerId: params.sellerId, year: 2026 } }, auth)).body
  const month = year.months.find(({ documents }: { documents: number }) => documents > 0)
  expect(year.months).toHaveLength(12)
  expect(year.total).toEqual({ ...month.sales, fees: month.fee.gross })
  const url = `/api/statements/${params.sellerId}/${params.month}/pdf`
  const pdf = await server.app.inject({ url, headers: { authorization: `Bearer ${auth.token}` } })
  const text = extractPdfText(new Uint8Array(pdf.rawPayload)).replaceAll('\u00a0', ' ')
  expect(text).toContain('Relevé du producteur')
  expect(text).toContain('Forfait mensuel')
  expect(text).not.toContain('Voisol')
})

test('does not find another company’s producer', async () => {
  const { params } = await makeSoldMonth()
  const other = await makeUser(server.db)
  for (const e of [statements.get, statements.pdf] as const)
    expect((await call(server, e, { params }, { token: other.token })).status).toBe(404)
  expect((await call(server, statements.settle, { params }, { token: other.token })).status).toBe(404)
  const list = await call(server, statements.list, { query: { month: '2026-06' } }, { token: other.token })
  expect(list.body.items).toEqual([])
})

test('opens the list on the last finished month with documents, otherwise on the current one', async () => {
  const { auth, companyId, world } = await makeSoldMonth()
  const shown = async () => (await call(server, statements.list, { query: {} }, auth)).body
  expect(await shown()).toMatchObject({ month: '2026-06', items: [{ documents: 3 }] })
  itIs('2026-09-17')
  expect(await shown()).toMatchObject({ month: '2026-06', items: [{ documents: 3 }] })
  // The current month may still grow, so the finished month comes first.
  await makeIssuedInvoice(server.db, { companyId, sellerId: world.seller.id, issuedOn: '2026-09-03' })
  expect((await shown()).month).toBe('2026-06')
  const nobody = await makeUser(server.db)
  const { body } = await call(server, statements.list, { query: {} }, { token: nobody.token })
  expect(body).toEqual({ month: '2026-08', items: [] })
})
