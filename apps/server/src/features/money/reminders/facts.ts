import { addDays } from '@voisol/money/days'
import { and, asc, eq, inArray, max } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import {
  bankAccounts,
  bankStatements,
  debitInvoices,
  debits,
  reminderHolds,
  reminderItems,
  reminders,
  sellers,
} from '../../../db/schema/index.ts'
import { formatLongDay } from '../../../papers/words.ts'
import { loadCreditorsOn } from '../parties/parties.ts'

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

export const loadOpenHolds = async (db: Db, companyId: number): Promise<HoldRow[]> =>
  (await db.select().from(reminderHolds).where(eq(reminderHolds.companyId, companyId))).filter(
    ({ closedOn }) => closedOn === null,
  )

/** The documents that a pending debit will pay. */
export async function loadInvoiceIdsUnderDebit(db: Db, companyId: number): Promise<Set<string>> {
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
export async function loadStaleBankReasonFinder(
  db: Db,
  companyId: number,
  { today, days }: { today: string; days: number },
) {
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
