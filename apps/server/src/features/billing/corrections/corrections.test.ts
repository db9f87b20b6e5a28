import { billing } from '@voisol/contract/billing'
import { corrections, type ProposedChange } from '@voisol/contract/corrections'
import { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { getDocumentKey } from '@voisol/money/document'
import { and, asc, eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { allocateBillableMonth, type BillableMonth, makeBillableMonth } from '../../../../test/factories-billing.ts'
import { storeMonthQuantities } from '../../../../test/factories-distributor.ts'
import { buildCurveDay } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { billingMonths, billingReviews, invoices } from '../../../db/schema/index.ts'
import { storeReadingsAndNotify } from '../../energy/curves/index.ts'
import { loadComputation } from '../month-closing/index.ts'
import { getStandingDocuments } from './correction-proposal.ts'
import { enqueueMonthReviews, reviewMonth } from './review-months.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())
const auth = ({ token }: BillableMonth) => ({ token })

async function monthOf({ companyId }: BillableMonth) {
  const [row] = await server.db.select().from(billingMonths).where(eq(billingMonths.companyId, companyId))
  if (!row) throw new Error('no month')
  return row
}

/** A month that was closed and issued. */
async function issued() {
  const here = await makeBillableMonth(server)
  await allocateBillableMonth(server, here)
  const params = { operationId: here.operation.id, month: '2025-10' }
  await call(server, billing.close, { params, body: {} }, auth(here))
  expect((await call(server, billing.issue, { params }, auth(here))).body.issued).toBe(6)
  return here
}

/** Changes the readings of some days and allocates the month again. */
async function reread(
  here: BillableMonth,
  consumer: number,
  watts: (at: number) => number,
  days = ['2025-10-25', '2025-10-27'],
) {
  const id = here.consumers[consumer]?.id ?? ''
  const rows = days.map((day) => buildCurveDay(id, day, watts))
  await storeReadingsAndNotify(server.db, here.companyId, rows, { source: 'api', receivedAt: new Date() })
  await allocateBillableMonth(server, here)
  await reviewMonth(server.deps, await monthOf(here))
}

const reviewsOf = async (here: BillableMonth) =>
  (await call(server, corrections.list, { query: {} }, auth(here))).body.items
const open = async (here: BillableMonth) => {
  const [review] = (await reviewsOf(here)).filter(({ state }: { state: string }) => state === 'open')
  return (await call(server, corrections.get, { params: { id: review?.id } }, auth(here))).body
}
const settle = (here: BillableMonth, { id, seal }: { id: string; seal: string }) =>
  call(server, corrections.issue, { params: { id }, body: { seal } }, auth(here))
const documentsOf = ({ companyId }: BillableMonth) =>
  server.db
    .select()
    .from(invoices)
    .where(eq(invoices.companyId, companyId))
    .orderBy(asc(invoices.issuedAt), asc(invoices.number))

/** Checks by seller, buyer and rate that the issued documents add up to the documents in force. */
async function expectTied(here: BillableMonth) {
  const standing = getStandingDocuments(await loadComputation(server.db, await monthOf(here), 'last'))
  const sums = new Map<string, Record<string, number>>()
  for (const row of await documentsOf(here)) {
    const { seller, buyer, apart, kind, vat, totals } = InvoiceSnapshot.parse(row.snapshot)
    const name = getDocumentKey({ seller: seller.id, buyer: buyer.id, apart })
    const sign = kind === 'creditNote' ? -1 : 1
    const own = sums.get(name) ?? {}
    for (const [key, value] of [
      ['gross', totals.gross],
      ...vat.flatMap(({ rate, base, tax }) => [[`base ${rate}`, base] as const, [`tax ${rate}`, tax] as const]),
    ] as const)
      own[key] = (own[key] ?? 0) + sign * value
    sums.set(name, own)
  }
  for (const document of standing) {
    const own = sums.get(getDocumentKey(document)) ?? {}
    expect(own.gross).toBe(document.totals.gross)
    for (const { rate, base, tax } of document.vat)
      expect([own[`base ${rate}`], own[`tax ${rate}`]]).toEqual([base, tax])
  }
  expect(sums.size).toBeGreaterThanOrEqual(standing.length)
}

test('proposes a change of readings by cause and buyer, and settles it once to the cent', async () => {
  const here = await issued()
  await reread(here, 0, (at) => (at * 131) % 3001)
  const proposal = await open(here)
  expect([proposal.causes, proposal.month]).toEqual([['energy'], '2025-10-01'])
  const sent = proposal.changes.filter(({ becomes }: ProposedChange) => becomes !== 'held')
  expect(new Set(sent.map(({ becomes }: ProposedChange) => becomes))).toEqual(new Set(['creditNote', 'complement']))
  expect(proposal.summary.delta.gross).toBe(
    sent.reduce((sum: number, { delta }: ProposedChange) => sum + delta.gross, 0),
  )

  const [first, second] = await Promise.all([settle(here, proposal), settle(here, proposal)])
  expect([first.status, second.status].sort()).toEqual([200, 409])
  const rows = await documentsOf(here)
  expect(rows).toHaveLength(6 + sent.length)
  const credit = rows.find(({ kind }) => kind === 'creditNote')
  const snapshot = InvoiceSnapshot.parse(credit?.snapshot)
  expect(snapshot).toMatchObject({ typeCode: 381, corrects: { reason: 'La répartition a été refaite.' } })
  expect(rows.find(({ id }) => id === credit?.correctsId)).toMatchObject({ kind: 'invoice', buyerId: credit?.buyerId })
  expect(snapshot.lines.map(({ role }) => role)).toContain('cancel')
  expect(snapshot.totals.gross).toBeGreaterThan(0)
  await expectTied(here)
  // A dry run shows the month with its corrections included, by buyer, since cents are withheld by buyer.
  const params = { operationId: here.operation.id, month: '2025-10' }
  const { standing } = (await call(server, billing.rehearsal, { params, query: {} }, auth(here))).body
  const issuedTo: Record<string, number> = {}
  for (const row of rows) {
    const { buyer, kind, totals } = InvoiceSnapshot.parse(row.snapshot)
    issuedTo[buyer.id] = (issuedTo[buyer.id] ?? 0) + (kind === 'creditNote' ? -1 : 1) * totals.gross
  }
  const shown: Record<string, number> = {}
  for (const { buyer, gross } of standing) shown[buyer.id] = (shown[buyer.id] ?? 0) + gross
  expect(shown).toEqual(issuedTo)
  // Opened again, the settled review lists its documents.
  const { body: settled } = await call(server, corrections.get, { params: { id: proposal.id } }, auth(here))
  expect(settled.documents.map(({ id }: { id: string }) => id).sort()).toEqual(
    rows
      .filter(({ correctsId }) => correctsId !== null)
      .map(({ id }) => id)
      .sort(),
  )
  expect(settled.documents[0]).toMatchObject({ buyer: expect.stringMatching(/./), gross: expect.any(Number) })

  // A new review finds nothing left to correct.
  await reviewMonth(server.deps, await monthOf(here))
  expect((await reviewsOf(here)).map(({ state }: { state: string }) => state)).toEqual(['settled'])
})

test('refuses to issue a proposal that changed since it was shown', async () => {
  const here = await issued()
  await reread(here, 0, (at) => (at * 131) % 3001)
  const proposal = await open(here)
  await reread(here, 1, (at) => (at * 17) % 2003)
  const refused = await settle(here, proposal)
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('à relire')])
  expect(await documentsOf(here)).toHaveLength(6)
  expect((await settle(here, await open(here))).status).toBe(200)
  await expectTied(here)
})

test('withholds a few cents, announces them, and bills them with the next correction', async () => {
  // A day within the year: at its end nothing is withheld any longer.
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from('2025-11-20'))
  const here = await issued()
  await reread(here, 2, (at) => ((at * 61 + 25 * 83) % 1009) + (at < 60 ? 20 : 0), ['2025-10-25'])
  const [held] = await reviewsOf(here)
  expect([held.state, held.decidedBy, held.causes]).toEqual(['settled', 'Voisol', ['energy']])
  expect([held.summary.held.buyers > 0, held.summary.creditNotes, held.summary.complements]).toEqual([true, 0, 0])
  expect(await documentsOf(here)).toHaveLength(6)
  await reviewMonth(server.deps, await monthOf(here))
  expect(await reviewsOf(here)).toHaveLength(1)
  await reread(here, 2, (at) => (at * 131) % 3001)
  expect((await settle(here, await open(here))).body.issued).toBeGreaterThan(0)
  await expectTied(here)
})

test.each([
  ['the year is over', '2026-01-07'],
  ['the day is the same year', '2025-12-30'],
])('bills withheld cents without another correction once %s', async (_, day) => {
  const now = vi.spyOn(Temporal.Now, 'plainDateISO')
  now.mockImplementation(() => Temporal.PlainDate.from('2025-11-20'))
  const here = await issued()
  await reread(here, 2, (at) => ((at * 61 + 25 * 83) % 1009) + (at < 60 ? 20 : 0), ['2025-10-25'])
  // Lets the reviews triggered by the readings finish first.
  await waitForJobs(server)
  await server.db.update(billingMonths).set({ lookedAt: new Date('2025-11-20T10:00:00Z') })
  now.mockImplementation(() => Temporal.PlainDate.from(day))
  await enqueueMonthReviews(server.deps)
  await waitForJobs(server)
  const open = (await reviewsOf(here)).filter(({ state }: { state: string }) => state === 'open')
  expect(open.map(({ causes }: { causes: string[] }) => causes)).toEqual(day < '2026' ? [] : [['held']])
})

test('closes the proposal when figures return to what was billed', async () => {
  const here = await issued()
  const was = (at: number) => (at * 41 + 25 * 97) % 1009
  await reread(here, 0, (at) => (at * 131) % 3001, ['2025-10-25'])
  await reread(here, 0, was, ['2025-10-25'])
  const [review] = await reviewsOf(here)
  expect([review.state, review.reason]).toEqual([
    'left',
    expect.stringContaining('de nouveau ce que disent les données'),
  ])
})

test('proposes a correction when the distributor publishes new quantities', async () => {
  const here = await issued()
  const [first] = here.consumers
  await storeMonthQuantities(server.db, here, first?.id ?? '', {
    from: '2025-10-01',
    to: '2025-11-01',
    classes: { 'Heures Pleines Saison Basse': 7, 'Heures Creuses Saison Basse': 3 },
  })
  await enqueueMonthReviews(server.deps)
  await waitForJobs(server)
  const [review] = await reviewsOf(here)
  expect(review?.causes).toEqual(['quantities'])
  const before = (await monthOf(here)).lookedAt
  await enqueueMonthReviews(server.deps)
  await waitForJobs(server)
  expect((await monthOf(here)).lookedAt).toEqual(before)
})

test('cancels an invoice once by a full credit note and proposes again what is owed', async () => {
  const here = await issued()
  const [invoice] = await documentsOf(here)
  const body = { invoiceId: invoice?.id, reason: 'Facture adressée à la mauvaise personne.' }
  const cancelled = await call(server, corrections.cancel, { body }, auth(here))
  expect(cancelled.status).toBe(200)
  const credit = (await documentsOf(here)).find(({ id }) => id === cancelled.body.id)
  expect([credit?.kind, credit?.gross, credit?.wh]).toEqual(['creditNote', invoice?.gross, invoice?.wh])
  expect((await call(server, corrections.cancel, { body }, auth(here))).status).toBe(409)
  await waitForJobs(server)
  const proposal = await open(here)
  expect(proposal.causes).toEqual(['cancelled'])
  expect(proposal.changes.map(({ becomes }: ProposedChange) => becomes)).toEqual(['complement'])
  expect((await settle(here, proposal)).body.issued).toBe(1)
  await expectTied(here)
})

test('keeps a dismissed proposal dismissed, and hides it from other companies and operations', async () => {
  const here = await issued()
  await reread(here, 0, (at) => (at * 131) % 3001)
  const proposal = await open(here)
  const params = { id: proposal.id }
  const other = await makeUser(server.db)
  for (const e of [corrections.get, corrections.issue, corrections.leave] as const) {
    const body = e === corrections.leave ? { reason: 'Rien à voir ici.' } : { seal: proposal.seal }
    const input = e === corrections.get ? { params } : { params, body }
    expect((await call(server, e, input, { token: other.token })).status).toBe(404)
  }
  expect((await call(server, corrections.list, { query: {} }, { token: other.token })).body.items).toEqual([])
  const short = await call(server, corrections.leave, { params, body: { reason: 'non' } }, auth(here))
  expect(short.status).toBe(422)
  const left = await call(server, corrections.leave, { params, body: { reason: 'Accord avec le syndic.' } }, auth(here))
  expect([left.status, left.body.state]).toEqual([200, 'left'])
  const [row] = await server.db
    .select()
    .from(billingReviews)
    .where(and(eq(billingReviews.companyId, here.companyId), eq(billingReviews.id, proposal.id)))
  expect(row?.state).toBe('left')
  expect((await settle(here, proposal)).status).toBe(409)
})
