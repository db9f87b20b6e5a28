import { support } from '@voisol/contract/support'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { createSupportCalls, makeSupportFixture, TICKET_INPUT } from '../../../../test/factories-portal.ts'
import { waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { events, notifications, ticketMessages } from '../../../db/schema/index.ts'

const server = useServer()
const calls = createSupportCalls(server)
let scene: Awaited<ReturnType<typeof makeSupportFixture>>
beforeEach(async () => {
  scene = await makeSupportFixture(server)
})

describe('a participant asks their organiser', () => {
  test('is answered, may go on, says that it is solved and what they think of it', async () => {
    const { admin, client } = scene
    const { status, body } = await calls.ask(client)
    expect(status).toBe(200)
    expect(body).toMatchObject({ number: 1, desk: 'organiser', state: 'new', priority: 'normal', about: null })
    expect(body.messages).toMatchObject([{ side: 'asker', body: TICKET_INPUT.body, source: 'web', files: [] }])
    expect((await calls.queue(admin)).body.items).toMatchObject([{ id: body.id, assignee: null, late: false }])

    const answered = await calls.answer(admin, body.id)
    expect(answered.body).toMatchObject({ state: 'waiting', solveDueAt: null, assignee: { id: admin.id } })
    expect(answered.body.firstAnswerAt).not.toBeNull()
    const mail = await waitUntil(async () =>
      (await waitForMails(server, client.email)).find(({ subject }) => subject?.startsWith('Réponse')),
    )
    expect(mail.text).toContain('Voici la réponse.')

    const more = await calls.write(client, body.id)
    expect(more.body).toMatchObject({ state: 'open', lastSide: 'asker' })
    expect((await calls.rate(client, body.id, { score: 5 })).status).toBe(409)
    expect((await calls.answer(admin, body.id, { leaves: 'solved' })).body).toMatchObject({ state: 'solved' })
    expect((await calls.rate(client, body.id, { score: 4, word: 'Clair' })).body).toMatchObject({
      score: 4,
      scoreWord: 'Clair',
    })
    for (const bad of [{ score: 0 }, { score: 6 }, { score: 2.5 }, {}])
      expect((await calls.rate(client, body.id, bad)).status).toBe(422)

    expect((await calls.write(client, body.id, 'Cela recommence.')).body).toMatchObject({ state: 'open' })
    expect((await calls.open(admin, body.id)).body).toMatchObject({ solvedAt: null })
    expect((await calls.solve(client, body.id)).body.state).toBe('solved')
    const told = await server.db.select().from(events).where(eq(events.companyId, admin.companyId))
    expect(told.map(({ name }) => name).filter((name) => name.startsWith('ticket.'))).toEqual([
      'ticket.opened',
      'ticket.answered',
      'ticket.continued',
      'ticket.answered',
      'ticket.solved',
      'ticket.continued',
      'ticket.solved',
    ])
  })

  test('names what it is about, of their own alone', async () => {
    const { client, companyId } = scene
    const other = await makeOperation(server.db, { companyId, name: 'Pas la mienne' })
    const refused = await calls.ask(client, { about: { kind: 'operation', id: other.id } })
    expect(refused.status).toBe(422)
    expect(refused.body.issues).toMatchObject([{ path: 'about' }])
    expect(refused.text).not.toContain('Pas la mienne')
    const day = await calls.ask(client, { about: { kind: 'day', day: '2026-03-29' } })
    expect(day.body.about).toEqual({ kind: 'day', id: null, day: '2026-03-29', label: 'Le 29 mars 2026' })
    expect((await call(server, support.choices, {}, client)).body.items).toEqual([])
  })

  test('sees their own alone; the organiser sees those of the company, and neither those of another', async () => {
    const { admin, client, companyId } = scene
    const { body } = await calls.ask(client)
    const neighbour = await makeUser(server.db, { companyId, isAdmin: false })
    const stranger = await makeUser(server.db)
    for (const who of [neighbour, admin, stranger]) expect((await calls.read(who, body.id)).status).toBe(404)
    expect((await calls.mine(neighbour)).body.total).toBe(0)
    expect((await calls.open(stranger, body.id)).status).toBe(404)
    expect((await calls.queue(stranger)).body.total).toBe(0)
    expect((await calls.open(client, body.id)).status).toBe(403)
    expect((await calls.queue(admin)).body.total).toBe(1)
    expect((await calls.write(neighbour, body.id)).status).toBe(404)
    expect((await calls.answer(stranger, body.id)).status).toBe(404)
  })

  test('never reads what the desk notes for itself, nor what others sent under their name', async () => {
    const { admin, client, companyId } = scene
    const { body } = await calls.ask(client)
    expect((await calls.note(admin, body.id)).body.notes).toMatchObject([{ body: 'À vérifier avec la comptabilité.' }])
    const held = { side: 'asker' as const, author: 'x', body: 'Je suis quelqu’un d’autre', heldFrom: 'x@exemple.fr' }
    await server.db.insert(ticketMessages).values({ companyId, ticketId: body.id, ...held })
    const read = await calls.read(client, body.id)
    expect(read.text).not.toMatch(/comptabilité|quelqu’un d’autre/)
    expect(read.body.messages).toHaveLength(1)
    expect((await calls.open(admin, body.id)).body.messages).toHaveLength(2)
  })

  test('what says nothing, or too much, is refused', async () => {
    const { client } = scene
    for (const bad of [
      { body: ' ' },
      { body: '\u0007' },
      { body: 'x'.repeat(10_001) },
      { subject: '' },
      { category: 'x' },
    ])
      expect((await calls.ask(client, bad)).status).toBe(422)
    const { body } = await calls.ask(client)
    expect((await calls.write(client, body.id, ' ')).status).toBe(422)
  })
})

describe('an organiser asks the keeper of the installation', () => {
  test('who alone sees it, answers it in its company and notes in their own', async () => {
    const { admin } = scene
    const keeper = await makeSiteAdmin(server.db)
    const { body } = await calls.ask(admin, { subject: 'Nos copies' })
    expect(body).toMatchObject({ desk: 'keeper', number: 1 })
    const colleague = await makeUser(server.db, { companyId: admin.companyId })
    for (const who of [colleague, await makeUser(server.db)]) {
      expect((await calls.open(who, body.id)).status).toBe(404)
      expect((await calls.read(who, body.id)).status).toBe(404)
      expect((await calls.queue(who, { desk: 'keeper' })).body.total).toBe(0)
    }
    const told = await waitUntil(async () => {
      const rows = await server.db.select().from(notifications).where(eq(notifications.userId, keeper.id))
      return rows.find(({ actionUrl }) => actionUrl?.includes(body.id))
    })
    expect(told.companyId).toBe(keeper.companyId)
    await calls.note(keeper, body.id, 'Chez le voisin aussi.')
    const answered = await calls.answer(keeper, body.id)
    expect(answered.body).toMatchObject({ state: 'waiting', notes: [{ body: 'Chez le voisin aussi.' }] })
    expect(answered.body.context.participants).toEqual([])
    const seen = await calls.read(admin, body.id)
    expect(seen.body.messages).toHaveLength(2)
    expect(seen.text).not.toContain('Chez le voisin')
    const { rows } = await server.db.execute(`select company_id from ticket_notes where ticket_id = '${body.id}'`)
    expect(rows).toEqual([{ company_id: keeper.companyId }])
    const { rows: messages } = await server.db.execute(
      `select distinct company_id from ticket_messages where ticket_id = '${body.id}'`,
    )
    expect(messages).toEqual([{ company_id: admin.companyId }])
  })

  test('one who keeps the installation without that right sees nothing of it', async () => {
    const { companyId } = await makeSiteAdmin(server.db)
    const { body } = await calls.ask(scene.admin)
    const agent = await makeUser(server.db, { companyId, permissions: ['support.read', 'support.write'] })
    expect((await calls.open(agent, body.id)).status).toBe(404)
    expect((await calls.queue(agent, { desk: 'keeper' })).body.total).toBe(0)
  })
})
