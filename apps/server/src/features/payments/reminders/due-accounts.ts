import type { DueAccount, Hold, LateFees } from '@voisol/contract/reminders'
import { formatEuros, formatLongDay } from '@voisol/documents/number-and-date-formats'
import { computeDunningLevel, computeInterestCents, type InterestSpan } from '@voisol/money/collection'
import { addDays, daysBetween, intersectPeriods, type ValidityPeriod } from '@voisol/money/days'
import { and, asc, eq, inArray, like, max } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import {
  bankAccounts,
  bankStatements,
  debitInvoices,
  debits,
  payments,
  reminderHolds,
  reminderItems,
  reminders,
  sellers,
} from '../../../db/schema/index.ts'
import { computeAccountOpenAmounts, loadPairAccounts, type PairAccount } from '../../billing/invoices/index.ts'
import { type BuyerRow, loadBuyers, loadCreditorsOn } from '../../billing/parties/index.ts'
import {
  type EffectiveSettings,
  getSettingPeriods,
  getSettingsOn,
  loadSettingHistory,
  type SettingHistory,
} from '../../billing/settings/index.ts'

export type SentReminder = { level: number; sentOn: string; open: number }
export type HoldRow = typeof reminderHolds.$inferSelect

export const getAccountKey = ({ sellerId, buyerId }: { sellerId: string; buyerId: string | null }) =>
  `${sellerId} ${buyerId}`

/** Past reminders: by document their days, by account the reminders, both in order. */
export async function loadSentReminders(db: Db, companyId: number) {
  const rows = await db
    .select({ row: reminders, invoiceId: reminderItems.invoiceId })
    .from(reminders)
    .innerJoin(
      reminderItems,
      and(eq(reminderItems.companyId, reminders.companyId), eq(reminderItems.reminderId, reminders.id)),
    )
    .where(eq(reminders.companyId, companyId))
    .orderBy(asc(reminders.sentOn))
  const byDocument = new Map<string, string[]>()
  const byAccount = new Map<string, Map<string, SentReminder>>()
  for (const { row, invoiceId } of rows) {
    byDocument.set(invoiceId, [...(byDocument.get(invoiceId) ?? []), row.sentOn])
    const own = byAccount.get(getAccountKey(row)) ?? new Map<string, SentReminder>()
    byAccount.set(getAccountKey(row), own.set(row.id, { level: row.level, sentOn: row.sentOn, open: row.open }))
  }
  return { byDocument, toAccount: (key: string): SentReminder[] => [...(byAccount.get(key)?.values() ?? [])] }
}

const loadOpenHolds = async (db: Db, companyId: number): Promise<HoldRow[]> =>
  (await db.select().from(reminderHolds).where(eq(reminderHolds.companyId, companyId))).filter(
    ({ closedOn }) => closedOn === null,
  )

/** The documents that a pending debit will pay. */
async function loadInvoiceIdsUnderDebit(db: Db, companyId: number): Promise<Set<string>> {
  const rows = await db
    .select({ invoiceId: debitInvoices.invoiceId })
    .from(debitInvoices)
    .innerJoin(debits, and(eq(debits.companyId, debitInvoices.companyId), eq(debits.id, debitInvoices.debitId)))
    .where(and(eq(debitInvoices.companyId, companyId), inArray(debits.status, ['planned', 'sent'])))
  return new Set(rows.map(({ invoiceId }) => invoiceId))
}

/**
 * Why a seller's bank data is too old to send reminders: a payment may have arrived since. This covers the seller's
 * accounts, and the organiser's when it collects for the seller or the seller has none. Every account that was ever
 * imported must be recent, since the payment may be on any of them. When no statement was ever imported, payments are
 * entered by hand and nothing blocks reminders.
 */
async function loadStaleBankReasonFinder(db: Db, companyId: number, { today, days }: { today: string; days: number }) {
  const accounts = await db
    .select({ id: bankAccounts.id, ownerId: bankAccounts.ownerId, participantId: sellers.participantId })
    .from(bankAccounts)
    .innerJoin(sellers, and(eq(sellers.companyId, bankAccounts.companyId), eq(sellers.id, bankAccounts.ownerId)))
    .where(and(eq(bankAccounts.companyId, companyId), eq(bankAccounts.kind, 'bank')))
  const rows = await db
    .select({ accountId: bankStatements.accountId, to: max(bankStatements.to) })
    .from(bankStatements)
    .where(eq(bankStatements.companyId, companyId))
    .groupBy(bankStatements.accountId)
  const last = new Map(rows.map(({ accountId, to }) => [accountId, to]))
  const creditors = await loadCreditorsOn(db, companyId, today)
  return (sellerId: string): string => {
    const own = accounts.filter(({ ownerId }) => ownerId === sellerId)
    const collector = creditors.get(sellerId)?.id
    const others = accounts.filter(({ ownerId, participantId }) =>
      own.length ? ownerId === collector && collector !== sellerId : participantId === null,
    )
    const [oldest] = [...own, ...others].flatMap(({ id }) => last.get(id) ?? []).sort()
    return oldest && addDays(oldest, days) < today
      ? `Le dernier relevé de banque est du ${formatLongDay(oldest)}\u00a0: un paiement peut être arrivé.`
      : ''
  }
}

export type LateFeeAmounts = z.infer<typeof LateFees>
type OverdueAmount = { id: string; due: string; open: number }
type RatePeriod = ValidityPeriod & { value: number }

/** Days late under each interest rate in force meanwhile. */
const splitByRate = (rates: readonly RatePeriod[], due: string, today: string): InterestSpan[] =>
  rates.flatMap((rate) => {
    const part = intersectPeriods({ from: addDays(due, 1), to: addDays(today, 1) }, rate)
    return part ? [{ days: daysBetween(part.from, part.to), rateBp: rate.value }] : []
  })

/** Late fees already charged, by document: the indemnity, and interest so far. */
async function loadClaimedAmounts(db: Db, companyId: number) {
  const rows = await db
    .select({ source: payments.source, amount: payments.amount })
    .from(payments)
    .where(and(eq(payments.companyId, companyId), eq(payments.kind, 'charge'), like(payments.source, 'claim:%')))
  const sums = new Map<string, number>()
  for (const { source, amount } of rows) {
    const [, invoiceId, what] = source.split(':')
    const key = `${invoiceId} ${what}`
    sums.set(key, (sums.get(key) ?? 0) + amount)
  }
  return sums
}

/** Late fees by document for businesses; individuals are never charged any. */
export async function loadLateFeeCalculators(db: Db, companyId: number, today: string, history: SettingHistory) {
  const indemnity = getSettingsOn(history, today)['recovery.indemnityCents'].value
  const rates = getSettingPeriods(history, 'recovery.rateBp')
  const claimed = await loadClaimedAmounts(db, companyId)
  const ofDocument = ({ id, due, open }: OverdueAmount): LateFeeAmounts => ({
    indemnity: claimed.has(`${id} indemnity`) ? 0 : indemnity,
    interest: Math.max(
      0,
      computeInterestCents(open, splitByRate(rates, due, today)) - (claimed.get(`${id} interest`) ?? 0),
    ),
  })
  const ofAccount = (items: readonly OverdueAmount[]): LateFeeAmounts =>
    items.map(ofDocument).reduce(
      (sum, one) => ({
        indemnity: sum.indemnity + one.indemnity,
        interest: sum.interest + one.interest,
      }),
      { indemnity: 0, interest: 0 },
    )
  return { ofDocument, ofAccount }
}

const ScheduleParts = z.array(z.object({ on: z.string(), amount: z.int() }))

/** Payments received since a day, minus those reversed. */
export function sumPaidSince({ entries, matches }: PairAccount, day: string): number {
  const reversed = new Set<string>()
  const backs = new Set(entries.filter(({ kind }) => kind === 'return' || kind === 'undo').map(({ id }) => id))
  for (const { debit, credit } of matches) if (backs.has(debit)) reversed.add(credit)
  return entries
    .filter(({ id, kind, bookedOn }) => kind === 'receipt' && bookedOn >= day && !reversed.has(id))
    .reduce((sum, { amount }) => sum + amount, 0)
}

/**
 * The parts of a payment schedule: one is kept when everything due up to it was received, and broken when its day
 * passed without.
 */
export function getScheduleParts(row: Pick<HoldRow, 'parts'>, paid: number, today: string): Hold['parts'] {
  let expectedSoFar = 0
  return ScheduleParts.parse(row.parts).map((part) => {
    expectedSoFar += part.amount
    return { ...part, state: expectedSoFar <= paid ? 'kept' : part.on < today ? 'broken' : 'coming' }
  })
}

/** Why a hold stops reminders today; empty when it does not. */
export function getStopReason(row: HoldRow, paid: number, today: string): string {
  if (row.closedOn !== null) return ''
  if (row.kind === 'dispute') return `Litige ouvert le ${formatLongDay(row.startsOn)}\u00a0: ${row.reason}`
  if (row.kind === 'promise')
    return row.until !== null && row.until >= today ? `Paiement promis pour le ${formatLongDay(row.until)}.` : ''
  const parts = getScheduleParts(row, paid, today)
  const next = parts.find(({ state }) => state === 'coming')
  if (parts.some(({ state }) => state === 'broken') || !next) return ''
  return `Échéancier tenu\u00a0: ${formatEuros(next.amount)} attendus le ${formatLongDay(next.on)}.`
}

type OverdueDocument = { id: string; number: string; due: string; open: number }
type ReminderContext = {
  today: string
  settings: EffectiveSettings
  sent: Awaited<ReturnType<typeof loadSentReminders>>
  holds: Map<string, HoldRow[]>
  debited: Set<string>
  silence: (sellerId: string) => string
  fees: (items: readonly OverdueDocument[]) => LateFeeAmounts
  sellers: Map<string, string>
  buyers: Map<string, BuyerRow>
}

export function listOverdueDocuments(account: PairAccount, today: string): OverdueDocument[] {
  const open = computeAccountOpenAmounts(account)
  return account.entries
    .filter(({ of, side, due, id }) => of === 'document' && side === 'debit' && due < today && (open.get(id) ?? 0) > 0)
    .map(({ id, number, due }) => ({ id, number, due, open: open.get(id) ?? 0 }))
    .sort((a, b) => (a.due < b.due ? -1 : 1))
}

const OFFSET_SETTINGS = ['reminder.days1', 'reminder.days2', 'reminder.days3', 'reminder.days4'] as const

/** Why reminders stop for a document, or for its whole account. */
function findStopReasons(account: PairAccount, owed: OverdueDocument[], context: ReminderContext): Map<string, string> {
  const { today, holds, debited, silence } = context
  const stops = new Map<string, string>()
  const all = silence(account.pair.sellerId)
  for (const { id } of owed) {
    const own = (holds.get(getAccountKey(account.pair)) ?? [])
      .filter(({ invoiceId }) => invoiceId === null || invoiceId === id)
      .map((hold) => getStopReason(hold, sumPaidSince(account, hold.startsOn), today))
      .find(Boolean)
    const stop = own || (debited.has(id) ? 'Un prélèvement est en cours.' : '') || all
    if (stop) stops.set(id, stop)
  }
  return stops
}

/** The state of an account on a day: the documents to remind of and their level, or why there is none. */
function toDueAccount(account: PairAccount, owed: OverdueDocument[], context: ReminderContext): DueAccount | undefined {
  const { settings, sent, today } = context
  const { sellerId, buyerId } = account.pair
  const buyer = context.buyers.get(buyerId ?? '')
  if (!buyer || !buyerId) return
  const overdue = owed.reduce((sum, { open }) => sum + open, 0)
  const stops = findStopReasons(account, owed, context)
  const past = sent.toAccount(getAccountKey(account.pair))
  const last = past.at(-1)
  const gap = settings['reminder.gapDays'].value
  // At most one reminder a day, whatever the company's setting.
  const tooSoon = last !== undefined && today < addDays(last.sentOn, Math.max(gap, 1))
  const items = owed.flatMap((one) => {
    const level = computeDunningLevel({
      due: one.due,
      today,
      sent: sent.byDocument.get(one.id) ?? [],
      offsets: OFFSET_SETTINGS.map((name) => settings[name].value),
      gap,
      blocked: stops.has(one.id) || tooSoon,
      // The threshold applies to the total: several small amounts may exceed it together.
      open: overdue,
      least: settings['reminder.leastCents'].value,
    })
    return level === null ? [] : [{ ...one, level }]
  })
  return {
    seller: { id: sellerId, name: context.sellers.get(sellerId) ?? '' },
    buyer: { id: buyerId, name: buyer.name, kind: buyer.kind, email: buyer.email },
    overdue,
    late: daysBetween(owed[0]?.due ?? today, today),
    level: items.length ? Math.max(...items.map(({ level }) => level)) : null,
    items,
    stopped: items.length ? '' : ([...stops.values()][0] ?? ''),
    last: last ? { level: last.level, sentOn: last.sentOn } : null,
    fees: buyer.kind === 'person' ? null : context.fees(owed),
  }
}

async function loadReminderContext(
  db: Db,
  companyId: number,
  today: string,
  accounts: PairAccount[],
): Promise<ReminderContext> {
  const history = await loadSettingHistory(db, companyId)
  const settings = getSettingsOn(history, today)
  const sellerIds = [...new Set(accounts.map(({ pair }) => pair.sellerId))]
  const names = sellerIds.length
    ? await db
        .select({ id: sellers.id, name: sellers.name })
        .from(sellers)
        .where(and(eq(sellers.companyId, companyId), inArray(sellers.id, sellerIds)))
    : []
  return {
    today,
    settings,
    sent: await loadSentReminders(db, companyId),
    holds: Map.groupBy(await loadOpenHolds(db, companyId), getAccountKey),
    debited: await loadInvoiceIdsUnderDebit(db, companyId),
    silence: await loadStaleBankReasonFinder(db, companyId, { today, days: settings['reminder.bankDays'].value }),
    fees: (await loadLateFeeCalculators(db, companyId, today, history)).ofAccount,
    sellers: new Map(names.map(({ id, name }) => [id, name])),
    buyers: await loadBuyers(db, companyId, [...new Set(accounts.flatMap(({ pair }) => pair.buyerId ?? []))]),
  }
}

/** Every account with an overdue document: those to remind first, then by amount owed. */
export async function loadDueAccounts(
  db: Db,
  companyId: number,
  today: string,
  only?: { sellerId: string; buyerId: string },
): Promise<DueAccount[]> {
  const pair = only && { ...only, clientSellerId: null }
  const accounts = await loadPairAccounts(db, companyId, pair ? { pair } : {})
  const overdueAccounts = accounts
    .filter((account) => account.pair.buyerId !== null)
    .map((account) => ({ account, owed: listOverdueDocuments(account, today) }))
    .filter(({ owed }) => owed.length > 0)
  const context = await loadReminderContext(
    db,
    companyId,
    today,
    overdueAccounts.map(({ account }) => account),
  )
  return overdueAccounts
    .flatMap(({ account, owed }) => toDueAccount(account, owed, context) ?? [])
    .sort((a, b) => Number(a.level === null) - Number(b.level === null) || b.overdue - a.overdue)
}
