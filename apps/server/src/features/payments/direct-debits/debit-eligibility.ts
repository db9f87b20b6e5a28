import { getReturnConsequence, getReturnReason } from '@voisol/contract/return-codes'
import { formatLongDay } from '@voisol/documents/number-and-date-formats'
import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { debitInvoices, debits } from '../../../db/schema/index.ts'

export type PastDebit = {
  invoiceId: string
  mandateId: string
  status: string
  returnedOn: string | null
  returnCode: string
}

/** Past and planned debits by document, without cancelled ones. */
export async function loadPastDebits(
  db: Db,
  companyId: number,
  invoiceIds: string[],
): Promise<Map<string, PastDebit[]>> {
  if (!invoiceIds.length) return new Map()
  const rows = await db
    .select({
      invoiceId: debitInvoices.invoiceId,
      mandateId: debits.mandateId,
      status: debits.status,
      returnedOn: debits.returnedOn,
      returnCode: debits.returnCode,
    })
    .from(debitInvoices)
    .innerJoin(debits, and(eq(debits.companyId, debitInvoices.companyId), eq(debits.id, debitInvoices.debitId)))
    .where(
      and(
        eq(debitInvoices.companyId, companyId),
        inArray(debitInvoices.invoiceId, invoiceIds),
        ne(debits.status, 'cancelled'),
      ),
    )
    .orderBy(debits.createdAt)
  return Map.groupBy(rows, ({ invoiceId }) => invoiceId)
}

type DebitConditions = { mandateId: string; collectionOn: string; retryDays: number }
type DebitEligibility = { retry: boolean } | { left: string }

/** Whether a document may be debited under a mandate on a day, given its earlier debits. */
export function getDebitEligibility(
  past: readonly PastDebit[],
  { mandateId, collectionOn, retryDays }: DebitConditions,
): DebitEligibility {
  if (past.some(({ status }) => status === 'planned' || status === 'sent'))
    return { left: 'Un prélèvement est déjà en cours.' }
  const returned = past.filter((one) => one.status === 'returned' && one.mandateId === mandateId)
  const last = returned.at(-1)
  if (!last) return { retry: false }
  const why = `Rejeté${last.returnCode && ` (${last.returnCode})`}\u00a0: ${getReturnReason(last.returnCode)}`
  if (getReturnConsequence(last.returnCode) !== 'retry')
    return { left: `${why}. À vérifier avant de prélever de nouveau.` }
  if (returned.length > 1) return { left: `${why}, deux fois. À régler autrement.` }
  const from = Temporal.PlainDate.from(last.returnedOn ?? collectionOn)
    .add({ days: retryDays })
    .toString()
  if (collectionOn < from) return { left: `${why}. Nouvelle présentation possible à partir du ${formatLongDay(from)}.` }
  return { retry: true }
}
