import type { DueAccount } from '@voisol/contract/reminders'
import { addDays, daysBetween } from '@voisol/money/days'
import { dunningLevel } from '@voisol/money/dunning'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { sellers } from '../../../db/schema/index.ts'
import { openOfAccount, type PairAccount, readAccounts } from '../invoices/invoices.ts'
import { type BuyerRow, buyersOf } from '../parties/parties.ts'
import { type HeldSettings, settingsOn } from '../settings/settings.ts'
import { accountKey, bankSilence, debitsUnderWay, type HoldRow, openHolds, sentSoFar } from './facts.ts'
import { type Fees, lateFees } from './fees.ts'
import { paidSince, stopOf } from './hold-state.ts'

type Owed = { id: string; number: string; due: string; open: number }
type Scene = {
  today: string
  settings: HeldSettings
  sent: Awaited<ReturnType<typeof sentSoFar>>
  holds: Map<string, HoldRow[]>
  debited: Set<string>
  silence: (sellerId: string) => string
  fees: (items: readonly Owed[]) => Fees
  sellers: Map<string, string>
  buyers: Map<string, BuyerRow>
}

export function overdueOf(account: PairAccount, today: string): Owed[] {
  const open = openOfAccount(account)
  return account.entries
    .filter(({ of, side, due, id }) => of === 'document' && side === 'debit' && due < today && (open.get(id) ?? 0) > 0)
    .map(({ id, number, due }) => ({ id, number, due, open: open.get(id) ?? 0 }))
    .sort((a, b) => (a.due < b.due ? -1 : 1))
}

const OFFSETS = ['reminder.days1', 'reminder.days2', 'reminder.days3', 'reminder.days4'] as const

/** What stops a document, or all of its account. */
function stopsOf(account: PairAccount, owed: Owed[], scene: Scene): Map<string, string> {
  const { today, holds, debited, silence } = scene
  const stops = new Map<string, string>()
  const all = silence(account.pair.sellerId)
  for (const { id } of owed) {
    const own = (holds.get(accountKey(account.pair)) ?? [])
      .filter(({ invoiceId }) => invoiceId === null || invoiceId === id)
      .map((hold) => stopOf(hold, paidSince(account, hold.startsOn), today))
      .find(Boolean)
    const stop = own || (debited.has(id) ? 'Un prélèvement est en cours.' : '') || all
    if (stop) stops.set(id, stop)
  }
  return stops
}

/** The account in the light of the day: which documents are reminded of, at which level, or why none is. */
function dueAccount(account: PairAccount, owed: Owed[], scene: Scene): DueAccount | undefined {
  const { settings, sent, today } = scene
  const { sellerId, buyerId } = account.pair
  const buyer = scene.buyers.get(buyerId ?? '')
  if (!buyer || !buyerId) return
  const overdue = owed.reduce((sum, { open }) => sum + open, 0)
  const stops = stopsOf(account, owed, scene)
  const past = sent.toAccount(accountKey(account.pair))
  const last = past.at(-1)
  const gap = settings['reminder.gapDays'].value
  const tooSoon = last !== undefined && today < addDays(last.sentOn, gap)
  const items = owed.flatMap((one) => {
    const level = dunningLevel({
      due: one.due,
      today,
      sent: sent.byDocument.get(one.id) ?? [],
      offsets: OFFSETS.map((name) => settings[name].value),
      gap,
      blocked: stops.has(one.id) || tooSoon,
      // What is owed in all counts: several small sums are one that is not.
      open: overdue,
      least: settings['reminder.leastCents'].value,
    })
    return level === null ? [] : [{ ...one, level }]
  })
  return {
    seller: { id: sellerId, name: scene.sellers.get(sellerId) ?? '' },
    buyer: { id: buyerId, name: buyer.name, kind: buyer.kind, email: buyer.email },
    overdue,
    late: daysBetween(owed[0]?.due ?? today, today),
    level: items.length ? Math.max(...items.map(({ level }) => level)) : null,
    items,
    stopped: items.length ? '' : ([...stops.values()][0] ?? ''),
    last: last ? { level: last.level, sentOn: last.sentOn } : null,
    fees: buyer.kind === 'person' ? null : scene.fees(owed),
  }
}

async function sceneOf(db: Db, companyId: number, today: string, accounts: PairAccount[]): Promise<Scene> {
  const settings = await settingsOn(db, companyId, today)
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
    sent: await sentSoFar(db, companyId),
    holds: Map.groupBy(await openHolds(db, companyId), accountKey),
    debited: await debitsUnderWay(db, companyId),
    silence: await bankSilence(db, companyId, { today, days: settings['reminder.bankDays'].value }),
    fees: (await lateFees(db, companyId, today)).ofAccount,
    sellers: new Map(names.map(({ id, name }) => [id, name])),
    buyers: await buyersOf(db, companyId, [...new Set(accounts.flatMap(({ pair }) => pair.buyerId ?? []))]),
  }
}

/** Every account with something overdue, those to be reminded first, then those who owe most. */
export async function dueAccounts(
  db: Db,
  companyId: number,
  today: string,
  only?: { sellerId: string; buyerId: string },
): Promise<DueAccount[]> {
  const pair = only && { ...only, clientSellerId: null }
  const accounts = await readAccounts(db, companyId, pair ? { pair } : {})
  const late = accounts
    .filter((account) => account.pair.buyerId !== null)
    .map((account) => ({ account, owed: overdueOf(account, today) }))
    .filter(({ owed }) => owed.length > 0)
  const scene = await sceneOf(
    db,
    companyId,
    today,
    late.map(({ account }) => account),
  )
  return late
    .flatMap(({ account, owed }) => dueAccount(account, owed, scene) ?? [])
    .sort((a, b) => Number(a.level === null) - Number(b.level === null) || b.overdue - a.overdue)
}
