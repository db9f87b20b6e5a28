import { asc, eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { makeCompany } from '../../../../test/factories.ts'
import {
  buildSnapshotDraft,
  computeMonthDocuments,
  issueMonthDocuments,
  makeComputation,
  makeMonthFixture,
  TEST_SECRETS,
  withoutSubscribers,
} from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'
import { events, invoiceSeries, invoices } from '../../../db/schema/index.ts'
import { issueDocuments } from './index.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())

const itIs = (day: string) =>
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from(day))
const issuedOf = (companyId: number) =>
  server.db.select().from(invoices).where(eq(invoices.companyId, companyId)).orderBy(asc(invoices.number))

test('issues a month with consecutive numbers, a hash chain and an event per document', async () => {
  const { id: companyId } = await makeCompany(server.db)
  const world = await makeMonthFixture(server.db, { companyId, members: 3, prefix: 'SOL' })
  const { issued, already, ids } = await issueMonthDocuments(withoutSubscribers(server.db), world)
  expect([issued, already, ids.length]).toEqual([3, 0, 3])
  const rows = await issuedOf(companyId)
  const year = rows[0]?.issuedOn.slice(0, 4)
  expect(rows.map(({ number }) => number)).toEqual([1, 2, 3].map((n) => `SOL${year}-0000${n}`))
  expect(rows.map(({ previousHash }) => previousHash)).toEqual(['', rows[0]?.hash, rows[1]?.hash])
  const [series] = await server.db.select().from(invoiceSeries).where(eq(invoiceSeries.companyId, companyId))
  expect([series?.last, series?.lastHash, series?.lastOn]).toEqual([3, rows[2]?.hash, rows[2]?.issuedOn])
  const told = await server.db.select().from(events).where(eq(events.companyId, companyId))
  expect(told.map(({ object }) => object).sort()).toEqual([...ids].sort())
})

test('issues nothing when repeated, and numbers a missing document next', async () => {
  const { id: companyId } = await makeCompany(server.db)
  const world = await makeMonthFixture(server.db, { companyId, members: 3, prefix: 'SOL' })
  const { id } = await makeComputation(server.db, { companyId, operationId: world.operation.id }, world.input)
  const drafts = computeMonthDocuments(world.input).map((document) => buildSnapshotDraft(world, document))
  const order = { companyId, operationId: world.operation.id, computationId: id, issuedBy: 'Camille' }
  const [second, ...others] = drafts
  await issueDocuments(withoutSubscribers(server.db), TEST_SECRETS, { ...order, drafts: others })
  expect(await issueDocuments(withoutSubscribers(server.db), TEST_SECRETS, { ...order, drafts: others })).toEqual({
    issued: 0,
    already: 2,
    ids: [],
  })
  const all = await issueDocuments(withoutSubscribers(server.db), TEST_SECRETS, { ...order, drafts })
  expect([all.issued, all.already]).toEqual([1, 2])
  const rows = await issuedOf(companyId)
  expect(rows.map(({ position }) => position)).toEqual([1, 2, 3])
  expect(rows[2]?.buyerId).toBe(second?.snapshot.buyer.id)
})

test('uses the last day of the series when the clock went back, and restarts at one each year', async () => {
  const { id: companyId } = await makeCompany(server.db)
  const world = await makeMonthFixture(server.db, { companyId, members: 1, prefix: 'H-' })
  const again = (month: string) =>
    issueMonthDocuments(withoutSubscribers(server.db), { ...world, input: { ...world.input, month } })
  itIs('2026-06-03')
  await again('2026-05')
  itIs('2026-06-01')
  await again('2026-03')
  itIs('2027-01-02')
  await again('2026-10')
  const rows = await issuedOf(companyId)
  expect(rows.map(({ number, issuedOn, dueOn }) => [number, issuedOn, dueOn])).toEqual([
    ['H-2026-00001', '2026-06-03', '2026-06-18'],
    ['H-2026-00002', '2026-06-03', '2026-06-18'],
    ['H-2027-00001', '2027-01-02', '2027-01-17'],
  ])
  expect(rows[2]?.previousHash).toBe('')
})

test('numbers documents that owe nothing in their own series', async () => {
  const { id: companyId } = await makeCompany(server.db)
  const world = await makeMonthFixture(server.db, { companyId, members: 1, prefix: 'SOL' })
  const tariffs = [{ from: '2025-01-01', to: null, rules: [{ id: 'social', price: 0 }] }]
  await issueMonthDocuments(withoutSubscribers(server.db), { ...world, input: { ...world.input, tariffs } })
  const [row] = await issuedOf(companyId)
  expect([row?.kind, row?.number.replace(/\d{4}-/, ' '), row?.gross]).toEqual(['statement', 'SOLR 00001', 0])
})

test('refuses numbers that another series would produce, before one is taken', async () => {
  const { id: companyId } = await makeCompany(server.db)
  const [first, second] = [
    await makeMonthFixture(server.db, { companyId, members: 1, prefix: 'SOL' }),
    await makeMonthFixture(server.db, { companyId, members: 1, prefix: 'SOLR' }),
  ]
  const tariffs = [{ from: '2025-01-01', to: null, rules: [{ id: 'social', price: 0 }] }]
  await issueMonthDocuments(withoutSubscribers(server.db), { ...first, input: { ...first.input, tariffs } })
  await expect(issueMonthDocuments(withoutSubscribers(server.db), second)).rejects.toThrow('changez le préfixe')
  const bad = await makeMonthFixture(server.db, { companyId, members: 1, prefix: 'sol é' })
  await expect(issueMonthDocuments(withoutSubscribers(server.db), bad)).rejects.toThrow(
    'ne convient pas à un numéro de facture',
  )
  expect(await issuedOf(companyId)).toHaveLength(1)
})

test('issues nothing of an order with an incomplete or repeated draft', async () => {
  const { id: companyId } = await makeCompany(server.db)
  const world = await makeMonthFixture(server.db, { companyId, members: 2 })
  const [draft, other] = computeMonthDocuments(world.input).map((document) => buildSnapshotDraft(world, document))
  if (!draft || !other) throw new Error('two documents')
  const { id: operationId } = world.operation
  const order = { companyId, operationId, computationId: null, issuedBy: 'Camille' }
  const broken = { ...other, snapshot: { ...other.snapshot, totals: { ...other.snapshot.totals, net: 1.5 } } }
  await expect(
    issueDocuments(withoutSubscribers(server.db), TEST_SECRETS, { ...order, drafts: [draft, broken] }),
  ).rejects.toThrow()
  await expect(
    issueDocuments(withoutSubscribers(server.db), TEST_SECRETS, { ...order, drafts: [draft, draft] }),
  ).rejects.toThrow('one document')
  const wrong = { ...draft, seriesKind: 'statement' as const }
  await expect(
    issueDocuments(withoutSubscribers(server.db), TEST_SECRETS, { ...order, drafts: [wrong] }),
  ).rejects.toThrow('series of statements')
  expect(await issuedOf(companyId)).toEqual([])
})

test.each(['update invoices set net = net', 'delete from invoices', 'truncate invoices cascade'])(
  'refuses the application role: %s',
  async (statement) => {
    await expect(server.db.execute(statement)).rejects.toMatchObject({ cause: { code: '42501' } })
  },
)
