import { ADD_ON_NAMES, ADD_ONS, type AddOnName } from '@voisol/contract/plan-prices'
import type { AddOn } from '@voisol/contract/subscription'
import { addDays } from '@voisol/money/days'
import { monthsLater } from '@voisol/money/prorata'
import { and, desc, eq, inArray, lte } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { subscriptionAddOns } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { issueBill } from './bill.ts'
import { lockSubscription, runningOf, type SubscriptionRow } from './find.ts'

type Row = typeof subscriptionAddOns.$inferSelect

/** An option of any other kind was never sold: no page, bill or limit counts it. */
const isSold = inArray(subscriptionAddOns.kind, [...ADD_ON_NAMES])

export const toAddOn = ({ id, kind, price, orderedOn, paidTo, state }: Row) =>
  // `isSold` lets in no other kind, and the column no other state.
  ({ id, kind, price, orderedOn, paidTo, state }) as AddOn

export async function addOnsOf(db: Db, companyIds: number[]): Promise<Row[]> {
  if (!companyIds.length) return []
  return db
    .select()
    .from(subscriptionAddOns)
    .where(and(inArray(subscriptionAddOns.companyId, companyIds), isSold))
    .orderBy(desc(subscriptionAddOns.orderedOn), desc(subscriptionAddOns.createdAt))
}

const lineOf = (kind: AddOnName, from: string, to: string, net: number) => ({
  label: `Option ${ADD_ONS[kind].name}`,
  from,
  to,
  net,
})

/** Ordered and billed at once; what is paid by the month begins today, and is had once. */
export async function orderAddOn(
  tx: Db,
  deps: Pick<Deps, 'secrets'>,
  actor: Actor,
  { kind, net }: { kind: AddOnName; net: number },
) {
  const row = await lockSubscription(tx, actor.companyId)
  const { price, every, name } = ADD_ONS[kind]
  if (net !== price) throw new AppError('stale')
  if (!runningOf(row))
    throw new AppError('conflict', { message: 'Une option s’ajoute à une formule\u00a0: choisissez d’abord la vôtre.' })
  const { companyId } = actor
  const [on, by] = [today(), nameOfActor(actor)]
  const paidTo = every ? monthsLater(on, 1) : null
  const known = await tx
    .select()
    .from(subscriptionAddOns)
    .where(
      and(
        eq(subscriptionAddOns.companyId, companyId),
        eq(subscriptionAddOns.kind, kind),
        inArray(subscriptionAddOns.state, ['running', 'ending']),
      ),
    )
  if (known.length) throw new AppError('conflict', { message: `L’option «\u00a0${name}\u00a0» est déjà en cours.` })
  const lines = [lineOf(kind, on, paidTo ?? addDays(on, 1), price)]
  await issueBill(tx, deps, row, { kind: 'addOn', title: `Option ${name}`, lines, on, by })
  const [made] = await tx
    .insert(subscriptionAddOns)
    .values({ companyId, kind, price, orderedOn: on, paidTo, by, state: every ? 'running' : 'ordered' })
    .returning()
  if (!made) throw new AppError('conflict')
  await record(tx, { companyId, name: 'subscription.ordered', object: made.id, data: { addOnId: made.id, kind } })
  return toAddOn(made)
}

const one = (companyId: number, id: string) =>
  and(eq(subscriptionAddOns.companyId, companyId), eq(subscriptionAddOns.id, id), isSold)

export async function lockAddOn(tx: Db, companyId: number, id: string, state: Row['state']): Promise<Row> {
  const [row] = await tx.select().from(subscriptionAddOns).where(one(companyId, id)).for('update')
  if (!row) throw new AppError('not-found')
  if (row.state !== state) throw new AppError('invalid-transition')
  return row
}

export async function saveAddOn(tx: Db, { companyId, id }: Row, values: Partial<Row>): Promise<Row> {
  const [row] = await tx.update(subscriptionAddOns).set(values).where(one(companyId, id)).returning()
  if (!row) throw new AppError('not-found')
  return row
}

/** It runs until the end of what is paid. */
export async function stopAddOn(tx: Db, { companyId }: Actor, id: string): Promise<Row> {
  return saveAddOn(tx, await lockAddOn(tx, companyId, id, 'running'), { state: 'ending' })
}

/** Each month of an option that has gone by is billed, or was its last: with the plan, or because it was stopped. */
export async function settleAddOns(tx: Db, deps: Pick<Deps, 'secrets'>, row: SubscriptionRow) {
  const day = today()
  const due = await tx
    .select()
    .from(subscriptionAddOns)
    .where(
      and(
        eq(subscriptionAddOns.companyId, row.companyId),
        isSold,
        inArray(subscriptionAddOns.state, ['running', 'ending']),
        lte(subscriptionAddOns.paidTo, day),
      ),
    )
    .for('update')
  for (let addOn of due)
    while (addOn.paidTo && addOn.paidTo <= day && addOn.state !== 'done') {
      if (addOn.state === 'ending' || !runningOf(row)) {
        addOn = await saveAddOn(tx, addOn, { state: 'done' })
        continue
      }
      const { kind } = toAddOn(addOn)
      const months = monthsSince(addOn.orderedOn, addOn.paidTo)
      const to = monthsLater(addOn.orderedOn, months + 1)
      const lines = [lineOf(kind, addOn.paidTo, to, addOn.price)]
      await issueBill(tx, deps, row, {
        kind: 'addOn',
        title: `Option ${ADD_ONS[kind].name}`,
        lines,
        on: day,
        by: 'Voisol',
      })
      addOn = await saveAddOn(tx, addOn, { paidTo: to })
    }
}

function monthsSince(from: string, to: string): number {
  let months = 0
  while (monthsLater(from, months) < to) months++
  return months
}
