import { support } from '@voisol/contract/support'
import { DEFAULT_HOURS, supportDesk } from '@voisol/contract/support-agents'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeTicket } from '../../../../test/access-relationship.ts'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { createSupportCalls, makeSupportFixture } from '../../../../test/factories-portal.ts'
import { useServer } from '../../../../test/server.ts'
import { tickets } from '../../../db/schema/index.ts'

const server = useServer()
const calls = createSupportCalls(server)
let scene: Awaited<ReturnType<typeof makeSupportFixture>>
beforeEach(async () => {
  scene = await makeSupportFixture(server)
})
const ask = async (subject: string, who = scene.client) => (await calls.ask(who, { subject })).body

describe('the queue', () => {
  test('is filtered by view, priority and word, and what is due first comes first', async () => {
    const { admin } = scene
    const [first, second] = [await ask('Compteur'), await ask('Facture')]
    await calls.update(admin, second.id, { version: 1, priority: 'urgent', assigneeId: admin.id })
    const ids = async (query: Record<string, string>) =>
      (await calls.queue(admin, query)).body.items.map(({ id }: { id: string }) => id)
    expect(await ids({})).toEqual([second.id, first.id])
    expect(await ids({ view: 'mine' })).toEqual([second.id])
    expect(await ids({ view: 'unassigned' })).toEqual([first.id])
    expect(await ids({ priority: 'urgent' })).toEqual([second.id])
    expect(await ids({ q: 'compteur' })).toEqual([first.id])
    expect(await ids({ view: 'late' })).toEqual([])
    await calls.answer(admin, first.id, { leaves: 'solved' })
    expect(await ids({})).toEqual([second.id])
    expect(await ids({ state: 'solved' })).toEqual([first.id])
    expect((await calls.queue(admin, { view: 'all' })).body.total).toBe(2)
  })

  test('what was promised and has passed is late, until it is over', async () => {
    const { admin, client } = scene
    const { id } = await makeTicket(server, client, { firstDueAt: new Date(Date.now() - 60_000) })
    expect((await calls.queue(admin, { view: 'late' })).body.items).toMatchObject([{ id, late: true }])
    await server.db.update(tickets).set({ solveDueAt: null, spentMinutes: 601 }).where(eq(tickets.id, id))
    await calls.answer(admin, id)
    expect((await calls.open(admin, id)).body.late).toBe(true)
    await calls.update(admin, id, { version: 2, state: 'closed' })
    expect((await calls.queue(admin, { view: 'late' })).body.total).toBe(0)
  })
})

describe('following a ticket', () => {
  test('of two at once on the same state one is told', async () => {
    const { admin } = scene
    const { id } = await ask('Facture')
    const answers = await Promise.all(
      ['low', 'high', 'urgent'].map((priority) => calls.update(admin, id, { version: 1, priority })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('is given to somebody of the company who may answer', async () => {
    const { admin, client, companyId } = scene
    const { id } = await ask('Facture')
    const reader = await makeUser(server.db, { companyId, permissions: ['support.read'] })
    const stranger = await makeUser(server.db)
    for (const { id: assigneeId } of [client, reader, stranger])
      expect((await calls.update(admin, id, { version: 1, assigneeId })).status).toBe(422)
    expect((await calls.update(admin, id, { version: 1, assigneeId: admin.id })).body.assignee.id).toBe(admin.id)
    expect((await calls.update(admin, id, { version: 2, assigneeId: null })).body.assignee).toBeNull()
    expect((await call(server, supportDesk.people, {}, admin)).body.items.map((one: { id: string }) => one.id)).toEqual(
      [admin.id],
    )
  })

  test('its context is what an answer needs', async () => {
    const { admin, client } = scene
    const [first, second] = [await ask('Compteur'), await ask('Facture')]
    const { body } = await calls.open(admin, second.id)
    expect(body.context).toMatchObject({
      email: client.email,
      participants: [{ name: 'Zoé Martin', operations: [] }],
      tickets: [{ id: first.id, number: 1 }],
    })
    expect(body.fields).toMatchObject({ prenom: 'Camille', numero: '2', objet: 'Facture', facture: '' })
  })
})

describe('two tickets of one asker', () => {
  test('are put together: every message is kept, and the asker writes in the one that is left', async () => {
    const { admin, client } = scene
    const [first, second] = [await ask('Facture'), await ask('Encore la facture')]
    await calls.answer(admin, second.id, { leaves: 'solved' })
    const { status, body } = await calls.merge(admin, first.id, second.id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: second.id, state: 'open', solvedAt: null })
    expect(body.messages).toHaveLength(3)
    expect(body.messages[0]).toMatchObject({ fromTicket: 1 })
    expect((await calls.read(client, first.id)).body).toMatchObject({
      state: 'closed',
      messages: [],
      mergedInto: { id: second.id, number: 2 },
    })
    expect((await calls.write(client, first.id)).status).toBe(409)
    expect((await calls.answer(admin, first.id)).status).toBe(409)
    expect((await calls.merge(admin, second.id, first.id)).status).toBe(422)
  })

  test('of two people never are, nor one with itself', async () => {
    const { admin, companyId } = scene
    const neighbour = await makeUser(server.db, { companyId, isAdmin: false })
    const [first, second] = [await ask('Facture'), await ask('Ma facture à moi', neighbour)]
    for (const into of [first.id, second.id]) {
      const { status, body } = await calls.merge(admin, first.id, into)
      expect({ status, path: body.issues[0].path }).toEqual({ status: 422, path: 'into' })
    }
    expect((await calls.merge(await makeUser(server.db), first.id, second.id)).status).toBe(404)
  })
})

describe('files', () => {
  const attach = (who: { token: string }, name: string, upload = Buffer.from('%PDF-1.7 facture')) =>
    call(server, support.attach, { query: { name }, upload }, who)
  const take = (who: { token: string }, id: string) => call(server, support.file, { params: { id } }, who)

  test('go with their message and come back as downloads, to both sides and nobody else', async () => {
    const { admin, client, companyId } = scene
    const file = (await attach(client, '../facture.pdf')).body
    expect(file).toMatchObject({ name: 'facture.pdf', mediaType: 'application/pdf' })
    expect((await take(client, file.id)).status).toBe(404)
    const neighbour = await makeUser(server.db, { companyId, isAdmin: false })
    expect((await calls.ask(neighbour, { fileIds: [file.id] })).body.issues[0].path).toBe('fileIds')
    const { body } = await calls.ask(client, { fileIds: [file.id] })
    expect(body.messages[0].files).toMatchObject([{ id: file.id, name: 'facture.pdf' }])
    expect((await calls.ask(client, { fileIds: [file.id] })).status).toBe(422)
    const mine = await take(client, file.id)
    expect(mine.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'content-type': 'application/pdf' })
    expect(mine.headers['content-disposition']).toMatch(/^attachment/)
    expect((await call(server, supportDesk.file, { params: { id: file.id } }, admin)).text).toContain('%PDF')
    for (const who of [neighbour, await makeUser(server.db)]) expect((await take(who, file.id)).status).toBe(404)
    expect((await call(server, supportDesk.file, { params: { id: file.id } }, await makeUser(server.db))).status).toBe(
      404,
    )
  })

  test('programs, pages and what is empty are refused; what is not sent yet can be taken back', async () => {
    const { client } = scene
    for (const name of ['virus.exe', 'page.HTML', 'dessin.svg', 'dossier/..'])
      expect((await attach(client, name)).status).toBe(422)
    const file = (await attach(client, 'photo.png')).body
    const remove = (who: { token: string }) => call(server, support.detach, { params: { id: file.id } }, who)
    expect((await remove(await makeUser(server.db))).status).toBe(404)
    expect((await remove(client)).status).toBe(200)
    expect((await remove(client)).status).toBe(404)
  })
})

describe('the desk itself', () => {
  test('keeps answers with fields that are known', async () => {
    const { admin } = scene
    const add = (body: object) => call(server, supportDesk.addCanned, { body }, admin)
    const { body } = await add({ name: 'Reçu', body: 'Bonjour {{prenom}}, votre facture {{ facture }}' })
    expect(body).toMatchObject({ desk: 'organiser', version: 1 })
    expect((await add({ name: 'Reçu', body: 'x' })).status).toBe(409)
    expect((await add({ name: 'Faux', body: 'Bonjour {{prénom}}' })).body.issues[0].path).toBe('body')
    expect((await add({ name: 'Ailleurs', desk: 'keeper', body: 'x' })).status).toBe(404)
    const update = { params: { id: body.id }, body: { name: 'Reçu', body: 'Merci', version: 1 } }
    expect((await call(server, supportDesk.updateCanned, update, admin)).body).toMatchObject({
      body: 'Merci',
      version: 2,
    })
    expect((await call(server, supportDesk.updateCanned, update, admin)).status).toBe(409)
    expect((await call(server, supportDesk.removeCanned, { params: { id: body.id } }, admin)).status).toBe(200)
    expect((await call(server, supportDesk.canned, {}, admin)).body.items).toEqual([])
  })

  test('says when it is open, and what is asked from then on is promised accordingly', async () => {
    const { admin } = scene
    expect((await call(server, supportDesk.hours, {}, admin)).body).toEqual({ ...DEFAULT_HOURS, version: 0 })
    const set = (more: object) =>
      call(server, supportDesk.setHours, { body: { ...DEFAULT_HOURS, version: 0, ...more } }, admin)
    expect((await set({ from: '18:00', to: '09:00' })).body.issues[0].path).toBe('to')
    expect((await set({ days: [] })).status).toBe(422)
    expect((await set({ desk: 'keeper' })).status).toBe(404)
    const promises = { ...DEFAULT_HOURS.promises, normal: { first: 30, solve: 45 } }
    const always = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '23:59', promises }
    expect((await set(always)).body).toMatchObject({ version: 1, from: '00:00' })
    expect((await set(always)).status).toBe(409)
    const { id } = await ask('Facture')
    const { firstDueAt, solveDueAt, createdAt } = (await calls.open(admin, id)).body
    const minutes = (text: string) => (Date.parse(text) - Date.parse(createdAt)) / 60_000
    expect(minutes(solveDueAt) - minutes(firstDueAt)).toBeLessThanOrEqual(24 * 60)
    expect(minutes(firstDueAt)).toBeLessThanOrEqual(30 + 24 * 60)
  })

  test('counts what it did by month', async () => {
    const { admin, client } = scene
    const { id } = await ask('Facture')
    await ask('Compteur')
    await calls.answer(admin, id, { leaves: 'solved' })
    await calls.rate(client, id, { score: 4 })
    const { body } = await call(server, supportDesk.figures, { query: { months: '2' } }, admin)
    expect(body).toMatchObject({ open: 1, late: 0, unassigned: 1 })
    expect(body.items).toHaveLength(2)
    expect(body.items[0]).toMatchObject({ opened: 0, firstAnswer: null, promise: { kept: 0, of: 0 } })
    expect(body.items[1]).toMatchObject({
      opened: 2,
      solved: 1,
      firstAnswer: 0,
      promise: { kept: 2, of: 2 },
      score: { sum: 4, of: 1 },
    })
    expect((await call(server, supportDesk.figures, { query: { desk: 'keeper' } }, admin)).status).toBe(404)
  })
})
