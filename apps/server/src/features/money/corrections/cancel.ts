import { cancelDocument } from '@voisol/money/corrections'
import { documentName } from '@voisol/money/document'
import { and, eq } from 'drizzle-orm'
import { operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths, invoices, operations } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import { computationOf, lockOperation } from '../billing/billing.ts'
import { keepAndIssue } from './keep.ts'
import { standingOf } from './proposal.ts'

/** The document with the month it is of, where one may see its operation. */
async function findIssued(tx: Db, actor: Actor, id: string) {
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

type Wanted = { invoiceId: string; reason: string }

/** Takes back all that stands issued for a buyer and month by a mirror avoir; what is owed is invoiced anew afterwards. */
export async function cancelInvoice(
  { secrets }: { secrets: Secrets },
  tx: Db,
  actor: Actor,
  { invoiceId, reason }: Wanted,
) {
  const { invoice, month } = await findIssued(tx, actor, invoiceId)
  await lockOperation(tx, month.companyId, month.operationId)
  const last = await computationOf(tx, month, 'last')
  const standing = standingOf(last)
  const { sellerId: seller, apart, number, operationId } = invoice
  const name = documentName({ seller, buyer: invoice.buyerId ?? '', apart })
  const document = standing.find((each) => documentName(each) === name)
  const correction = document && cancelDocument(document)
  if (!correction)
    throw new AppError('conflict', {
      message: `La facture ${number} est déjà annulée, ou il n’en reste rien à reprendre.`,
    })
  const rest = standing.filter((each) => each !== document)
  const judged = { corrections: [correction], reissued: [], standing: rest, uncorrected: [] }
  const corrected = { row: month, last, next: last, month: month.month.slice(0, 7), standing, clean: rest, judged }
  const cause = { kind: 'cancellation', invoiceId, reason }
  const { ids } = await keepAndIssue(tx, corrected, { secrets, by: nameOfActor(actor), reason, cause })
  const [id] = ids
  if (!id) throw new Error('an avoir is issued')
  return { id, number, operationId }
}
