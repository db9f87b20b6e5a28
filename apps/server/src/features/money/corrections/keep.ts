import type { Db } from '../../../db/client.ts'
import { billingComputations } from '../../../db/schema/index.ts'
import { toCanonicalJson } from '../../../hash.ts'
import type { Secrets } from '../../../secrets.ts'
import { computeMonthTotals, packMonth } from '../billing/billing.ts'
import { issueDocuments } from '../invoices/invoices.ts'
import { buildCorrectionDrafts } from './drafts.ts'
import { computeStandingDocuments } from './judge.ts'
import type { CorrectedGroup, CorrectedMonth } from './proposal.ts'

export type CorrectionDecision = { secrets: Secrets; by: string; reason: string; cause: object }

/** Stores the new input of the month and the documents in force once its corrections are issued. */
async function storeNextComputation(
  tx: Db,
  part: CorrectedMonth,
  { judged }: CorrectedGroup,
  { cause, by }: CorrectionDecision,
) {
  const { row, last, next } = part
  const outcome = { ...next.outcome, standing: computeStandingDocuments(part, judged) }
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
      totals: { ...computeMonthTotals({ outcome, input: next.input }), waiting },
      createdBy: by,
    })
    .returning()
  if (!made) throw new Error('a computation is stored')
  return made
}

const isChangedMonth = (part: CorrectedMonth, { judged }: CorrectedGroup) =>
  part.next !== part.last || toCanonicalJson(computeStandingDocuments(part, judged)) !== toCanonicalJson(part.standing)

/** Stores the next computations of corrected months and issues their documents under the first of these. */
export async function storeAndIssueCorrections(tx: Db, group: CorrectedGroup, decision: CorrectionDecision) {
  const changed = group.parts.filter((part) => isChangedMonth(part, group))
  const stored = []
  for (const part of changed) stored.push(await storeNextComputation(tx, part, group, decision))
  const [first] = stored
  const [part] = group.parts
  if (!first || !part) return { issued: 0, already: 0, ids: [] }
  const drafts = await buildCorrectionDrafts(tx, group, { ...decision, computation: first.hash })
  const { companyId, operationId } = part.row
  const order = { companyId, operationId, computationId: first.id, issuedBy: decision.by, drafts }
  return issueDocuments(tx, decision.secrets, order)
}
