import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { today } from '../../../today.ts'
import { issueBill } from './bill.ts'
import { loadSubscriptionDocuments } from './buyers.ts'
import { moneyBackUntil } from './choose.ts'
import { lockSubscription, type SubscriptionRow } from './find.ts'
import { move } from './move.ts'

const REASON = 'Garantie de remboursement de 30 jours'

/** The invoices of the plan since it began that no credit note of the keeper takes back yet; options stand by themselves. */
async function billedSince(tx: Db, { companyId, startedOn }: SubscriptionRow) {
  const documents = await loadSubscriptionDocuments(tx, companyId, 'plan')
  const plans = documents.filter(({ kind, issuedOn }) => kind === 'invoice' && startedOn && issuedOn >= startedOn)
  const [first] = plans
  if (!first) return []
  const ids = plans.map(({ id }) => id)
  const credits = await tx
    .select({ id: invoices.correctsId })
    .from(invoices)
    .where(and(eq(invoices.companyId, first.companyId), inArray(invoices.correctsId, ids)))
  const credited = new Set(credits.map(({ id }) => id))
  return plans.filter(({ id }) => !credited.has(id))
}

/** All that was asked for the plan is given back by avoirs, line for line, and the subscription ends today. */
export async function refundPlan(tx: Db, deps: Pick<Deps, 'secrets'>, actor: Actor, input: { version: number }) {
  const row = await lockSubscription(tx, actor.companyId)
  requireVersion(row, input)
  if (!moneyBackUntil(row))
    throw new AppError('conflict', {
      message:
        'Les trente jours de la garantie sont passés\u00a0: vous pouvez arrêter l’abonnement à la fin de la période.',
    })
  const [on, by] = [today(), nameOfActor(actor)]
  for (const { id, number, issuedOn, snapshot } of await billedSince(tx, row)) {
    const lines = snapshot.lines.map(({ label, from, to, net }) => ({ label, from, to, net }))
    const bill = { kind: 'credit', title: snapshot.operation.name, lines, on, by } as const
    await issueBill(tx, deps, row, bill, { id, number, issuedOn, reason: REASON })
  }
  return move(tx, row, 'ended', { nextPlan: null, nextPeriod: null, paidTo: on }, { kind: 'refunded', on, by })
}
