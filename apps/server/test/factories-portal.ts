import { joining } from '@voisol/contract/joining'
import { joiningDesk } from '@voisol/contract/joining-management'
import { participations as members } from '@voisol/contract/points'
import { subscription } from '@voisol/contract/subscription'
import { support } from '@voisol/contract/support'
import { supportDesk } from '@voisol/contract/support-agents'
import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, expect } from 'vitest'
import { createLinkKey } from '../src/core/public-links.ts'
import { applications, companies, subscriptions } from '../src/db/schema/index.ts'
import { getJoinLinkPurpose } from '../src/features/portal/joining/application-mails.ts'
import { call, type TestServer } from './client.ts'
import { ensureSiteOwner, makeUser } from './factories.ts'
import { makeOperation, makeParticipant, makeParticipation, makePoint } from './factories-energy.ts'
import type { useServer } from './server.ts'

export const JOINING_PRM = '19125759625988'

type Admin = Awaited<ReturnType<typeof makeUser>>
type JoinableOperation = { admin: Admin; operationId: string; slug: string }

/** An operation open to join, with the actions of visitors, organiser and members. */
export function createJoiningHelpers(server: ReturnType<typeof useServer>) {
  const settingsOf = (who: { token: string }, id: string) => call(server, joiningDesk.settings, { params: { id } }, who)

  async function openHouse(isOpen = true): Promise<JoinableOperation> {
    const admin = await makeUser(server.db)
    const operation = await makeOperation(server.db, {
      companyId: admin.companyId,
      name: 'Les Tilleuls',
      status: 'active',
      unitPrice: 1337,
    })
    const shown = (await settingsOf(admin, operation.id)).body
    const { slug, presentation, conditions, agreement } = shown
    const body = { slug, isOpen, presentation, conditions, agreement, noticeDays: 45, version: 0 }
    const saved = await call(server, joiningDesk.saveSettings, { params: { id: operation.id }, body }, admin)
    expect(saved.status).toBe(200)
    return { admin, operationId: operation.id, slug: `${slug}-${admin.companyId}` }
  }

  const pageOf = (slug: string, host = 'localhost') =>
    server.app.inject({ url: `/api/join/${slug}`, headers: { host } }).then(({ statusCode }) => statusCode)

  let applicantCount = 0
  const draft = (more: Record<string, unknown> = {}) => ({
    firstName: 'Inès',
    lastName: 'Garnier',
    email: `ines-${++applicantCount}@exemple.fr`,
    address: '7 rue Clavel',
    postalCode: '69007',
    city: 'Lyon',
    prm: JOINING_PRM,
    ...more,
  })
  const apply = (slug: string, body: object) => call(server, joining.apply, { params: { slug }, body })

  async function rowOf({ admin }: JoinableOperation, email: string) {
    const [row] = await server.db
      .select()
      .from(applications)
      .where(and(eq(applications.companyId, admin.companyId), eq(applications.email, email)))
    if (!row) throw new Error('no application')
    return row
  }
  const keyFor = (house: JoinableOperation, id: string) =>
    createLinkKey(server.deps.secrets, getJoinLinkPurpose(house.admin.companyId), id)
  const verify = (house: JoinableOperation, key: string) =>
    call(server, joining.verify, { params: { slug: house.slug }, body: { key } })
  const sign = (house: JoinableOperation, key: string, hash: string, given = ['collection', 'advice']) =>
    call(server, joining.sign, {
      params: { slug: house.slug },
      body: { key, hash, name: 'Inès Garnier', consents: given },
    })

  /** Up to the application that waits for the organiser. */
  async function signed(house: JoinableOperation, more: Record<string, unknown> = {}) {
    const body = draft(more)
    expect((await apply(house.slug, body)).status).toBe(200)
    const row = await rowOf(house, String(body.email))
    const key = keyFor(house, row.id)
    const shown = (await verify(house, key)).body
    const answer = await sign(house, key, shown.hash)
    expect(answer.status).toBe(200)
    return { id: row.id, key, email: String(body.email), shown: answer.body }
  }
  const detail = async (who: { token: string }, id: string) =>
    (await call(server, joiningDesk.get, { params: { id } }, who)).body
  const accept = (who: { token: string }, id: string, body: { on: string; version: number }) =>
    call(server, joiningDesk.accept, { params: { id }, body }, who)

  async function leaver(house: JoinableOperation) {
    const { companyId } = house.admin
    const client = await makeUser(server.db, { companyId, isAdmin: false })
    const participantId = (await makeParticipant(server.db, { companyId, userId: client.id, email: client.email })).id
    const stay = await makeParticipation(server.db, { companyId, operationId: house.operationId, participantId })
    return { client, stay }
  }
  const depart = async (client: { token: string }, participationId: string, on: string) => {
    const asked = { kind: 'move' as const, on }
    const params = { id: participationId }
    const shown = (await call(server, joiningDesk.departureText, { params, query: asked }, client)).body
    const body = { ...asked, newAddress: '3 quai Perrache, Lyon', name: 'Sacha', hash: shown?.hash ?? 'a'.repeat(64) }
    return call(server, joiningDesk.depart, { params, body }, client)
  }
  return {
    settingsOf,
    openHouse,
    pageOf,
    draft,
    apply,
    rowOf,
    keyFor,
    verify,
    sign,
    signed,
    detail,
    accept,
    leaver,
    depart,
  }
}

type TokenHolder = { token: string }

/** An organiser, and a participant with a question. */
export async function makeSupportFixture(server: TestServer, more: { companyId?: number } = {}) {
  const admin = await makeUser(server.db, more)
  const { companyId } = admin
  const client = await makeUser(server.db, { companyId, isAdmin: false })
  const participant = await makeParticipant(server.db, { companyId, userId: client.id, name: 'Zoé Martin' })
  return { admin, client, participant, companyId }
}

export const TICKET_INPUT = { subject: 'Ma facture de mars', category: 'invoice', body: 'Pourquoi ce montant ?' }

/** Short forms of the calls of both sides. */
export const createSupportCalls = (server: TestServer) => ({
  ask: (who: TokenHolder, more: object = {}) =>
    call(server, support.create, { body: { ...TICKET_INPUT, ...more } }, who),
  read: (who: TokenHolder, id: string) => call(server, support.get, { params: { id } }, who),
  mine: (who: TokenHolder, query: Record<string, string> = {}) => call(server, support.list, { query }, who),
  write: (who: TokenHolder, id: string, body = 'Et encore ceci.') =>
    call(server, support.reply, { params: { id }, body: { body } }, who),
  rate: (who: TokenHolder, id: string, body: object) => call(server, support.rate, { params: { id }, body }, who),
  solve: (who: TokenHolder, id: string) => call(server, support.solve, { params: { id } }, who),
  queue: (who: TokenHolder, query: Record<string, string> = {}) => call(server, supportDesk.queue, { query }, who),
  open: (who: TokenHolder, id: string) => call(server, supportDesk.get, { params: { id } }, who),
  answer: (who: TokenHolder, id: string, more: object = {}) =>
    call(server, supportDesk.answer, { params: { id }, body: { body: 'Voici la réponse.', ...more } }, who),
  note: (who: TokenHolder, id: string, body = 'À vérifier avec la comptabilité.') =>
    call(server, supportDesk.note, { params: { id }, body: { body } }, who),
  update: (who: TokenHolder, id: string, body: object) =>
    call(server, supportDesk.update, { params: { id }, body }, who),
  merge: (who: TokenHolder, id: string, into: string) =>
    call(server, supportDesk.merge, { params: { id }, body: { into } }, who),
})

export type SubscriptionUser = Awaited<ReturnType<typeof makeUser>>
type PlanChoice = { plan: 'starter' | 'professional'; period: 'month' | 'year' }

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
