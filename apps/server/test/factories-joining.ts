import { joining } from '@voisol/contract/joining'
import { joiningDesk } from '@voisol/contract/joining-desk'
import { and, eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { createLinkKey } from '../src/core/link-key.ts'
import { applications } from '../src/db/schema/index.ts'
import { getJoinLinkPurpose } from '../src/features/relationship/joining/mails.ts'
import { call } from './client.ts'
import { makeUser } from './factories.ts'
import { makeOperation } from './factories-operations.ts'
import { makeParticipant, makeParticipation } from './factories-participants.ts'
import type { useServer } from './server.ts'

export const JOINING_PRM = '19125759625988'

type Admin = Awaited<ReturnType<typeof makeUser>>
export type JoinableOperation = { admin: Admin; operationId: string; slug: string }

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
