import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { requireVisibleOperation } from '../../../core/operation.ts'
import { scopeToCompany, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import type { OperationPlan } from '../../../world/blueprint.ts'
import { TILLEULS_ID } from '../../../world/ids.ts'
import { closeMonth, findClosedMonth, issueMonth } from '../../money/billing/billing.ts'
import { settleOpenReviews } from '../../money/corrections/corrections.ts'

/** Bills a year of the first operation and one month of the others, which is enough to look at and quick to build. */
const BILLED_MONTHS = { first: 12, others: 1 }
const DAYS_BEFORE_CLOSING = 6
const CLOSING_REASON = 'Quelques relevés manquent encore\u00a0: le conseil syndical préfère facturer sans attendre.'

/** The months billed up to that day, oldest first. */
function listBilledMonths({ values }: OperationPlan, until: string): string[] {
  const count = values.id === TILLEULS_ID ? BILLED_MONTHS.first : BILLED_MONTHS.others
  const first = monthOf(values.startsOn ?? until)
  const months = Array.from({ length: count }, (_, at) => addMonths(until, at - count))
  return months.filter((month) => month >= first)
}

async function billMonth(deps: Deps, actor: Actor, operationId: string, first: string): Promise<void> {
  const { companyId } = actor
  const month = first.slice(0, 7)
  const operation = await requireVisibleOperation(deps.db, actor, operationId)
  if ((await findClosedMonth(deps.db, companyId, operationId, month))?.status === 'issued') return
  const on = addDays(addMonths(first, 1), DAYS_BEFORE_CLOSING)
  const by = formatActorName(actor)
  const wanted = { companyId, operationId, month, acceptLastIndex: true }
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    const at = new Date(`${on}T08:30:00Z`)
    const closing = { computing: deps, aside: deps.db, operation, wanted, by, reason: CLOSING_REASON, at }
    if (!(await findClosedMonth(tx, companyId, operationId, month))) await closeMonth(tx, closing)
    await issueMonth(tx, { operation, month, by, secrets: deps.secrets, on })
  })
}

/** Closes and issues the months that had ended by then, each on its historical date. */
export async function fillBilling(deps: Deps, actor: Actor, plan: OperationPlan, until: string, signal?: AbortSignal) {
  for (const month of listBilledMonths(plan, until)) {
    signal?.throwIfAborted()
    await billMonth(deps, actor, plan.values.id, month)
  }
}

/** Late readings were corrected by credit notes and additional invoices beside the original invoices. */
export const settleCorrections = (deps: Deps, actor: Actor, plan: OperationPlan) =>
  settleOpenReviews(deps, actor, plan.values.id)
