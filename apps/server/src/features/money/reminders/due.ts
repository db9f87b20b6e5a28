import type { DueAccount } from '@voisol/contract/reminders'
import { addDays, daysBetween } from '@voisol/money/days'
import { computeDunningLevel } from '@voisol/money/dunning'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { sellers } from '../../../db/schema/index.ts'
import { computeAccountOpenAmounts, loadPairAccounts, type PairAccount } from '../invoices/invoices.ts'
import { type BuyerRow, loadBuyers } from '../parties/parties.ts'
import { type EffectiveSettings, loadSettingsOn } from '../settings/settings.ts'
import {
  getAccountKey,
  type HoldRow,
  loadInvoiceIdsUnderDebit,
  loadOpenHolds,
  loadSentReminders,
  loadStaleBankReasonFinder,
} from './facts.ts'
import { type LateFeeAmounts, loadLateFeeCalculators } from './fees.ts'
import { getStopReason, sumPaidSince } from './hold-state.ts'

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
  const settings = await loadSettingsOn(db, companyId, today)
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
    fees: (await loadLateFeeCalculators(db, companyId, today)).ofAccount,
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
