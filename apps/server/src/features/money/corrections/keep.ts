import type { Db } from '../../../db/client.ts'
import { billingComputations } from '../../../db/schema/index.ts'
import type { Secrets } from '../../../secrets.ts'
import { packMonth, totalsOf } from '../billing/billing.ts'
import { issueDocuments } from '../invoices/invoices.ts'
import { correctionDrafts } from './drafts.ts'
import type { Corrected } from './proposal.ts'

export type Decision = { secrets: Secrets; by: string; reason: string; cause: object }

/** Keeps what the month was computed from now, and what stands issued once its documents are. */
async function storeNext(tx: Db, { row, last, next, judged }: Corrected, { cause, by }: Decision) {
  const outcome = { ...next.outcome, standing: [...judged.standing] }
  const packed = await packMonth({ ...next, outcome })
  const waiting = judged.corrections.some(({ document }) => document === 'held')
  const [made] = await tx
    .insert(billingComputations)
    .values({
      companyId: row.companyId,
      monthId: row.id,
      number: last.number + 1,
      cause,
      ...packed,
      totals: { ...totalsOf({ outcome, input: next.input }), waiting },
      createdBy: by,
    })
    .returning()
  if (!made) throw new Error('a computation is stored')
  return made
}

/** A month as it is corrected: its next computation, and the documents that make it so. */
export async function keepAndIssue(tx: Db, month: Corrected, decision: Decision) {
  const { companyId, operationId } = month.row
  const computation = await storeNext(tx, month, decision)
  const drafts = await correctionDrafts(tx, month, { ...decision, computation: computation.hash })
  const order = { companyId, operationId, computationId: computation.id, issuedBy: decision.by, drafts }
  return issueDocuments(tx, order)
}
