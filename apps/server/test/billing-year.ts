import { billing } from '@voisol/contract/billing'
import { corrections, type Review } from '@voisol/contract/corrections'
import { invoices as documents } from '@voisol/contract/invoices'
import { participations } from '@voisol/contract/points'
import { addDays, addMonths, listDays } from '@voisol/energy/calendar'
import { and, eq, isNull } from 'drizzle-orm'
import { vi } from 'vitest'
import { operationBilling, operations, participants, participations as stays } from '../src/db/schema/index.ts'
import { storeDays } from '../src/features/energy/curves/curves.ts'
import { enqueue } from '../src/jobs/queue.ts'
import { makePricing, PRICE_DEEDS } from './billing-year-prices.ts'
import { call, type Server } from './client.ts'
import { adoptKey, allocate, look, makeScene } from './factories-allocations.ts'
import { holderOf, PLACE, priced, sell } from './factories-billing.ts'
import { makeDay } from './factories-curves.ts'
import { makeParticipant } from './factories-participants.ts'
import { giveQuantities } from './factories-reconciliation.ts'
import { makeDiscount, makeFee } from './factories-tariffs.ts'
import { jobsEnd } from './jobs.ts'

export type Random = (below: number) => number
export const randomOf = (seed: number): Random => {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) % below
  }
}

const odd = (a: number, b: number, most: number) => (at: number, day: string) =>
  (at * a + Number(day.slice(8)) * b + Number(day.slice(5, 7)) * 31) % most

/** It is this day for whoever closes, issues and judges; the test puts the clock back. */
export const todayIs = (day: string) =>
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from(day))

/** Two roofs and three homes over months of 2025, with fees, a discount and everything that a bill needs. */
export async function beginYear(server: Server, first: string, count: number, monthsPerInvoice = 1) {
  const { db } = server
  const from = `${first}-01`
  const to = addMonths(from, count)
  const here = await makeScene(server, {
    from,
    to,
    stepMinutes: 60,
    producers: [odd(37, 113, 2003), odd(53, 71, 1511)].map((watts) => ({ watts, startsOn: from })),
    consumers: [odd(41, 97, 1009), odd(29, 89, 907), odd(61, 83, 1201)].map((watts) => ({ watts, startsOn: from })),
  })
  const { companyId, operation } = here
  await db.update(participants).set(PLACE).where(eq(participants.companyId, companyId))
  await db.update(operations).set({ startsOn: from }).where(eq(operations.id, operation.id))
  if (monthsPerInvoice > 1)
    await db.insert(operationBilling).values({ companyId, operationId: operation.id, monthsPerInvoice })
  await adoptKey(server, here, { method: 'default', startsOn: from })
  const vendors = []
  for (const { id } of here.producers) vendors.push(await sell(server, companyId, await holderOf(db, companyId, id)))
  const classes = ['HPB', 'HPH'].map((name, at) => ({ id: `plein${at}`, price: 1237 + at * 411, class: name }))
  await priced(db, here, [...classes, { id: 'base', price: 1019 }], from)
  const place = { companyId, operationId: operation.id }
  await makeFee(db, { ...place, sellerId: vendors[0]?.id ?? '', amount: 331, rate: 550, startsOn: from })
  await makeDiscount(db, { ...place, percentBp: 375, startsOn: from })
  const pricing = await makePricing(server, here, from)
  return {
    ...here,
    vendors,
    pricing,
    months: Array.from({ length: count }, (_, at) => addMonths(from, at).slice(0, 7)),
  }
}
export type Year = Awaited<ReturnType<typeof beginYear>>

const period = (month: string) => ({ from: `${month}-01`, to: addMonths(`${month}-01`, 1) })
const pick = <T>(things: readonly T[], random: Random): T => {
  const found = things[random(things.length)]
  if (found === undefined) throw new Error('nothing to choose from')
  return found
}
const done = (answer: Awaited<ReturnType<typeof call>>) => {
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

/** Shares the months out again, as whoever sees that their runs are stale would. */
export async function shareAgain(server: Server, year: Year, months: readonly string[]) {
  for (const month of months) {
    const run = await allocate(server, year, { ...period(month), kind: 'definitive' })
    if (run.status !== 'done') throw new Error(JSON.stringify(run))
  }
}

export async function closeMonth(server: Server, year: Year, month: string) {
  await shareAgain(server, year, [month])
  const params = { operationId: year.operation.id, month }
  const reason = 'Le mois est relu avec le syndic.'
  return done(await call(server, billing.close, { params, body: { reason } }, year))
}

export const issueMonth = async (server: Server, year: Year, month: string) =>
  done(await call(server, billing.issue, { params: { operationId: year.operation.id, month } }, year))

const openStays = async ({ db }: Server, { companyId, consumers }: Year) => {
  const rows = await db
    .select()
    .from(stays)
    .where(and(eq(stays.companyId, companyId), isNull(stays.endsOn)))
  const roofs = new Set(consumers.map(({ id }) => id))
  return rows.filter(({ pointId }) => roofs.has(pointId))
}

export type Deed =
  | 'readings'
  | 'quantities'
  | 'entry'
  | 'exit'
  | 'transfer'
  | 'key'
  | 'cancel'
  | keyof typeof PRICE_DEEDS

/** Meters say something else of a few days. */
async function readings(server: Server, year: Year, past: readonly string[], random: Random) {
  const month = pick(past, random)
  const { id } = pick([...year.producers, ...year.consumers], random)
  const { from, to } = period(month)
  const [a, first, count] = [17 + random(211), random(26), 1 + random(3)]
  const days = listDays(from, to).slice(first, first + count)
  const rows = days.map((day) => makeDay(id, day, odd(a, 59, 300 + random(2500))))
  await storeDays(server.db, year.companyId, rows, { source: 'api', receivedAt: new Date() })
  await shareAgain(server, year, [month])
}

async function quantities(server: Server, year: Year, past: readonly string[], random: Random) {
  const month = pick(past, random)
  const season = ['11', '12', '01', '02', '03'].includes(month.slice(5)) ? 'Haute' : 'Basse'
  const classes = {
    [`Heures Pleines Saison ${season}`]: 30 + random(90),
    [`Heures Creuses Saison ${season}`]: random(50),
  }
  const { id } = pick(year.consumers, random)
  await giveQuantities(server.db, year, id, { ...period(month), classes })
  await enqueue(server.db, 'corrections.quantities', {})
}

const dayIn = (month: string, random: Random) => addDays(`${month}-01`, 1 + random(25))

async function entry(server: Server, year: Year, past: readonly string[], random: Random) {
  const month = pick(past, random)
  const { id: participantId } = await makeParticipant(server.db, { companyId: year.companyId, ...PLACE })
  const prm = `3000123456${String(1000 + random(8999))}`
  const at = { operationId: year.operation.id, prm, direction: 'consumption', startsOn: dayIn(month, random) }
  const body = { ...at, participantId }
  const seen = await look(server, { kind: 'join', body }, year.token)
  const joined = done(await call(server, participations.create, { body: { ...body, ...seen } }, year))
  const days = listDays(at.startsOn, addMonths(`${year.months.at(-1)}-01`, 1))
  const rows = days.map((day) => makeDay(joined.point.id, day, odd(43, 67, 1103)))
  await storeDays(server.db, year.companyId, rows, { source: 'api', receivedAt: new Date() })
  await shareAgain(
    server,
    year,
    past.filter((each) => each >= month),
  )
}

async function exit(server: Server, year: Year, past: readonly string[], random: Random) {
  const open = await openStays(server, year)
  if (open.length < 2) return
  const month = pick(past, random)
  const { id, startsOn, version } = pick(open, random)
  const endsOn = dayIn(month, random)
  if (endsOn <= startsOn) return
  const body = { startsOn, endsOn, noticeOn: null, agreementSignedOn: null, version }
  const seen = await look(server, { kind: 'dates', id, body }, year.token)
  done(await call(server, participations.update, { params: { id }, body: { ...body, ...seen } }, year))
  await shareAgain(
    server,
    year,
    past.filter((each) => each >= month),
  )
}

async function transfer(server: Server, year: Year, past: readonly string[], random: Random) {
  const month = pick(past, random)
  const on = dayIn(month, random)
  const open = (await openStays(server, year)).filter(({ startsOn }) => startsOn < on)
  if (!open.length) return
  const { id } = pick(open, random)
  const { id: participantId } = await makeParticipant(server.db, { companyId: year.companyId, ...PLACE })
  const body = { participantId, on, agreementSignedOn: null }
  const seen = await look(server, { kind: 'transfer', id, body }, year.token)
  done(await call(server, participations.transfer, { params: { id }, body: { ...body, ...seen } }, year))
  await shareAgain(
    server,
    year,
    past.filter((each) => each >= month),
  )
}

async function key(server: Server, year: Year, past: readonly string[], random: Random) {
  const month = pick(past, random)
  const shares = year.consumers.map(({ id }, at) => ({ pointId: id, share: [411_007, 300_013, 288_980][at] ?? 0 }))
  const startsOn = dayIn(month, random)
  // A key that gives whoever came since nothing is refused.
  const fixed = random(2) ? await adoptKey(server, year, { method: 'static', shares, startsOn }) : undefined
  if (fixed?.status !== 200) done(await adoptKey(server, year, { method: 'default', startsOn: addDays(startsOn, 1) }))
  await shareAgain(
    server,
    year,
    past.filter((each) => each >= month),
  )
}

async function cancel(server: Server, year: Year, _: readonly string[], random: Random) {
  const { items } = done(await call(server, documents.list, { query: { size: '100', kind: 'invoice' } }, year))
  const { id: invoiceId } = pick(items as { id: string }[], random)
  const body = { invoiceId, reason: 'Facture adressée à la mauvaise personne.' }
  const { status, text } = await call(server, corrections.cancel, { body }, year)
  // One that is cancelled already is refused.
  if (status !== 200 && status !== 409) throw new Error(text)
}

const DEEDS: Record<Deed, typeof readings> = {
  readings,
  quantities,
  entry,
  exit,
  transfer,
  key,
  cancel,
  ...PRICE_DEEDS,
}

/** One thing learnt too late about months that were billed; then all that hears of it has heard. */
export async function learn(server: Server, year: Year, deed: Deed, past: readonly string[], random: Random) {
  await DEEDS[deed](server, year, past, random)
  await jobsEnd(server)
}

export const openReviews = async (server: Server, year: Year): Promise<Review[]> =>
  done(await call(server, corrections.list, { query: { state: 'open' } }, year)).items

/** Opens what is proposed, and issues what is shown. */
export async function settle(server: Server, year: Year, { id }: Review) {
  const { seal } = done(await call(server, corrections.get, { params: { id } }, year))
  done(await call(server, corrections.issue, { params: { id }, body: { seal } }, year))
  await jobsEnd(server)
}
