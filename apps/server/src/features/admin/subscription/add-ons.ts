import { ADD_ON_NAMES, ADD_ONS, type AddOnName } from '@voisol/contract/plan-prices'
import type { AddOn } from '@voisol/contract/subscription'
import { addDays } from '@voisol/money/days'
import { addMonthsToDay } from '@voisol/money/prorata'
import { and, desc, eq, inArray, lte } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { subscriptionAddOns } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { findRunningPlan, lockSubscription, type SubscriptionRow } from './find-subscription.ts'
import { issueSubscriptionBill } from './subscription-bill.ts'

type AddOnRow = typeof subscriptionAddOns.$inferSelect

/** Ignores options of unknown kinds: they were never sold, and count in no page, bill or limit. */
const IS_SOLD = inArray(subscriptionAddOns.kind, [...ADD_ON_NAMES])

export const toAddOn = ({ id, kind, price, orderedOn, paidTo, state }: AddOnRow) =>
  // `IS_SOLD` excludes other kinds, and a CHECK constraint other states.
  ({ id, kind, price, orderedOn, paidTo, state }) as AddOn

export async function listAddOns(db: Db, companyIds: number[]): Promise<AddOnRow[]> {
  if (!companyIds.length) return []
  return db
    .select()
    .from(subscriptionAddOns)
    .where(and(inArray(subscriptionAddOns.companyId, companyIds), IS_SOLD))
    .orderBy(desc(subscriptionAddOns.orderedOn), desc(subscriptionAddOns.createdAt))
}

const buildAddOnLine = (kind: AddOnName, from: string, to: string, net: number) => ({
  label: `Option ${ADD_ONS[kind].name}`,
  from,
  to,
  net,
})

/** Orders and bills an option at once; a monthly option starts today and can be ordered once only. */
export async function orderAddOn(
  tx: Db,
  deps: Pick<Deps, 'secrets'>,
  actor: Actor,
  { kind, net }: { kind: AddOnName; net: number },
) {
  const row = await lockSubscription(tx, actor.companyId)
  const { price, every, name } = ADD_ONS[kind]
  if (net !== price) throw new AppError('stale')
  if (!findRunningPlan(row))
    throw new AppError('conflict', { message: 'Une option s’ajoute à une formule\u00a0: choisissez d’abord la vôtre.' })
  const { companyId } = actor
  const [on, by] = [getToday(), formatActorName(actor)]
  const paidTo = every ? addMonthsToDay(on, 1) : null
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
  const lines = [buildAddOnLine(kind, on, paidTo ?? addDays(on, 1), price)]
  await issueSubscriptionBill(tx, deps, row, { kind: 'addOn', title: `Option ${name}`, lines, on, by })
  const [made] = await tx
    .insert(subscriptionAddOns)
    .values({ companyId, kind, price, orderedOn: on, paidTo, by, state: every ? 'running' : 'ordered' })
    .returning()
  if (!made) throw new AppError('conflict')
  await recordEvent(tx, { companyId, name: 'subscription.ordered', object: made.id, data: { addOnId: made.id, kind } })
  return toAddOn(made)
}

const whereAddOn = (companyId: number, id: string) =>
  and(eq(subscriptionAddOns.companyId, companyId), eq(subscriptionAddOns.id, id), IS_SOLD)

export async function lockAddOn(tx: Db, companyId: number, id: string, state: AddOnRow['state']): Promise<AddOnRow> {
  const [row] = await tx.select().from(subscriptionAddOns).where(whereAddOn(companyId, id)).for('update')
  if (!row) throw new AppError('not-found')
  if (row.state !== state) throw new AppError('invalid-transition')
  return row
}

export async function saveAddOn(tx: Db, { companyId, id }: AddOnRow, values: Partial<AddOnRow>): Promise<AddOnRow> {
  const [row] = await tx.update(subscriptionAddOns).set(values).where(whereAddOn(companyId, id)).returning()
  if (!row) throw new AppError('not-found')
  return row
}

/** The option runs until the end of the paid period. */
export async function stopAddOn(tx: Db, { companyId }: Actor, id: string): Promise<AddOnRow> {
  return saveAddOn(tx, await lockAddOn(tx, companyId, id, 'running'), { state: 'ending' })
}

/** Renews and bills each elapsed month of an option, or ends it when it was stopped or its plan ended. */
export async function renewOrEndAddOns(tx: Db, deps: Pick<Deps, 'secrets'>, row: SubscriptionRow) {
  const day = getToday()
  const due = await tx
    .select()
    .from(subscriptionAddOns)
    .where(
      and(
        eq(subscriptionAddOns.companyId, row.companyId),
        IS_SOLD,
        inArray(subscriptionAddOns.state, ['running', 'ending']),
        lte(subscriptionAddOns.paidTo, day),
      ),
    )
    .for('update')
  for (let addOn of due)
    while (addOn.paidTo && addOn.paidTo <= day && addOn.state !== 'done') {
      if (addOn.state === 'ending' || !findRunningPlan(row)) {
        addOn = await saveAddOn(tx, addOn, { state: 'done' })
        continue
      }
      const { kind } = toAddOn(addOn)
      const months = countMonths(addOn.orderedOn, addOn.paidTo)
      const to = addMonthsToDay(addOn.orderedOn, months + 1)
      const lines = [buildAddOnLine(kind, addOn.paidTo, to, addOn.price)]
      await issueSubscriptionBill(tx, deps, row, {
        kind: 'addOn',
        title: `Option ${ADD_ONS[kind].name}`,
        lines,
        on: day,
        by: 'Voisol',
      })
      addOn = await saveAddOn(tx, addOn, { paidTo: to })
    }
}

function countMonths(from: string, to: string): number {
  let months = 0
  while (addMonthsToDay(from, months) < to) months++
  return months
}
