import { billing, type CheckItem } from '@voisol/contract/billing'
import type { IssuedAmount } from '@voisol/contract/billing-documents'
import { corrections, type WithheldAmount } from '@voisol/contract/corrections'
import { eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { allocateBillableMonth, type BillableMonth, makeBillableMonth } from '../../../../test/factories-billing.ts'
import { buildCurveDay } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { billingComputations, billingMonths, invoices } from '../../../db/schema/index.ts'
import { storeReadingsAndNotify } from '../../energy/curves/index.ts'
import { reviewChangedMonths, reviewMonth } from './review-months.ts'
import { buildBarredMessage, buildWithheldMessage } from './withheld-amounts.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())
const sum = (figures: number[]) => figures.reduce((all, figure) => all + figure, 0)
const auth = ({ token }: BillableMonth) => ({ token })
const params = ({ operation }: BillableMonth) => ({ operationId: operation.id, month: '2025-10' })
const loadWithheld = async (here: BillableMonth, query = {}, token = here.token) =>
  (await call(server, corrections.held, { query }, { token })).body
const itemsOf = async (here: BillableMonth, month = '2025-10'): Promise<CheckItem[]> =>
  (await call(server, billing.check, { params: { ...params(here), month }, query: {} }, auth(here))).body.items
const rehearsal = async (here: BillableMonth) =>
  (await call(server, billing.rehearsal, { params: params(here), query: {} }, auth(here))).body
const counts = async ({ companyId }: BillableMonth) => [
  await server.db.$count(billingComputations, eq(billingComputations.companyId, companyId)),
  await server.db.$count(invoices, eq(invoices.companyId, companyId)),
]

/** Adds twenty watts over the morning of one day. */
async function readSlightlyMore(here: BillableMonth) {
  const id = here.consumers[2]?.id ?? ''
  const day = buildCurveDay(id, '2025-10-25', (at) => ((at * 61 + 25 * 83) % 1009) + (at < 60 ? 20 : 0))
  await storeReadingsAndNotify(server.db, here.companyId, [day], { source: 'api', receivedAt: new Date() })
  await allocateBillableMonth(server, here)
  const [month] = await server.db.select().from(billingMonths).where(eq(billingMonths.companyId, here.companyId))
  if (!month) throw new Error('no month')
  await reviewMonth(server.deps, month)
}

/** Whether the month is reviewed again when its last review was so many hours ago. */
async function lookedAgain({ companyId }: BillableMonth, hours: number): Promise<boolean> {
  const before = new Date(Date.now() - hours * 3_600_000)
  // Lets the reviews triggered by the readings finish first.
  await waitForJobs(server)
  await server.db.update(billingMonths).set({ lookedAt: before }).where(eq(billingMonths.companyId, companyId))
  await reviewChangedMonths(server.deps, { companyId })
  const [month] = await server.db.select().from(billingMonths).where(eq(billingMonths.companyId, companyId))
  return month?.lookedAt?.getTime() !== before.getTime()
}

test('shows withheld cents on the checklist and the account, and in a dry run beside the issued amounts', async () => {
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from('2025-11-20'))
  const here = await makeBillableMonth(server)
  await allocateBillableMonth(server, here)
  expect((await rehearsal(here)).standing).toBeNull()
  await call(server, billing.close, { params: params(here), body: {} }, auth(here))
  await call(server, billing.issue, { params: params(here) }, auth(here))
  expect(await loadWithheld(here)).toEqual({ items: [], sentence: '' })
  const same = await rehearsal(here)
  expect(sum(same.standing.map(({ gross }: IssuedAmount) => gross))).toBe(same.preview.totals.gross)

  await readSlightlyMore(here)
  const { items, sentence } = await loadWithheld(here)
  expect(items.length).toBeGreaterThan(0)
  expect(new Set(items.map(({ kind, month }: WithheldAmount) => `${kind} ${month}`))).toEqual(
    new Set(['held 2025-10-01']),
  )
  expect(sentence).toMatch(/^Centimes retenus pour \d+ acheteurs? \(octobre 2025\)\u00a0: .*moins de 0,50\u00a0€/)
  // The checklist shows the same sentence for the month itself and for the next one to close.
  for (const month of ['2025-10', '2025-11'])
    expect((await itemsOf(here, month)).filter(({ code }) => code === 'held')).toEqual([
      { code: 'held', level: 'ok', sentence, href: null },
    ])
  const [{ buyerId, gross }] = items
  const own = await loadWithheld(here, { buyerId })
  expect(own.items.every((item: WithheldAmount) => item.buyerId === buyerId)).toBe(true)
  expect(own.items).toContainEqual(expect.objectContaining({ buyerId, gross }))
  const buyers: string[] = same.standing.map(({ buyer }: IssuedAmount) => buyer.id)
  // Remainders are given by ids, which are random: both buyers may have some.
  const none = buyers.find((id) => items.every((one: WithheldAmount) => one.buyerId !== id))
  const neighbour = none ?? crypto.randomUUID()
  expect(await loadWithheld(here, { buyerId: neighbour })).toEqual({ items: [], sentence: '' })
  const stranger = await makeUser(server.db)
  expect((await loadWithheld(here, {}, stranger.token)).items).toEqual([])

  // The issued amounts are unchanged, and the dry run differs by exactly what is withheld.
  const before = await counts(here)
  const now = await rehearsal(here)
  const apart = now.preview.totals.gross - sum(now.standing.map((one: IssuedAmount) => one.gross))
  expect(apart).toBe(sum(items.map((item: WithheldAmount) => item.gross)))
  expect(await counts(here)).toEqual(before)

  // No event announces the end of the year, so a month with withheld cents is reviewed again after a day.
  expect(await lookedAgain(here, 19)).toBe(false)
  expect(await lookedAgain(here, 21)).toBe(true)
})

const item = (more: Partial<WithheldAmount>): WithheldAmount => ({
  kind: 'held',
  operationId: 'o',
  month: '2026-05-01',
  sellerId: 's',
  seller: 'Toiture',
  buyerId: 'b',
  buyer: 'Mme Roux',
  gross: 13,
  wh: 871,
  ...more,
})

test('shows withheld amounts to add and to give back apart, without netting them', () => {
  expect(buildWithheldMessage([item({}), item({ buyerId: 'c', gross: -7, wh: -41, month: '2026-04-01' })], 50)).toBe(
    'Centimes retenus pour 2 acheteurs (avril 2026, mai 2026)\u00a0: 0,13\u00a0€ à ajouter et 0,07\u00a0€ à rendre (0,912\u00a0kWh). C’est moins de 0,50\u00a0€ par vendeur et acheteur, trop peu pour un document\u00a0: ils seront repris par la prochaine régularisation, au départ de l’acheteur ou à la fin de l’année.',
  )
  expect(buildBarredMessage([item({ kind: 'barred', gross: 1203, wh: 97_001 })], 14)).toBe(
    '12,03\u00a0€ (97,001\u00a0kWh) ne sont pas réclamés à 1 particulier (mai 2026)\u00a0: après 14 mois, une consommation ne peut plus leur être facturée.',
  )
})
