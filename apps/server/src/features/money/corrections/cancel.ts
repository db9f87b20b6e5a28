import { addMonths } from '@voisol/energy/calendar'
import { buildCancellation } from '@voisol/money/corrections'
import { type BillingDocument, getDocumentKey } from '@voisol/money/document'
import { and, eq } from 'drizzle-orm'
import { operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths, invoices, operations } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'
import { lockOperation } from '../billing/billing.ts'
import { storeAndIssueCorrections } from './keep.ts'
import { loadStandingGroup } from './proposal.ts'

/** The document and its month, if the actor may read its operation. */
async function loadIssuedDocument(tx: Db, actor: Actor, id: string) {
  const [found] = await tx
    .select({ invoice: invoices, month: billingMonths })
    .from(invoices)
    .innerJoin(operations, and(eq(operations.companyId, invoices.companyId), eq(operations.id, invoices.operationId)))
    .innerJoin(
      billingComputations,
      and(eq(billingComputations.companyId, invoices.companyId), eq(billingComputations.id, invoices.computationId)),
    )
    .innerJoin(
      billingMonths,
      and(eq(billingMonths.companyId, invoices.companyId), eq(billingMonths.id, billingComputations.monthId)),
    )
    .where(and(operationScope(actor), eq(invoices.id, id)))
  if (!found) throw new AppError('not-found')
  return found
}

type CancelInvoiceInput = { invoiceId: string; reason: string }

/**
 * Cancels everything issued for a buyer and month, or for the months of one invoice, by a full credit note; a new
 * proposal for what is owed follows at once.
 */
export async function cancelInvoice(
  { secrets }: { secrets: Secrets },
  tx: Db,
  actor: Actor,
  { invoiceId, reason }: CancelInvoiceInput,
) {
  const { invoice, month: row } = await loadIssuedDocument(tx, actor, invoiceId)
  await lockOperation(tx, row.companyId, row.operationId)
  const group = await loadStandingGroup(tx, row)
  const { sellerId: seller, apart, number } = invoice
  const { operationId } = row
  const name = getDocumentKey({ seller, buyer: invoice.buyerId ?? '', apart })
  const document = group.standing.find((each) => getDocumentKey(each) === name)
  const correction = document && buildCancellation(document)
  if (!correction)
    throw new AppError('conflict', {
      message: `La facture ${number} est déjà annulée, ou il n’en reste rien à reprendre.`,
    })
  const without = (documents: readonly BillingDocument[]) => documents.filter((each) => getDocumentKey(each) !== name)
  const parts = group.parts.map((part) => ({ ...part, clean: without(part.clean) }))
  const judged = { corrections: [correction], reissued: [], standing: without(group.standing), uncorrected: [] }
  const cause = { kind: 'cancellation', invoiceId, reason }
  const { ids } = await storeAndIssueCorrections(
    tx,
    { ...group, parts, judged },
    { secrets, by: formatActorName(actor), reason, cause },
  )
  const [id] = ids
  if (!id) throw new Error('an avoir is issued')
  const { companyId } = row
  for (const { row: own } of parts) {
    const days = { from: own.month, to: addMonths(own.month, 1) }
    const dedupeKey = `${operationId} ${days.from} ${days.to}`
    await enqueue(tx, 'corrections.look', { companyId, operationId, ...days }, { once: dedupeKey })
  }
  return { id, number, operationId }
}
