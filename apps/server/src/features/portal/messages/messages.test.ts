import { messages } from '@voisol/contract/messages'
import { notifications } from '@voisol/contract/notifications'
import { supportDesk } from '@voisol/contract/support-agents'
import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation } from '../../../../test/factories-energy.ts'
import { listMailsTo, waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { memberships, messageRecipients, type participants, messages as table } from '../../../db/schema/index.ts'
import { sendMessage, sendMessageMail } from './send-messages.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
let admin: User
let zoe: User
let ids: { operation: string; elsewhere: string; zoe: string; paper: string; mail: string }
const TAG = 'bâtiment B'

beforeAll(async () => {
  admin = await makeUser(server.db)
  const { companyId } = admin
  zoe = await makeUser(server.db, { companyId, isAdmin: false, email: 'zoe@exemple.fr' })
  const operation = (await makeOperation(server.db, { companyId, name: 'Les Tilleuls' })).id
  const elsewhere = (await makeOperation(server.db, { companyId, name: 'Les Ormes' })).id
  const person = async (operationId: string, more: Partial<typeof participants.$inferInsert>) => {
    const { id } = await makeParticipant(server.db, { companyId, tags: [TAG], ...more })
    await makeParticipation(server.db, { companyId, operationId, participantId: id })
    return id
  }
  const names = (firstName: string, lastName: string) => ({ name: `${firstName} ${lastName}`, firstName, lastName })
  ids = {
    operation,
    elsewhere,
    zoe: await person(operation, { ...names('Zoé', 'Vidal'), userId: zoe.id, email: 'zoe@exemple.fr' }),
    paper: await person(operation, names('Ana', 'Gil')),
    mail: await person(elsewhere, { ...names('Luc', 'Roy'), email: 'luc@exemple.fr' }),
  }
})

const WORDS = { subject: 'Coupure pour {{prenom}}', body: 'Bonjour {{ prenom }},\n\nle toit de {{operation}}.' }
const GROUP = { kind: 'group', tag: TAG }
const write = (more: object = {}, by: { token: string } = admin) =>
  call(server, messages.create, { body: { ...WORDS, to: GROUP, sendAt: null, ...more } }, by)
const read = async (id: string, by: { token: string } = admin) =>
  (await call(server, messages.get, { params: { id } }, by)).body
const waitUntilSent = (id: string) =>
  expect.poll(async () => (await read(id)).counts).toMatchObject({ queued: 0, recipients: 3 })
const soon = (ms = 3_600_000) => new Date(Date.now() + ms).toISOString()
const readOwnMessages = async (by: User = zoe) => (await call(server, messages.mine, {}, by)).body

test('the preview shows the text as a recipient reads it, and names who cannot be reached', async () => {
  const body = { ...WORDS, to: GROUP }
  const seen = (await call(server, messages.preview, { body }, admin)).body
  expect(seen).toMatchObject({ recipients: 3, none: ['Ana Gil'], name: 'Ana Gil' })
  expect(seen.sample.subject).toBe('Coupure pour Ana')
  for (const part of [seen.sample.html, seen.sample.text]) expect(part).toContain('le toit de Les Tilleuls')
  const wrong = await call(server, messages.preview, { body: { ...body, body: '{{iban}}' } }, admin)
  expect([wrong.status, wrong.body.issues[0].path]).toEqual([422, 'body'])
  const nobody = await call(server, messages.preview, { body: { ...body, to: { kind: 'group', tag: 'x' } } }, admin)
  expect(nobody.status).toBe(422)
})

test('a group is reached by mail or portal; opening is recorded, and an answer becomes a ticket', async () => {
  const { id } = (await write()).body
  await waitUntilSent(id)
  const states = Object.fromEntries(
    (await read(id)).recipients.map(({ name, state }: { name: string; state: string }) => [name, state]),
  )
  expect(states).toEqual({ 'Ana Gil': 'none', 'Luc Roy': 'delivered', 'Zoé Vidal': 'delivered' })
  const [mail] = await waitForMails(server, 'zoe@exemple.fr')
  expect(mail?.subject).toBe('Coupure pour Zoé')
  expect(mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toContain(zoe.id)
  const [plain] = await waitForMails(server, 'luc@exemple.fr')
  expect(plain?.headers.some(({ key }) => key === 'list-unsubscribe')).toBe(false)
  expect(await readOwnMessages()).toMatchObject({
    total: 1,
    unread: 1,
    items: [{ subject: 'Coupure pour Zoé', openedAt: null }],
  })
  expect((await read(id)).counts.opened).toBe(0)
  const first = (await call(server, messages.open, { params: { id } }, zoe)).body.openedAt
  expect((await call(server, messages.open, { params: { id } }, zoe)).body.openedAt).toBe(first)
  expect((await readOwnMessages()).unread).toBe(0)
  const answer = (body: string) => call(server, messages.answer, { params: { id }, body: { body } }, zoe)
  const { ticketId } = (await answer('À quelle heure ?')).body
  expect((await answer('Et demain ?')).body.ticketId).toBe(ticketId)
  const ticket = (await call(server, supportDesk.get, { params: { id: ticketId } }, admin)).body
  expect(ticket).toMatchObject({ subject: expect.stringMatching(/^Réponse\s: Coupure pour Zoé$/), desk: 'organiser' })
  expect(ticket.messages).toHaveLength(2)
  expect((await read(id)).counts).toMatchObject({ opened: 1, answered: 1 })
  const other = await makeUser(server.db, { companyId: admin.companyId, isAdmin: false })
  expect((await call(server, messages.open, { params: { id } }, other)).status).toBe(404)
  expect((await readOwnMessages(other)).total).toBe(0)
})

test('reminds once each recipient who has not opened it, and nobody else', async () => {
  const { id } = (await write({ subject: 'Rappel utile' })).body
  await waitUntilSent(id)
  const remind = async () => (await call(server, messages.remind, { params: { id } }, admin)).body
  expect(await remind()).toEqual({ sent: 1 })
  expect(await remind()).toEqual({ sent: 0 })
  const reminded = async () =>
    (await listMailsTo(server, 'zoe@exemple.fr')).filter(({ subject }) => subject === 'Rappel\u00a0: Rappel utile')
  await expect.poll(async () => (await reminded()).length).toBe(1)
  await call(server, messages.open, { params: { id } }, zoe)
  const letter = { companyId: admin.companyId, messageId: id, participantId: ids.zoe, reminder: true }
  await sendMessageMail(server.deps, letter, { id: crypto.randomUUID(), signal: AbortSignal.timeout(1000) })
  expect(await reminded()).toHaveLength(1)
})

test('a recipient who unsubscribed reads it in the portal only', async () => {
  const body = { items: [{ category: 'operations', channel: 'mail', enabled: false }] }
  await call(server, notifications.savePreferences, { body }, zoe)
  const { id } = (await write({ to: { kind: 'person', participantId: ids.zoe } })).body
  await expect.poll(async () => (await read(id)).recipients[0]?.state).toBe('portal')
  const back = { items: [{ category: 'operations', channel: 'mail', enabled: true }] }
  await call(server, notifications.savePreferences, { body: back }, zoe)
})

test('is sent once at its time, even by concurrent jobs, and never after being cancelled', async () => {
  const past = await write({ sendAt: new Date(Date.now() - 120_000).toISOString() })
  expect([past.status, past.body.issues[0].path]).toEqual([422, 'sendAt'])
  const { companyId } = admin
  const later = (await write({ sendAt: soon() })).body
  expect(later).toMatchObject({ state: 'scheduled', counts: { recipients: 0 } })
  const run = (messageId: string) => sendMessage(server.deps, { companyId, messageId })
  await Promise.all([run(later.id), run(later.id)])
  expect((await read(later.id)).counts.recipients).toBe(3)
  const cancel = (row: { id: string; version: number }) =>
    call(server, messages.cancel, { params: { id: row.id }, body: { version: row.version } }, admin)
  expect((await cancel(await read(later.id))).status).toBe(409)
  const dropped = (await write({ sendAt: soon() })).body
  expect((await cancel({ ...dropped, version: 7 })).status).toBe(409)
  expect((await cancel(dropped)).body.state).toBe('cancelled')
  await run(dropped.id)
  expect(await read(dropped.id)).toMatchObject({ state: 'cancelled', recipients: [] })
})

test('a limited user reaches their own operations only; losing the permission stops a scheduled message', async () => {
  const { companyId } = admin
  const limited = await makeUser(server.db, { companyId, role: 'admin', operationIds: [ids.operation] })
  const to = (operationId: string) => ({ to: { kind: 'operation', operationId }, sendAt: soon() })
  expect((await write(to(ids.elsewhere), limited)).status).toBe(404)
  expect((await write({ to: { kind: 'person', participantId: ids.mail } }, limited)).status).toBe(404)
  const group = (await write({ sendAt: soon() }, limited)).body
  await sendMessage(server.deps, { companyId, messageId: group.id })
  expect((await read(group.id)).counts.recipients).toBe(2)
  const hidden = (await write(to(ids.elsewhere))).body
  expect((await call(server, messages.get, { params: { id: hidden.id } }, limited)).status).toBe(404)
  const seen = (await write(to(ids.operation))).body
  expect((await read(seen.id, limited)).id).toBe(seen.id)
  const waiting = (await write(to(ids.operation), limited)).body
  const member = and(eq(memberships.companyId, companyId), eq(memberships.userId, limited.id))
  await server.db
    .update(memberships)
    .set({ operationIds: [ids.elsewhere] })
    .where(member)
  await sendMessage(server.deps, { companyId, messageId: waiting.id })
  const [row] = await server.db.select().from(table).where(eq(table.id, waiting.id))
  expect(row).toMatchObject({ state: 'failed', fault: expect.stringContaining('n’en a plus le droit') })
  const none = await server.db.select().from(messageRecipients).where(eq(messageRecipients.messageId, waiting.id))
  expect(none).toEqual([])
})

test('a template is saved under its name and can be removed', async () => {
  const body = { name: 'Coupure', ...WORDS }
  const save = (more: object = {}, by: User = admin) =>
    call(server, messages.saveTemplate, { body: { ...body, ...more } }, by)
  const { id } = (await save()).body
  expect((await save({ subject: 'Autre' })).body).toMatchObject({ id, subject: 'Autre', version: 2 })
  const { companyId } = admin
  const limited = await makeUser(server.db, { companyId, role: 'admin', operationIds: [ids.operation] })
  expect((await save({}, limited)).status).toBe(409)
  expect((await call(server, messages.removeTemplate, { params: { id } }, admin)).status).toBe(200)
  expect((await call(server, messages.templates, {}, admin)).body.items).toEqual([])
})
