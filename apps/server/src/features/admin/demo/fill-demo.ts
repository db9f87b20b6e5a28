import { setImmediate } from 'node:timers/promises'
import { MIN_ONLINE_PAYMENT_CENTS } from '@voisol/contract/online-views'
import { addDays, addMonths, listDays, monthOf } from '@voisol/energy/calendar'
import { createFullScale, type DemoScale, type OperationPlan } from '@voisol/simulator/demo/blueprint'
import { createReadingSite } from '@voisol/simulator/demo/demo-readings'
import { TILLEULS_ID } from '@voisol/simulator/demo/identities'
import { DEMO_PEOPLE } from '@voisol/simulator/demo/people'
import { buildRunningOperations } from '@voisol/simulator/demo/plan'
import { simulateForecast } from '@voisol/simulator/demo/simulated-forecast'
import { and, asc, eq, like, sql } from 'drizzle-orm'
import { toTenths } from '../../../core/weather.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import {
  companies,
  insightLooks,
  mandates,
  operations,
  participants,
  payments,
  regulatoryExports,
  users,
  weatherRuns,
} from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { formatActorName } from '../../../http/actor.ts'
import { loadJobActor } from '../../../http/job-actor.ts'
import { parseWeatherForecast, WEATHER_VARIABLES } from '../../../integrations/connections/weather.ts'
import { getToday, toParisDay } from '../../../today.ts'
import { issueForecasts, listIssuedDays, scoreForecasts } from '../../analytics/forecasts/index.ts'
import { findAndStoreInsights } from '../../analytics/insights/index.ts'
import { createRegulatoryExport, recordExportSending } from '../../analytics/regulatory/index.ts'
import { settleOpenReviews } from '../../billing/corrections/index.ts'
import { computeAccountOpenAmounts, loadPairAccounts, type PairAccount } from '../../billing/invoices/index.ts'
import { loadBuyers, loadSellers } from '../../billing/parties/index.ts'
import { loadBankAccounts } from '../../payments/bank/index.ts'
import { postPayment } from '../../payments/payments/index.ts'
import { loadDuePayouts, planPayouts } from '../../payments/payouts/index.ts'
import { loadDueAccounts, sendReminder } from '../../payments/reminders/index.ts'
import { fillConnections, fillFlowRules, fillIncidents, fillKeys, fillSso } from './fill-administration.ts'
import { fillBilling, fillParties, fillTariffs } from './fill-billing.ts'
import { applyEarlyCorrections, fillCurves, fillRuns } from './fill-energy.ts'
import { fillBank, fillBooks, fillOnline, INVOICES_LEFT_TO_BANK } from './fill-payments.ts'
import { fillJoining, fillMessages } from './fill-portal.ts'
import { buildStructure } from './fill-structure.ts'
import { fillSupport } from './fill-support.ts'

type FillTotals = { days: number; runs: number }
type FillDemoOptions = {
  companyId: number
  today: string
  scale?: (anchor: string) => DemoScale
  signal?: AbortSignal | undefined
}

/** The day on which the demo was built, once it is complete. */
export async function findDemoDay(db: Db, companyId: number): Promise<string | undefined> {
  const where = and(eq(operations.companyId, companyId), eq(operations.id, TILLEULS_ID))
  const [row] = await db.select({ createdAt: operations.createdAt }).from(operations).where(where)
  return row && toParisDay(row.createdAt)
}

/** The oldest company marked as demo: the demo data belongs to it alone. */
export async function findDemoCompany(db: Db): Promise<number | undefined> {
  const [row] = await db
    .select({ id: companies.id })
    .from(companies)
    .where(eq(companies.isDemo, true))
    .orderBy(asc(companies.id))
    .limit(1)
  return row?.id
}

/** Late readings were corrected by credit notes and additional invoices beside the original invoices. */
const settleCorrections = (deps: Deps, actor: Actor, plan: OperationPlan) =>
  settleOpenReviews(deps, actor, plan.values.id)

type OwedInvoice = { id: string; number: string; due: string; open: number }

type DemoPayment = { amount: number; bookedOn: string; source: string; references: string[] }

function listOverdueInvoices(account: PairAccount, today: string): OwedInvoice[] {
  const open = computeAccountOpenAmounts(account)
  return account.entries
    .filter(({ of, side, due, id }) => of === 'document' && side === 'debit' && due < today && (open.get(id) ?? 0) > 0)
    .map(({ id, number, due }) => ({ id, number, due, open: open.get(id) ?? 0 }))
    .sort((a, b) => (a.due < b.due ? -1 : 1))
}

/** State of the last invoice: paid, partly paid or unpaid. */
type LastInvoiceState = 'paid' | 'part' | 'open'

/** Older invoices were paid together, recent ones one by one. */
function buildPayments(owed: OwedInvoice[], lastState: LastInvoiceState): DemoPayment[] {
  const last = owed.at(-1)
  const whole = lastState === 'paid' ? owed : owed.slice(0, -1)
  const [older, recent] = [whole.slice(0, -1), whole.slice(-1)]
  const one = (all: OwedInvoice[]): DemoPayment[] => {
    const newest = all.at(-1)
    if (!newest) return []
    const amount = all.reduce((sum, { open }) => sum + open, 0)
    return [{ amount, bookedOn: newest.due, source: `demo:${newest.id}`, references: all.map(({ number }) => number) }]
  }
  const part = last && lastState === 'part' && last.open > 1 ? Math.floor(last.open / 4) : 0
  const begun =
    last && part > 0
      ? [{ amount: part, bookedOn: last.due, source: `demo:part:${last.id}`, references: [last.number] }]
      : []
  return [...one(older), ...one(recent), ...begun]
}

/** Finds the seller's own bank account, or the organiser's when it collects on the seller's behalf. */
async function loadAccountFinder(deps: Deps, companyId: number) {
  const accounts = await loadBankAccounts(deps.db, companyId)
  const organisers = new Set(
    (await loadSellers(deps.db, companyId)).filter((one) => !one.participantId).map(({ id }) => id),
  )
  const common = accounts.find(({ ownerId }) => organisers.has(ownerId))
  return (sellerId: string) => accounts.find(({ ownerId }) => ownerId === sellerId) ?? common
}

/** All participants with a user account, including the published demo account. */
async function loadPortalUsers(deps: Deps, companyId: number) {
  const rows = await deps.db
    .select({ id: participants.id, email: users.email })
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .where(eq(participants.companyId, companyId))
  const visitor = DEMO_PEOPLE.find(({ role }) => role === 'client')?.email
  return { all: new Set(rows.map(({ id }) => id)), visitor: rows.find(({ email }) => email === visitor)?.id }
}

const getPairKey = ({ sellerId, buyerId }: PairAccount['pair']) => `${sellerId} ${buyerId}`

type Debtor = { account: PairAccount; owed: OwedInvoice[] }

const getLastNumber = ({ owed }: Debtor) => owed.at(-1)?.number ?? ''

const getLastDue = ({ owed }: Debtor) => owed.at(-1)?.due ?? ''

const getLastOpenAmount = ({ owed }: Debtor) => owed.at(-1)?.open ?? 0

/**
 * Chooses the invoices left unpaid: those for the bank data, one that the demo visitor can pay online, and two late
 * ones.
 */
async function chooseOpenInvoices(
  deps: Deps,
  companyId: number,
  debtors: Debtor[],
): Promise<Map<string, LastInvoiceState>> {
  const signing = await loadPortalUsers(deps, companyId)
  const ownAccounts = await deps.db
    .selectDistinct({ creditorId: mandates.creditorId })
    .from(mandates)
    .where(eq(mandates.companyId, companyId))
  const banked = new Set(ownAccounts.map(({ creditorId }) => creditorId))
  const buyers = await loadBuyers(deps.db, companyId, [
    ...new Set(debtors.map(({ account }) => account.pair.buyerId ?? '')),
  ])
  const sellers = new Map((await loadSellers(deps.db, companyId)).map((seller) => [seller.id, seller]))
  const left = new Map<string, LastInvoiceState>()
  for (const [sellerId, own] of Map.groupBy(debtors, ({ account }) => account.pair.sellerId))
    if (banked.has(sellerId)) {
      const latest = own.reduce((day, one) => (getLastDue(one) > day ? getLastDue(one) : day), '')
      const waiting = own
        .filter((one) => getLastDue(one) === latest)
        .toSorted((a, b) => (getLastNumber(a) < getLastNumber(b) ? -1 : 1))
      for (const { account } of waiting.slice(0, INVOICES_LEFT_TO_BANK)) left.set(getPairKey(account.pair), 'open')
    }
  const largest = debtors.toSorted((a, b) => getLastOpenAmount(b) - getLastOpenAmount(a))
  const free = ({ account: { pair } }: Debtor) => !left.has(getPairKey(pair)) && !signing.all.has(pair.buyerId ?? '')
  const isOther = ({ account: { pair } }: Debtor) => sellers.get(pair.sellerId)?.participantId !== pair.buyerId
  const getBuyerKind = ({ account: { pair } }: Debtor) => buyers.get(pair.buyerId ?? '')?.kind
  const firm = largest.find((one) => free(one) && isOther(one) && getBuyerKind(one) === 'company')
  const person = largest.find((one) => free(one) && getBuyerKind(one) === 'person')
  if (firm) left.set(getPairKey(firm.account.pair), 'open')
  if (person) left.set(getPairKey(person.account.pair), 'part')
  const own = largest.find(
    (one) => one.account.pair.buyerId === signing.visitor && getLastOpenAmount(one) >= MIN_ONLINE_PAYMENT_CENTS,
  )
  if (own) left.set(getPairKey(own.account.pair), 'open')
  return left
}

type RecordedPayment = { source: string; bookedOn: string }

/** The first call leaves a few invoices unpaid; later calls pay only what fell due since, and do not touch those. */
async function payInvoices(
  deps: Deps,
  actor: Actor,
  all: PairAccount[],
  today: string,
  recorded: readonly RecordedPayment[],
) {
  const { companyId } = actor
  const recordedSources = new Set(recorded.map(({ source }) => source))
  const until = recorded.reduce((day, { bookedOn }) => (bookedOn > day ? bookedOn : day), '')
  const bank = await loadAccountFinder(deps, companyId)
  const debtors = all.map((account) => ({
    account,
    owed: listOverdueInvoices(account, today).filter(({ due }) => due > until),
  }))
  const left = until ? new Map<string, LastInvoiceState>() : await chooseOpenInvoices(deps, companyId, debtors)
  for (const { account, owed } of debtors) {
    const newPayments = buildPayments(owed, left.get(getPairKey(account.pair)) ?? 'paid').filter(
      ({ source }) => !recordedSources.has(source),
    )
    const accountId = bank(account.pair.sellerId)?.id ?? null
    const how = { kind: 'receipt' as const, method: 'transfer' as const, accountId }
    if (newPayments.length)
      await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
        for (const one of newPayments)
          await postPayment(tx, companyId, { ...account.pair, ...how, ...one }, formatActorName(actor))
      })
  }
}

/** The largest debtor received a reminder yesterday. */
async function remindFirstDebtor(deps: Deps, actor: Actor, today: string) {
  const { companyId } = actor
  const first = (await loadDueAccounts(deps.db, companyId, today)).find(
    ({ level, last }) => level !== null && last === null,
  )
  if (!first || first.level === null) return
  const by = formatActorName(actor)
  const context = { companyId, secrets: deps.secrets, by, today, mailedAt: new Date(`${today}T07:30:00Z`) }
  const order = { sellerId: first.seller.id, buyerId: first.buyer.id, level: first.level, formal: true }
  await transaction(scopeToCompany(deps.db, companyId), (tx) => sendReminder(tx, context, order))
}

/**
 * A well-run company: everything is paid except by two late payers, one of whom was reminded; payouts to producers are
 * under way.
 */
async function fillCash(deps: Deps, actor: Actor, today: string): Promise<void> {
  const { companyId } = actor
  const accounts = (await loadPairAccounts(deps.db, companyId)).filter(({ pair }) => pair.buyerId !== null)
  const rows = await deps.db
    .select({ source: payments.source, bookedOn: payments.bookedOn })
    .from(payments)
    .where(and(eq(payments.companyId, companyId), like(payments.source, 'demo:%')))
  await payInvoices(deps, actor, accounts, today, rows)
  if (rows.length || !accounts.length) return
  await remindFirstDebtor(deps, actor, addDays(today, -1))
  const due = (await loadDuePayouts(deps.db, companyId)).find(({ waits }) => waits === '')
  const bank = (await loadBankAccounts(deps.db, companyId)).find(({ ownerId }) => ownerId === due?.holder.id)
  if (due && bank)
    await transaction(scopeToCompany(deps.db, companyId), (tx) =>
      planPayouts(tx, actor, { accountId: bank.id, sellerIds: [due.seller.id] }),
    )
}

/**
 * Brings the data of the demo company up to yesterday. Each part is committed as soon as it is built and built only
 * once: an interrupted fill resumes and ends with the same data, and a complete one changes nothing.
 */
export async function fillDemo(
  deps: Deps,
  { companyId, today, scale = createFullScale, signal }: FillDemoOptions,
): Promise<FillTotals> {
  const demoDay = await findDemoDay(deps.db, companyId)
  const plan = scale(demoDay ?? today)
  const actor = await loadFirstAdmin(deps.db, companyId)
  if (!demoDay) await buildStructure(deps, actor, plan)
  await fillParties(deps, actor, plan)
  await fillTariffs(deps, actor, plan)
  const filled: FillTotals = { days: 0, runs: 0 }
  const forecasting: Promise<void>[] = []
  try {
    for (const operation of buildRunningOperations(plan)) {
      const filling = { companyId, actor, today, site: createReadingSite(operation.values, plan.anchor), signal }
      filled.days += await fillCurves(deps, operation, filling)
      await applyEarlyCorrections(deps, operation, filling)
      // Worker threads fit the forecast models while the months are computed and billed.
      const forecast = fillForecasts(deps, actor, operation, today, signal)
      forecast.catch(() => {}) // the error is thrown where it is awaited
      forecasting.push(forecast)
      const bill = (until: string) => fillBilling(deps, actor, operation, until, signal)
      filled.runs += await fillRuns(deps, operation, filling, bill)
      await settleCorrections(deps, actor, operation)
    }
  } catch (error) {
    // Waits for the background work, so that nothing goes on after an abort.
    await Promise.allSettled(forecasting)
    throw error
  }
  await fillRegulatory(deps, actor)
  await fillBank(deps, actor, today)
  await fillCash(deps, actor, today)
  await fillOnline(deps, actor, today)
  await fillSso(deps, actor)
  await fillBooks(deps, actor, plan.anchor)
  await fillKeys(deps, actor)
  await fillConnections(deps, actor)
  await fillFlowRules(deps, actor)
  await fillIncidents(deps, companyId)
  await fillSupport(deps, actor, today)
  await fillMessages(deps, actor, today)
  await fillJoining(deps, actor)
  await fillInsights(deps, companyId, buildRunningOperations(plan), signal)
  await Promise.all(forecasting)
  return filled
}

/** Corrects the invoices that the distributor's figures proved wrong. */
export async function settleAllCorrections(deps: Deps, companyId: number): Promise<void> {
  const actor = await loadFirstAdmin(deps.db, companyId)
  const anchor = await findDemoDay(deps.db, companyId)
  if (anchor)
    for (const operation of buildRunningOperations(createFullScale(anchor)))
      await settleCorrections(deps, actor, operation)
}

const EXAMPLE_MONTHS = 3
const EXAMPLE_HOMES = 6

const buildExampleScale = (anchor: string): DemoScale => ({
  anchor,
  startsOn: addMonths(monthOf(anchor), -EXAMPLE_MONTHS),
  homes: EXAMPLE_HOMES,
  whole: false,
})

/** Marks documents and lists as belonging to an example. */
const markAsExample = (tx: Db, companyId: number, name: string) =>
  tx
    .update(operations)
    .set({ name: `${name} (exemple)` })
    .where(and(eq(operations.companyId, companyId), eq(operations.id, TILLEULS_ID)))

type FillExampleOptions = { companyId: number; today: string; signal?: AbortSignal | undefined }

/** Fills a small building over a few months, from its participants to its invoices. Resumes when interrupted. */
export async function fillExample(deps: Deps, { companyId, today, signal }: FillExampleOptions): Promise<void> {
  const demoDay = await findDemoDay(deps.db, companyId)
  const plan = buildExampleScale(demoDay ?? today)
  const actor = await loadFirstAdmin(deps.db, companyId)
  if (!demoDay)
    await transaction(deps.db, async (tx) => {
      await buildStructure({ ...deps, db: tx }, actor, plan)
      for (const { values } of buildRunningOperations(plan)) await markAsExample(tx, companyId, values.name)
    })
  await fillParties(deps, actor, plan)
  await fillTariffs(deps, actor, plan)
  for (const operation of buildRunningOperations(plan)) {
    const filling = {
      companyId,
      actor,
      today: plan.anchor,
      site: createReadingSite(operation.values, plan.anchor),
      signal,
    }
    await fillCurves(deps, operation, filling)
    await fillRuns(deps, operation, filling, (until) => fillBilling(deps, actor, operation, until, signal))
  }
}

/** The first administrator of the company, who is recorded as the author of the demo data. */
export async function loadFirstAdmin(db: Db, companyId: number): Promise<Actor> {
  const { rows } = await db.execute<{ userId: string }>(sql`
    select user_id as "userId" from memberships
     where company_id = ${companyId} and role = 'admin' and accepted_at is not null and disabled_at is null
     order by created_at, user_id limit 1`)
  const actor = rows[0] && (await loadJobActor(db, companyId, rows[0].userId))
  if (!actor) throw new Error('the demo company has no administrator')
  return actor
}

/** Days since the weather was connected, since full forecasts are kept, and since production forecasts are issued. */
const CONNECTED_DAYS = 400
const WEATHER_DAYS = 110
const ISSUED_DAYS = 45
const PLANT_DAYS = 22
const FORECAST_DAYS = 8
/** Small batches yield to other requests in between. */
const DAYS_PER_BATCH = 30
const NO_FAULTS = { nulls: false, missingHours: false }

type Place = { latitude: number; longitude: number }

async function loadStoredRunDays(db: Db, companyId: number, { latitude, longitude }: Place): Promise<Set<string>> {
  const { rows } = await db.execute<{ day: string }>(sql`
    select distinct (issued_at at time zone 'UTC')::date::text as day from weather_runs
     where company_id = ${companyId} and latitude = ${toTenths(latitude)} and longitude = ${toTenths(longitude)}`)
  return new Set(rows.map(({ day }) => day))
}

/**
 * The forecasts that the provider would have issued at midnight of each day, with an error that grows with the lead
 * time.
 */
async function fillWeather(db: Db, companyId: number, place: Place, today: string): Promise<void> {
  const storedDays = await loadStoredRunDays(db, companyId, place)
  const days = listDays(addDays(today, -CONNECTED_DAYS), addDays(today, 1)).filter((day) => !storedDays.has(day))
  const whole = addDays(today, -WEATHER_DAYS)
  const [latitude, longitude] = [toTenths(place.latitude), toTenths(place.longitude)]
  const asked = { latitude: latitude / 10, longitude: longitude / 10, hourly: WEATHER_VARIABLES }
  for (let at = 0; at < days.length; at += DAYS_PER_BATCH) {
    const rows = days.slice(at, at + DAYS_PER_BATCH).map((day) => {
      const issuedAt = new Date(`${day}T00:00:00Z`)
      // For older forecasts the day itself is enough: its temperature and its irradiance.
      const wanted = { ...asked, days: day < whole ? 1 : FORECAST_DAYS, now: issuedAt }
      const { values } = parseWeatherForecast(JSON.stringify(simulateForecast(wanted, NO_FAULTS)))
      return { companyId, latitude, longitude, issuedAt, values }
    })
    await db.insert(weatherRuns).values(rows).onConflictDoNothing()
    await setImmediate()
  }
}

const toMorning = (day: string) => new Date(`${day}T04:10:00Z`)

/** Fitting every model for each plant would take longer than building the rest of the demo. */
const QUICK_FIT = { only: 'weather', leads: [0, 1, 3, 6] } as const

/**
 * Issues the forecasts of each morning of the last weeks from the readings and the weather known by then; they are
 * marked as made later. The very first call also issues today's forecasts.
 */
async function fillForecasts(
  deps: Deps,
  { companyId }: Actor,
  { values }: OperationPlan,
  today: string,
  signal?: AbortSignal,
): Promise<void> {
  const operation = { companyId, operationId: values.id }
  const first = addDays(today, -ISSUED_DAYS)
  const issuedDays = await listIssuedDays(deps.db, companyId, values.id, first)
  const past = listDays(first, today).map((day) => ({ day, issuedAt: toMorning(day), rebuilt: true }))
  const whens = issuedDays.size ? past : [...past, { day: today, issuedAt: new Date() }]
  const plantWhens = whens.slice(-PLANT_DAYS)
  await fillWeather(deps.db, companyId, values, today)
  await issueForecasts(deps, {
    ...operation,
    whens,
    plantWhens,
    fit: { ...QUICK_FIT, leads: [...QUICK_FIT.leads] },
    signal,
  })
  await scoreForecasts(deps, { ...operation, from: first, to: today })
}

/** Runs the nightly analysis of the demo company at once, so that its findings are visible on the first day. */
async function fillInsights(
  deps: Deps,
  companyId: number,
  plans: OperationPlan[],
  signal?: AbortSignal,
): Promise<void> {
  const looks = await deps.db.select().from(insightLooks).where(eq(insightLooks.companyId, companyId))
  const lookedAt = new Set(looks.map(({ operationId }) => operationId))
  for (const { values } of plans)
    if (!lookedAt.has(values.id)) await findAndStoreInsights(deps, { companyId, operationId: values.id, signal })
}

/**
 * The annexes of the first operation as they were sent to the distributor: created once, and not changed by later
 * edits.
 */
async function fillRegulatory(deps: Deps, actor: Actor) {
  const { companyId } = actor
  const where = and(eq(regulatoryExports.companyId, companyId), eq(regulatoryExports.operationId, TILLEULS_ID))
  const [existing] = await deps.db.select({ id: regulatoryExports.id }).from(regulatoryExports).where(where).limit(1)
  if (existing) return
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    for (const kind of ['consumers', 'producers'] as const) {
      const { id } = await createRegulatoryExport(tx, deps, actor, { operationId: TILLEULS_ID, kind, period: '' })
      const sent = { sentOn: getToday(), to: 'Enedis, guichet autoconsommation collective', channel: 'mail' as const }
      await recordExportSending(tx, actor, id, { ...sent, note: '' })
    }
  })
}
