import { participations as members } from '@voisol/contract/points'
import { subscription } from '@voisol/contract/subscription'
import { eq, sql } from 'drizzle-orm'
import { beforeAll } from 'vitest'
import { companies, subscriptions } from '../src/db/schema/index.ts'
import { call } from './client.ts'
import { ensureSiteOwner, makeUser } from './factories.ts'
import { makeOperation } from './factories-operations.ts'
import { makeParticipant, makeParticipation, makePoint } from './factories-participants.ts'
import type { useServer } from './server.ts'

export type SubscriptionUser = Awaited<ReturnType<typeof makeUser>>
export type PlanChoice = { plan: 'starter' | 'professional'; period: 'month' | 'year' }

/** A server that sells subscriptions: the company that sells them, companies on trial, and subscribers. */
export function useSubscriptionHelpers(server: ReturnType<typeof useServer>) {
  const keeper = { id: 0 }
  beforeAll(async () => {
    keeper.id = await ensureSiteOwner(server.db)
    await server.db
      .update(companies)
      .set({
        legalName: 'Voisol SAS',
        siren: '552081317',
        address: '8 rue du Port, 69007 Lyon',
        email: 'compta@exemple.fr',
      })
      .where(eq(companies.id, keeper.id))
  })

  const days = (count: number) => sql`now() + make_interval(days => ${count})`

  /** An administrator of a company whose trial has that many days left. */
  async function onTrial(left = 20): Promise<SubscriptionUser> {
    const user = await makeUser(server.db)
    await server.db.insert(subscriptions).values({ companyId: user.companyId })
    await server.db
      .update(companies)
      .set({ trialEndsAt: days(left), email: `facture${user.companyId}@exemple.fr` })
      .where(eq(companies.id, user.companyId))
    return user
  }
  const get = async (user: SubscriptionUser) => (await call(server, subscription.get, {}, user)).body
  async function choose(user: SubscriptionUser, wanted: PlanChoice) {
    const quote = (await call(server, subscription.quote, { query: wanted }, user)).body
    const { version } = (await get(user)).subscription
    return call(server, subscription.choose, { body: { ...wanted, net: quote.net, version } }, user)
  }
  const documents = async (user: SubscriptionUser) => (await call(server, subscription.invoices, {}, user)).body.items
  const starter = { plan: 'starter', period: 'month' } as const
  const professional = { plan: 'professional', period: 'month' } as const

  /** A company that uses that many points; the next entry is one call. */
  async function using(user: SubscriptionUser, count: number) {
    const { companyId } = user
    const operation = await makeOperation(server.db, { companyId, startsOn: '2025-01-01' })
    const participant = await makeParticipant(server.db, { companyId })
    const pointIds = await Promise.all(Array.from({ length: count }, () => makePoint(server.db, { companyId })))
    const held = { companyId, operationId: operation.id, participantId: participant.id, startsOn: '2025-02-01' }
    for (const point of pointIds) await makeParticipation(server.db, { ...held, pointId: point.id })
    let next = 0
    const enter = (more: object = {}) =>
      call(
        server,
        members.create,
        {
          body: {
            operationId: operation.id,
            participantId: participant.id,
            prm: `3000${String(companyId).padStart(5, '0')}${String(++next).padStart(5, '0')}`,
            direction: 'consumption',
            startsOn: '2025-03-01',
            ...more,
          },
        },
        user,
      )
    return { enter, operation }
  }
  return { keeper, days, onTrial, get, choose, documents, starter, professional, using }
}
