import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { findOperation } from '../../../core/operation.ts'
import { forCompany, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import type { OperationPlan } from '../../../world/blueprint.ts'
import { TILLEULS } from '../../../world/ids.ts'
import { closeNow, findMonth, issueNow } from '../../money/billing/billing.ts'
import { settleOpen } from '../../money/corrections/corrections.ts'

/** A year of the first operation, the last month of the others: enough to be looked at, quickly made. */
const MONTHS = { first: 12, others: 1 }
const CLOSED_AFTER = 6
const REASON = 'Quelques relevés manquent encore\u00a0: le conseil syndical préfère facturer sans attendre.'

/** The months that were billed by then, the earliest first. */
function monthsUntil({ values }: OperationPlan, until: string): string[] {
  const count = values.id === TILLEULS ? MONTHS.first : MONTHS.others
  const first = monthOf(values.startsOn ?? until)
  const months = Array.from({ length: count }, (_, at) => addMonths(until, at - count))
  return months.filter((month) => month >= first)
}

async function bill(deps: Deps, actor: Actor, operationId: string, first: string): Promise<void> {
  const { companyId } = actor
  const month = first.slice(0, 7)
  const operation = await findOperation(deps.db, actor, operationId)
  if ((await findMonth(deps.db, companyId, operationId, month))?.status === 'issued') return
  const on = addDays(addMonths(first, 1), CLOSED_AFTER)
  const by = nameOfActor(actor)
  const wanted = { companyId, operationId, month, acceptLastIndex: true }
  await transaction(forCompany(deps.db, companyId), async (tx) => {
    const at = new Date(`${on}T08:30:00Z`)
    const closing = { computing: deps, aside: deps.db, operation, wanted, by, reason: REASON, at }
    if (!(await findMonth(tx, companyId, operationId, month))) await closeNow(tx, closing)
    await issueNow(tx, { operation, month, by, secrets: deps.secrets, on })
  })
}

/** Closes and issues the months that were over by then, each on the day it would have been. */
export async function fillBilling(deps: Deps, actor: Actor, plan: OperationPlan, until: string, signal?: AbortSignal) {
  for (const month of monthsUntil(plan, until)) {
    signal?.throwIfAborted()
    await bill(deps, actor, plan.values.id, month)
  }
}

/** What came late was regularised: avoirs and complements stand beside the invoices. */
export const settleCorrections = (deps: Deps, actor: Actor, plan: OperationPlan) =>
  settleOpen(deps, actor, plan.values.id)
