import type { Debit, DebitRun, DebitRunDetail } from '@voisol/contract/debits'
import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { debitInvoices, debitRuns, debits, invoices, mandates, participants } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { loadBankAccounts } from '../mandates/mandates.ts'
import { loadReturnDescriber } from './said.ts'

export type DebitRunRow = typeof debitRuns.$inferSelect
export type DebitRow = typeof debits.$inferSelect

async function loadRuns(db: Db, companyId: number, id?: string): Promise<DebitRun[]> {
  const which = id ? eq(debitRuns.id, id) : undefined
  const rows = await db
    .select()
    .from(debitRuns)
    .where(and(eq(debitRuns.companyId, companyId), which))
    .orderBy(desc(debitRuns.collectionOn), desc(debitRuns.createdAt))
  const ids = rows.map((row) => row.id)
  const all = ids.length
    ? await db
        .select()
        .from(debits)
        .where(and(eq(debits.companyId, companyId), inArray(debits.runId, ids)))
    : []
  const byRun = Map.groupBy(all, ({ runId }) => runId)
  const accounts = new Map((await loadBankAccounts(db, companyId)).map((account) => [account.id, account]))
  return rows.map((row) => {
    const own = byRun.get(row.id) ?? []
    const live = row.status === 'cancelled' ? own : own.filter(({ status }) => status !== 'cancelled')
    const sum = (status?: string) =>
      live.reduce((total, debit) => total + (!status || debit.status === status ? debit.amount : 0), 0)
    return {
      id: row.id,
      accountId: row.accountId,
      account: accounts.get(row.accountId)?.name ?? '',
      creditor: accounts.get(row.accountId)?.owner ?? '',
      collectionOn: row.collectionOn,
      submitBy: row.submitBy,
      messageId: row.messageId,
      // The column only stores these values.
      state: row.status as DebitRun['state'],
      sentOn: row.sentOn,
      debits: live.length,
      total: sum(),
      collected: sum('collected'),
      returned: sum('returned'),
      by: row.createdBy,
      at: row.createdAt.toISOString(),
      version: row.version,
    }
  })
}

export const listDebitRuns = async (db: Db, companyId: number) => ({ items: await loadRuns(db, companyId) })

async function loadInvoiceLinks(db: Db, companyId: number, ids: string[]) {
  if (!ids.length) return new Map<string, Debit['invoices']>()
  const rows = await db
    .select({
      debitId: debitInvoices.debitId,
      invoiceId: debitInvoices.invoiceId,
      number: invoices.number,
      amount: debitInvoices.amount,
    })
    .from(debitInvoices)
    .innerJoin(invoices, and(eq(invoices.companyId, debitInvoices.companyId), eq(invoices.id, debitInvoices.invoiceId)))
    .where(and(eq(debitInvoices.companyId, companyId), inArray(debitInvoices.debitId, ids)))
    .orderBy(asc(invoices.dueOn), asc(invoices.number))
  return Map.groupBy(rows, ({ debitId }) => debitId)
}

async function loadDebits(db: Db, companyId: number, runId: string): Promise<Debit[]> {
  const rows = await db
    .select({ debit: debits, mandate: mandates, participant: participants.name })
    .from(debits)
    .innerJoin(mandates, and(eq(mandates.companyId, debits.companyId), eq(mandates.id, debits.mandateId)))
    .innerJoin(
      participants,
      and(eq(participants.companyId, mandates.companyId), eq(participants.id, mandates.participantId)),
    )
    .where(and(eq(debits.companyId, companyId), eq(debits.runId, runId)))
    .orderBy(asc(participants.name))
  const links = await loadInvoiceLinks(
    db,
    companyId,
    rows.map(({ debit }) => debit.id),
  )
  const describeReturn = await loadReturnDescriber(db, companyId)
  return rows.map(({ debit, mandate, participant }) => ({
    id: debit.id,
    mandateId: mandate.id,
    rum: mandate.rum,
    participantId: mandate.participantId,
    participant,
    ibanEnd: mandate.ibanEnd,
    amount: debit.amount,
    invoices: (links.get(debit.id) ?? []).map(({ invoiceId, number, amount }) => ({ invoiceId, number, amount })),
    endToEndId: debit.endToEndId,
    sequence: debit.sequence,
    // The column only stores these values.
    state: debit.status as Debit['state'],
    noticedAt: debit.noticedAt?.toISOString() ?? null,
    collectedOn: debit.collectedOn,
    returnedOn: debit.returnedOn,
    returnCode: debit.returnCode,
    returned: debit.status === 'returned' ? describeReturn(debit.id, debit.returnCode) : '',
  }))
}

export async function loadDebitRun(db: Db, companyId: number, id: string): Promise<DebitRunDetail> {
  const [run] = await loadRuns(db, companyId, id)
  if (!run) throw new AppError('not-found')
  return { ...run, items: await loadDebits(db, companyId, id) }
}
