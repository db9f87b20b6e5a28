import type { subscription as endpoints, Subscriber } from '@voisol/contract/subscription'
import { asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { limitOf, pointsUsed } from '../../../core/plan.ts'
import { type Db, writeFor } from '../../../db/client.ts'
import { companies, subscriptions } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { today } from '../../../today.ts'
import { addOnsOf, lockAddOn, saveAddOn, toAddOn } from './add-ons.ts'
import { begin } from './choose.ts'
import { lockSubscription, planOf } from './find.ts'
import { documentsOf, openOf } from './invoices.ts'
import { settle } from './settle.ts'
import { isReadOnly } from './view.ts'

type Grant = z.output<typeof endpoints.grant.body>

async function subscriberOf(db: Db, { subscription: row, company }: Joined): Promise<Subscriber> {
  const documents = await documentsOf(db, row.companyId)
  const open = await openOf(db, documents)
  const due = documents.filter(({ kind }) => kind !== 'creditNote')
  const view = {
    companyId: row.companyId,
    name: company.name,
    state: row.state,
    readOnly: isReadOnly(row, company.trialEndsAt),
    plan: planOf(row),
    period: row.period,
    price: row.price,
    trialEndsAt: row.state === 'trial' ? (company.trialEndsAt?.toISOString() ?? null) : null,
    paidTo: row.paidTo,
    points: { used: await pointsUsed(db, row.companyId), limit: limitOf(planOf(row)) },
    open: due.reduce((sum, { id }) => sum + (open.get(id) ?? 0), 0),
    addOns: (await addOnsOf(db, [row.companyId])).map(toAddOn),
    version: row.version,
  }
  return view as Subscriber // parsed by the endpoint: the columns hold only these
}
type Joined = Awaited<ReturnType<typeof joined>>[number]

const joined = (db: Db, companyId?: number) =>
  db
    .select({ subscription: subscriptions, company: companies })
    .from(subscriptions)
    .innerJoin(companies, eq(companies.id, subscriptions.companyId))
    .where(companyId === undefined ? eq(companies.keepsSite, false) : eq(subscriptions.companyId, companyId))
    .orderBy(asc(companies.name), asc(companies.id))

/** Every company that subscribes, for the one that keeps the installation. */
export async function listSubscribers(db: Db): Promise<Subscriber[]> {
  const items: Subscriber[] = []
  for (const row of await joined(db)) items.push(await subscriberOf(db, row))
  return items
}

async function oneSubscriber(db: Db, companyId: number): Promise<Subscriber> {
  const [row] = await joined(db, companyId)
  if (!row) throw new AppError('not-found')
  return subscriberOf(db, row)
}

/** What the keeper writes for another company, said to the second wall and taken back for what follows. */
async function writingFor<T>(tx: Db, actor: Actor, companyId: number, work: () => Promise<T>): Promise<Subscriber> {
  await writeFor(tx, companyId)
  await work()
  await writeFor(tx, actor.companyId)
  return oneSubscriber(tx, companyId)
}

/** The plan without a price list: what was agreed is billed like any other. */
export const grantPlan = (tx: Db, deps: Pick<Deps, 'secrets'>, actor: Actor, companyId: number, input: Grant) =>
  writingFor(tx, actor, companyId, async () => {
    const found = await lockSubscription(tx, companyId)
    requireVersion(found, input)
    const row = await settle(tx, deps, found)
    const wanted = { plan: 'enterprise', period: input.period, price: input.price } as const
    await begin(tx, deps, row, wanted, nameOfActor(actor), 'granted')
  })

/** A trial that goes on: from a day that has not come yet, and only where no plan was chosen. */
export const extendTrial = (tx: Db, actor: Actor, companyId: number, input: z.output<typeof endpoints.extend.body>) =>
  writingFor(tx, actor, companyId, async () => {
    const row = await lockSubscription(tx, companyId)
    requireVersion(row, input)
    if (row.state !== 'trial') throw new AppError('invalid-transition')
    if (input.lastDay < today()) throw fieldError('lastDay', 'Le dernier jour de l’essai ne peut pas être passé.')
    const end = Temporal.PlainDate.from(input.lastDay).add({ days: 1 }).toZonedDateTime('Europe/Paris')
    const trialEndsAt = new Date(end.epochMilliseconds)
    await tx.update(companies).set({ trialEndsAt }).where(eq(companies.id, companyId))
    await tx
      .update(subscriptions)
      .set({ version: row.version + 1 })
      .where(eq(subscriptions.companyId, companyId))
  })

export const deliverAddOn = (tx: Db, actor: Actor, companyId: number, id: string) =>
  writingFor(tx, actor, companyId, async () =>
    saveAddOn(tx, await lockAddOn(tx, companyId, id, 'ordered'), { state: 'done' }),
  )
