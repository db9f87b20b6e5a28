import { billing } from '@voisol/contract/billing'
import { corrections, type Review } from '@voisol/contract/corrections'
import { invoices as documents } from '@voisol/contract/invoices'
import { participations } from '@voisol/contract/points'
import { addDays, addMonths, listDays } from '@voisol/energy/calendar'
import { and, eq, isNull } from 'drizzle-orm'
import { vi } from 'vitest'
import { operationBilling, operations, participants, participations as stays } from '../src/db/schema/index.ts'
import { storeReadingsAndNotify } from '../src/features/energy/curves/index.ts'
import { enqueue } from '../src/jobs/queue.ts'
import { makePricingFixture, PRICE_CHANGES } from './billing-year-prices.ts'
import { call, type TestServer } from './client.ts'
import { loadHolderId, makeAdoptedTariff, makeSellerOfParticipant, TEST_ADDRESS } from './factories-billing.ts'
import { storeMonthQuantities } from './factories-distributor.ts'
import {
  buildCurveDay,
  makeOperationFixture,
  makeParticipant,
  requestImpactPreview,
  requestKeyAdoption,
  runAllocation,
} from './factories-energy.ts'
import { makeTariffDiscount, makeTariffFee } from './factories-tariffs.ts'
import { waitForJobs } from './jobs.ts'

type Random = (below: number) => number
export const createSeededRandom = (seed: number): Random => {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) % below
  }
}

const createLoadFunction = (a: number, b: number, most: number) => (at: number, day: string) =>
  (at * a + Number(day.slice(8)) * b + Number(day.slice(5, 7)) * 31) % most

/** Sets today for closing, issuing and corrections; the test restores the clock. */
export const mockToday = (day: string) =>
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from(day))

/** Two roofs and three homes over months of 2025, with fees, a discount and everything billing needs. */
export async function makeBillingYear(server: TestServer, first: string, count: number, monthsPerInvoice = 1) {
  const { db } = server
  const from = `${first}-01`
  const to = addMonths(from, count)
  const here = await makeOperationFixture(server, {
    from,
    to,
    stepMinutes: 60,
    producers: [createLoadFunction(37, 113, 2003), createLoadFunction(53, 71, 1511)].map((watts) => ({
      watts,
      startsOn: from,
    })),
    consumers: [
      createLoadFunction(41, 97, 1009),
      createLoadFunction(29, 89, 907),
      createLoadFunction(61, 83, 1201),
    ].map((watts) => ({ watts, startsOn: from })),
  })
  const { companyId, operation } = here
  await db.update(participants).set(TEST_ADDRESS).where(eq(participants.companyId, companyId))
  await db.update(operations).set({ startsOn: from }).where(eq(operations.id, operation.id))
  if (monthsPerInvoice > 1)
    await db.insert(operationBilling).values({ companyId, operationId: operation.id, monthsPerInvoice })
  await requestKeyAdoption(server, here, { method: 'default', startsOn: from })
  const vendors = []
  for (const { id } of here.producers)
    vendors.push(await makeSellerOfParticipant(server, companyId, await loadHolderId(db, companyId, id)))
  const classes = ['HPB', 'HPH'].map((name, at) => ({ id: `plein${at}`, price: 1237 + at * 411, class: name }))
  await makeAdoptedTariff(db, here, [...classes, { id: 'base', price: 1019 }], from)
  const place = { companyId, operationId: operation.id }
  await makeTariffFee(db, { ...place, sellerId: vendors[0]?.id ?? '', amount: 331, rate: 550, startsOn: from })
  await makeTariffDiscount(db, { ...place, percentBp: 375, startsOn: from })
  const pricing = await makePricingFixture(server, here, from)
  return {
    ...here,
    vendors,
    pricing,
    months: Array.from({ length: count }, (_, at) => addMonths(from, at).slice(0, 7)),
  }
}
export type BillingYear = Awaited<ReturnType<typeof makeBillingYear>>

const getMonthPeriod = (month: string) => ({ from: `${month}-01`, to: addMonths(`${month}-01`, 1) })
const pickOne = <T>(things: readonly T[], random: Random): T => {
  const found = things[random(things.length)]
  if (found === undefined) throw new Error('nothing to choose from')
  return found
}
const requireOk = (answer: Awaited<ReturnType<typeof call>>) => {
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

/** Allocates the months again, as a person would who sees that runs are outdated. */
export async function allocateMonths(server: TestServer, year: BillingYear, months: readonly string[]) {
  for (const month of months) {
    const run = await runAllocation(server, year, { ...getMonthPeriod(month), kind: 'definitive' })
    if (run.status !== 'done') throw new Error(JSON.stringify(run))
  }
}

export async function requestMonthClose(server: TestServer, year: BillingYear, month: string) {
  await allocateMonths(server, year, [month])
  const params = { operationId: year.operation.id, month }
  const reason = 'Le mois est relu avec le syndic.'
  return requireOk(await call(server, billing.close, { params, body: { reason } }, year))
}

export const requestMonthIssue = async (server: TestServer, year: BillingYear, month: string) =>
  requireOk(await call(server, billing.issue, { params: { operationId: year.operation.id, month } }, year))

const listOpenParticipations = async ({ db }: TestServer, { companyId, consumers }: BillingYear) => {
  const rows = await db
    .select()
    .from(stays)
    .where(and(eq(stays.companyId, companyId), isNull(stays.endsOn)))
  const roofs = new Set(consumers.map(({ id }) => id))
  return rows.filter(({ pointId }) => roofs.has(pointId))
}

export type BillingChange =
  | 'readings'
  | 'quantities'
  | 'entry'
  | 'exit'
  | 'transfer'
  | 'key'
  | 'cancel'
  | keyof typeof PRICE_CHANGES

/** New readings for a few days. */
async function changeReadings(server: TestServer, year: BillingYear, past: readonly string[], random: Random) {
  const month = pickOne(past, random)
  const { id } = pickOne([...year.producers, ...year.consumers], random)
  const { from, to } = getMonthPeriod(month)
  const [a, first, count] = [17 + random(211), random(26), 1 + random(3)]
  const days = listDays(from, to).slice(first, first + count)
  const rows = days.map((day) => buildCurveDay(id, day, createLoadFunction(a, 59, 300 + random(2500))))
  await storeReadingsAndNotify(server.db, year.companyId, rows, { source: 'api', receivedAt: new Date() })
  await allocateMonths(server, year, [month])
}

async function changeQuantities(server: TestServer, year: BillingYear, past: readonly string[], random: Random) {
  const month = pickOne(past, random)
  const season = ['11', '12', '01', '02', '03'].includes(month.slice(5)) ? 'Haute' : 'Basse'
  const classes = {
    [`Heures Pleines Saison ${season}`]: 30 + random(90),
    [`Heures Creuses Saison ${season}`]: random(50),
  }
  const { id } = pickOne(year.consumers, random)
  await storeMonthQuantities(server.db, year, id, { ...getMonthPeriod(month), classes })
  await enqueue(server.db, 'corrections.quantities', {})
}

const pickDayInMonth = (month: string, random: Random) => addDays(`${month}-01`, 1 + random(25))

async function addParticipation(server: TestServer, year: BillingYear, past: readonly string[], random: Random) {
  const month = pickOne(past, random)
  const { id: participantId } = await makeParticipant(server.db, { companyId: year.companyId, ...TEST_ADDRESS })
  const prm = `3000123456${String(1000 + random(8999))}`
  const at = { operationId: year.operation.id, prm, direction: 'consumption', startsOn: pickDayInMonth(month, random) }
  const body = { ...at, participantId }
  const previewed = await requestImpactPreview(server, { kind: 'join', body }, year.token)
  const joined = requireOk(await call(server, participations.create, { body: { ...body, ...previewed } }, year))
  const days = listDays(at.startsOn, addMonths(`${year.months.at(-1)}-01`, 1))
  const rows = days.map((day) => buildCurveDay(joined.point.id, day, createLoadFunction(43, 67, 1103)))
  await storeReadingsAndNotify(server.db, year.companyId, rows, { source: 'api', receivedAt: new Date() })
  await allocateMonths(
    server,
    year,
    past.filter((each) => each >= month),
  )
}

async function endParticipation(server: TestServer, year: BillingYear, past: readonly string[], random: Random) {
  const open = await listOpenParticipations(server, year)
  if (open.length < 2) return
  const month = pickOne(past, random)
  const { id, startsOn, version } = pickOne(open, random)
  const endsOn = pickDayInMonth(month, random)
  if (endsOn <= startsOn) return
  const body = { startsOn, endsOn, noticeOn: null, agreementSignedOn: null, version }
  const seen = await requestImpactPreview(server, { kind: 'dates', id, body }, year.token)
  requireOk(await call(server, participations.update, { params: { id }, body: { ...body, ...seen } }, year))
  await allocateMonths(
    server,
    year,
    past.filter((each) => each >= month),
  )
}

async function transferParticipation(server: TestServer, year: BillingYear, past: readonly string[], random: Random) {
  const month = pickOne(past, random)
  const on = pickDayInMonth(month, random)
  const open = (await listOpenParticipations(server, year)).filter(({ startsOn }) => startsOn < on)
  if (!open.length) return
  const { id } = pickOne(open, random)
  const { id: participantId } = await makeParticipant(server.db, { companyId: year.companyId, ...TEST_ADDRESS })
  const body = { participantId, on, agreementSignedOn: null }
  const seen = await requestImpactPreview(server, { kind: 'transfer', id, body }, year.token)
  requireOk(await call(server, participations.transfer, { params: { id }, body: { ...body, ...seen } }, year))
  await allocateMonths(
    server,
    year,
    past.filter((each) => each >= month),
  )
}

async function changeKey(server: TestServer, year: BillingYear, past: readonly string[], random: Random) {
  const month = pickOne(past, random)
  const shares = year.consumers.map(({ id }, at) => ({ pointId: id, share: [411_007, 300_013, 288_980][at] ?? 0 }))
  const startsOn = pickDayInMonth(month, random)
  // A key without a share for a new member is refused.
  const fixed = random(2) ? await requestKeyAdoption(server, year, { method: 'static', shares, startsOn }) : undefined
  if (fixed?.status !== 200)
    requireOk(await requestKeyAdoption(server, year, { method: 'default', startsOn: addDays(startsOn, 1) }))
  await allocateMonths(
    server,
    year,
    past.filter((each) => each >= month),
  )
}

async function cancelInvoice(server: TestServer, year: BillingYear, _: readonly string[], random: Random) {
  const { items } = requireOk(await call(server, documents.list, { query: { size: '100', kind: 'invoice' } }, year))
  const { id: invoiceId } = pickOne(items as { id: string }[], random)
  const body = { invoiceId, reason: 'Facture adressée à la mauvaise personne.' }
  const { status, text } = await call(server, corrections.cancel, { body }, year)
  // Cancelling twice is refused.
  if (status !== 200 && status !== 409) throw new Error(text)
}

const BILLING_CHANGES: Record<BillingChange, typeof changeReadings> = {
  readings: changeReadings,
  quantities: changeQuantities,
  entry: addParticipation,
  exit: endParticipation,
  transfer: transferParticipation,
  key: changeKey,
  cancel: cancelInvoice,
  ...PRICE_CHANGES,
}

/** One late change to billed months; then waits until all subscribers have handled it. */
export async function applyBillingChange(
  server: TestServer,
  year: BillingYear,
  deed: BillingChange,
  past: readonly string[],
  random: Random,
) {
  await BILLING_CHANGES[deed](server, year, past, random)
  await waitForJobs(server)
}

export const fetchOpenReviews = async (server: TestServer, year: BillingYear): Promise<Review[]> =>
  requireOk(await call(server, corrections.list, { query: { state: 'open' } }, year)).items

/** Opens the proposed correction, and issues what is shown. */
export async function issueCorrection(server: TestServer, year: BillingYear, { id }: Review) {
  const { seal } = requireOk(await call(server, corrections.get, { params: { id } }, year))
  requireOk(await call(server, corrections.issue, { params: { id }, body: { seal } }, year))
  await waitForJobs(server)
}
