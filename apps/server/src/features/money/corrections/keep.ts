import type { Db } from '../../../db/client.ts'
import { billingComputations } from '../../../db/schema/index.ts'
import { canonical } from '../../../hash.ts'
import type { Secrets } from '../../../secrets.ts'
import { packMonth, totalsOf } from '../billing/billing.ts'
import { issueDocuments } from '../invoices/invoices.ts'
import { correctionDrafts } from './drafts.ts'
import { standingIn } from './judge.ts'
import type { Corrected, CorrectedMonth } from './proposal.ts'

export type Decision = { secrets: Secrets; by: string; reason: string; cause: object }

/** Keeps what the month was computed from now, and what stands issued once its documents are. */
async function storeNext(tx: Db, part: CorrectedMonth, { judged }: Corrected, { cause, by }: Decision) {
  const { row, last, next } = part
  const outcome = { ...next.outcome, standing: standingIn(part, judged) }
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

const isOther = (part: CorrectedMonth, { judged }: Corrected) =>
  part.next !== part.last || canonical(standingIn(part, judged)) !== canonical(part.standing)

/** Months as they are corrected: their next computations, and the documents that make them so, under the first of these. */
export async function keepAndIssue(tx: Db, group: Corrected, decision: Decision) {
  const changed = group.parts.filter((part) => isOther(part, group))
  const stored = []
  for (const part of changed) stored.push(await storeNext(tx, part, group, decision))
  const [first] = stored
  const [part] = group.parts
  if (!first || !part) return { issued: 0, already: 0, ids: [] }
  const drafts = await correctionDrafts(tx, group, { ...decision, computation: first.hash })
  const { companyId, operationId } = part.row
  const order = { companyId, operationId, computationId: first.id, issuedBy: decision.by, drafts }
  return issueDocuments(tx, decision.secrets, order)
}
