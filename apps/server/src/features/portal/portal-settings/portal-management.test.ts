import { PORTAL_BLOCKS } from '@voisol/contract/access'
import { auth } from '@voisol/contract/auth'
import { participants as people } from '@voisol/contract/participants'
import { type PortalPerson, portalManagement } from '@voisol/contract/portal-management'
import { extractPdfText } from '@voisol/documents/testing/pdf-text'
import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation } from '../../../../test/factories-energy.ts'
import { listMailsTo, waitForLink } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import {
  memberships,
  participants,
  portalHolders,
  portalLetters,
  portalVisits,
  throttles,
} from '../../../db/schema/index.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
const DAY = 86_400_000
let admin: User
let companyId: number
let tilleuls: string
let ormes: string

beforeAll(async () => {
  admin = await makeUser(server.db)
  companyId = admin.companyId
  tilleuls = (await makeOperation(server.db, { companyId, name: 'Les Tilleuls' })).id
  ormes = (await makeOperation(server.db, { companyId, name: 'Les Ormes' })).id
})

const person = async (operationId: string, more: Partial<typeof participants.$inferInsert> = {}) => {
  const row = await makeParticipant(server.db, { companyId, ...more })
  await makeParticipation(server.db, { companyId, operationId, participantId: row.id })
  return row
}
const list = async (query = {}, by: { token: string } = admin) =>
  (await call(server, portalManagement.people, { query }, by)).body
const limitedTo = (id: string) => makeUser(server.db, { companyId, role: 'admin', operationIds: [id] })

describe('visible blocks of the portal', () => {
  const blocks = PORTAL_BLOCKS.map((key) => ({ key, shown: key !== 'hours' })).toReversed()
  const save = (body: object, by: { token: string } = admin) =>
    call(server, portalManagement.saveSettings, { body }, by)

  test('are all shown by default; of two concurrent changes one is refused', async () => {
    const first = (await call(server, portalManagement.settings, {}, admin)).body
    expect(first).toEqual({
      blocks: PORTAL_BLOCKS.map((key) => ({ key, shown: true })),
      comparison: true,
      welcome: '',
      version: 0,
    })
    const body = { blocks, comparison: false, welcome: 'Bonjour\u202e', version: 0 }
    const answers = await Promise.all([save(body), save({ ...body, comparison: true })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    await save({ ...body, version: 1 })
    const client = await makeUser(server.db, { companyId, isAdmin: false })
    const shown = (await call(server, portalManagement.shown, {}, client)).body
    expect(shown).toEqual({ blocks, comparison: false, welcome: 'Bonjour' })
    const other = await makeUser(server.db)
    expect((await call(server, portalManagement.settings, {}, other)).body.version).toBe(0)
  })

  test('each block is listed once, and a limited user cannot choose for everybody', async () => {
    const twice = [...blocks.slice(1), blocks[1]]
    expect((await save({ blocks: twice, comparison: true, welcome: '', version: 2 })).status).toBe(422)
    const limited = await limitedTo(tilleuls)
    expect((await save({ blocks, comparison: true, welcome: '', version: 2 }, limited)).status).toBe(403)
  })
})

describe('invitations and adoption', () => {
  test('lists each state with the times of invitation and reminder, without former members', async () => {
    const none = await person(tilleuls, { email: 'aucune@exemple.fr' })
    const sent = await person(tilleuls, { email: 'envoyee@exemple.fr' })
    const left = await makeParticipant(server.db, { companyId, email: 'partie@exemple.fr' })
    const ended = { companyId, operationId: tilleuls, participantId: left.id, endsOn: '2025-06-01' }
    await makeParticipation(server.db, ended)
    await call(server, people.invite, { params: { id: sent.id } }, admin)
    const rows = async () => (await list({ operationId: tilleuls })).items
    const of = async (id: string) => (await rows()).find((row: { id: string }) => row.id === id)
    expect(await of(none.id)).toMatchObject({ state: 'none', invitedAt: null, operations: ['Les Tilleuls'] })
    expect(await of(sent.id)).toMatchObject({ state: 'sent', remindedAt: null })
    expect(await of(left.id)).toBeUndefined()
    const mine = and(
      eq(memberships.companyId, companyId),
      sql`user_id = (select user_id from participants where id = ${sent.id})`,
    )
    const move = (days: number) =>
      server.db
        .update(memberships)
        .set({
          createdAt: new Date(Date.now() - 20 * DAY),
          invitationExpiresAt: new Date(Date.now() + days * DAY),
        })
        .where(mine)
    await move(-2)
    expect(await of(sent.id)).toMatchObject({ state: 'expired' })
    expect(Date.now() - Date.parse((await of(sent.id)).remindedAt)).toBeGreaterThan(8.9 * DAY)
    // Nobody is reminded within three days; the participant with an older invitation is, once.
    const remind = async (by: { token: string } = admin) =>
      (await call(server, portalManagement.remindAll, { body: {} }, by)).body
    expect(await remind(await limitedTo(ormes))).toEqual({ sent: 0, left: 0 })
    expect(await remind()).toEqual({ sent: 1, left: 0 })
    expect(await remind()).toEqual({ sent: 0, left: 1 })
    await expect.poll(async () => (await listMailsTo(server, 'envoyee@exemple.fr')).length).toBe(2)
    await move(3)
    expect(await of(sent.id)).toMatchObject({ state: 'sent' })
    const stranger = await makeUser(server.db)
    expect((await list({}, stranger)).total).toBe(0)
    const body = { operationId: tilleuls }
    expect((await call(server, portalManagement.remindAll, { body }, stranger)).status).toBe(404)
  })

  test('adoption counts each participant once in the total, and as active within thirty days', async () => {
    const { companyId: own, ...boss } = await makeUser(server.db)
    const [a, b] = [
      (await makeOperation(server.db, { companyId: own, name: 'A' })).id,
      (await makeOperation(server.db, { companyId: own, name: 'B' })).id,
    ]
    const accounts = await Promise.all([0, 1, 2].map(() => makeUser(server.db, { companyId: own, isAdmin: false })))
    const seated = await Promise.all(
      [...accounts, undefined].map((user) =>
        makeParticipant(server.db, { companyId: own, ...(user && { userId: user.id }) }),
      ),
    )
    for (const { id } of seated)
      await makeParticipation(server.db, { companyId: own, operationId: a, participantId: id })
    const both = seated[0]?.id ?? ''
    await makeParticipation(server.db, { companyId: own, operationId: b, participantId: both })
    await makeParticipation(server.db, { companyId: own, operationId: a, participantId: both })
    for (const [at, days] of [29, 31].entries())
      await server.db
        .insert(portalVisits)
        .values({ companyId: own, userId: accounts[at]?.id ?? '', beganAt: new Date(Date.now() - days * DAY) })
    const waiting = { acceptedAt: null, invitationExpiresAt: new Date() }
    await server.db
      .update(memberships)
      .set(waiting)
      .where(eq(memberships.userId, accounts[2]?.id ?? ''))
    const { body } = await call(server, portalManagement.adoption, {}, boss)
    expect(body.total).toEqual({ participants: 4, invited: 3, accounts: 2, recent: 1 })
    expect(body.items.map(({ operationId: _, ...row }: { operationId: string }) => row)).toEqual([
      { operationName: 'A', participants: 4, invited: 3, accounts: 2, recent: 1 },
      { operationName: 'B', participants: 1, invited: 1, accounts: 1, recent: 1 },
    ])
    // A second holder counts too: one of the two is enough, and their home still counts once.
    const [, home] = seated
    const second = await makeUser(server.db, { companyId: own, isAdmin: false })
    await server.db.insert(portalHolders).values({ companyId: own, participantId: home?.id ?? '', userId: second.id })
    const came = new Date(Date.now() - 2 * DAY)
    await server.db.insert(portalVisits).values({ companyId: own, userId: second.id, beganAt: came })
    const { total } = (await call(server, portalManagement.adoption, {}, boss)).body
    expect(total).toEqual({ participants: 4, invited: 3, accounts: 2, recent: 2 })
    const latest = (await list({ sort: '-lastVisitAt' }, boss)).items.filter((row: PortalPerson) => row.lastVisitAt)
    expect(latest.map(({ id }: PortalPerson) => id)).toEqual([home?.id, both])
    expect(latest[0].lastVisitAt).toBe(came.toISOString())
  })
})

describe('letters to participants without a mail address', () => {
  const CODE = /[2-9A-HJ-NP-Z]{4}(?:-[2-9A-HJ-NP-Z]{4}){3}/g
  const letters = (body: object, by: { token: string } = admin) =>
    server.app.inject({
      method: 'POST',
      url: '/api/portal/letters',
      headers: { authorization: `Bearer ${by.token}` },
      payload: body,
    })
  const codesOf = async (body: object) => {
    const answer = await letters(body)
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
    const text = extractPdfText(answer.rawPayload)
    return { text, codes: text.match(CODE) ?? [] }
  }
  const activate = (code: string, email: string) => call(server, portalManagement.activate, { body: { code, email } })

  test('have one page each; the code is stored as a hash and opens an account once', async () => {
    const row = await person(ormes, { name: 'Léa Morin', address: '3 rue du Four', postalCode: '26400', city: 'Crest' })
    const { text, codes } = await codesOf({ participantIds: [row.id] })
    for (const part of ['Léa Morin', '3 rue du Four', '26400 Crest', '/activation']) expect(text).toContain(part)
    const [code = ''] = codes
    const [kept] = await server.db.select().from(portalLetters).where(eq(portalLetters.participantId, row.id))
    expect(JSON.stringify(kept)).not.toContain(code.replaceAll('-', ''))
    const tries = await Promise.all(['lea@exemple.fr', 'autre@exemple.fr'].map((email) => activate(code, email)))
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 422])
    const [after] = await server.db.select().from(participants).where(eq(participants.id, row.id))
    const token = await waitForLink(server, after?.email ?? '', 'invitation')
    const body = { firstName: 'Léa', lastName: 'Morin', password: 'un mot de passe bien long' }
    const entered = await call(server, auth.acceptInvitation, { params: { token }, body })
    expect(entered.body.user).toMatchObject({ space: 'portal', emailVerified: true, email: after?.email })
    expect((await activate(code, 'lea@exemple.fr')).status).toBe(422)
    expect((await list({ q: 'Léa Morin' })).items[0]).toMatchObject({ state: 'accepted' })
  })

  test('a newer letter replaces the older; an expired, unknown or obsolete code opens nothing', async () => {
    await server.db.delete(throttles)
    const row = await person(ormes, { name: 'Paul Roy' })
    const [first = ''] = (await codesOf({ participantIds: [row.id] })).codes
    const [second = ''] = (await codesOf({ participantIds: [row.id] })).codes
    const spaced = second.toLowerCase().replaceAll('-', ' ')
    const words = new Set<string>()
    const refused = async (code: string) => {
      const { status, body } = await activate(code, 'paul@exemple.fr')
      words.add(body.detail)
      return status
    }
    expect(await refused(first)).toBe(422)
    expect(await refused('2222-2222-2222-2222')).toBe(422)
    const own = eq(portalLetters.participantId, row.id)
    await server.db
      .update(portalLetters)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(own)
    expect(await refused(second)).toBe(422)
    await server.db
      .update(portalLetters)
      .set({ expiresAt: new Date(Date.now() + DAY) })
      .where(own)
    await server.db.update(participants).set({ email: 'p@exemple.fr' }).where(eq(participants.id, row.id))
    expect(await refused(second)).toBe(422)
    expect(words.size).toBe(1)
    await server.db.update(participants).set({ email: '' }).where(eq(participants.id, row.id))
    expect((await activate(spaced, 'paul@exemple.fr')).body).toEqual({ companyName: expect.any(String), known: false })
  })

  test('guesses are limited, and the author of the letter must still have the permission', async () => {
    await server.db.delete(throttles)
    const maker = await limitedTo(ormes)
    const row = await person(ormes, { name: 'Ana Gil' })
    const answer = await letters({ participantIds: [row.id] }, maker)
    const [code = ''] = extractPdfText(answer.rawPayload).match(CODE) ?? []
    await server.db.update(memberships).set({ disabledAt: new Date() }).where(eq(memberships.userId, maker.id))
    expect((await activate(code, 'ana@exemple.fr')).status).toBe(410)
    const guesses = []
    for (let at = 0; at < 10; at++) guesses.push((await activate('3333-3333-3333-3333', 'x@exemple.fr')).status)
    expect(guesses).toEqual([...Array(9).fill(422), 429])
  })

  test('are not created for a participant with a mail address or out of scope', async () => {
    const reached = await person(ormes, { email: 'connue@exemple.fr' })
    expect((await letters({ participantIds: [reached.id] })).statusCode).toBe(409)
    const row = await person(ormes)
    expect((await letters({ participantIds: [row.id] }, await limitedTo(tilleuls))).statusCode).toBe(404)
    expect((await letters({ participantIds: [row.id] }, await makeUser(server.db))).statusCode).toBe(404)
    expect((await letters({ operationId: ormes }, await limitedTo(tilleuls))).statusCode).toBe(404)
    const all = await codesOf({ operationId: ormes })
    expect(all.text).not.toContain(reached.name)
    expect(new Set(all.codes).size).toBe(all.codes.length)
    expect((await list({ operationId: ormes, post: 'true' })).total).toBe(all.codes.length)
  })
})
