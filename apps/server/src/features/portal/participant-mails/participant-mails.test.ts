import { auth } from '@voisol/contract/auth'
import { participants as people } from '@voisol/contract/participants'
import { users as accounts } from '@voisol/contract/users'
import { whiteLabel } from '@voisol/contract/white-label'
import { addDays } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser, PASSWORD } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo, waitForLink } from '../../../../test/mails.ts'
import { listRecordedEvents } from '../../../../test/recorded-events.ts'
import { useServer } from '../../../../test/server.ts'
import { transaction } from '../../../db/client.ts'
import { consents, events, notifications, portalHolders } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { recordAllExpiries } from '../../enedis/sync/expiry-warnings.ts'
import { participantMailSubscriber } from './subscriber.ts'

const server = useServer()
let count = 0

const subjects = async (address: string) => (await listMailsTo(server, address)).map(({ subject }) => subject)
const headers = (mail: { headers: { key: string }[] } | undefined) => mail?.headers.map(({ key }) => key) ?? []

async function makeBrandedCompany(name?: string) {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  if (name !== undefined)
    await call(server, whiteLabel.update, { params: { companyId }, body: { version: 0, companyName: name } }, admin)
  const operation = await makeOperation(server.db, { companyId, status: 'active' })
  /** Creates a participant with an account, with only a mail address, or with neither. */
  const member = async (how: 'account' | 'address' | 'nothing', until?: string) => {
    const client = how === 'account' ? await makeUser(server.db, { companyId, isAdmin: false }) : undefined
    const email = client?.email ?? (how === 'address' ? `voisine${++count}@exemple.fr` : '')
    const { id } = await makeParticipant(server.db, { companyId, email, userId: client?.id ?? null })
    await makeParticipation(server.db, { companyId, operationId: operation.id, participantId: id })
    if (until) await insertConsent(companyId, id, until)
    return { id, email, client }
  }
  return { admin, companyId, member }
}

const insertConsent = (companyId: number, participantId: string, expiresOn: string, purpose = 'collection') =>
  server.db.insert(consents).values({
    companyId,
    participantId,
    purpose,
    textVersion: '2026-01',
    method: 'paper',
    givenAt: new Date('2024-01-02'),
    expiresOn,
    recordedBy: 'test',
  })

const clock = (day: string) => ({ now: () => new Date(`${day}T09:00:00Z`), sleep: async () => {} })

test('welcomes a participant once in the company’s name, and no colleague', async () => {
  const { admin, companyId } = await makeBrandedCompany('Soleil <b>du</b> Vercors')
  const join = async (role: 'client' | 'manager') => {
    const email = `arrivee${++count}@exemple.fr`
    const body = { email, firstName: 'Lou', lastName: 'Petit', role }
    await call(server, accounts.invite, { body }, admin)
    const token = await waitForLink(server, email, 'invitation')
    const names = { firstName: 'Lou', lastName: 'Petit', password: `${PASSWORD} encore` }
    expect((await call(server, auth.acceptInvitation, { params: { token }, body: names })).status).toBe(200)
    return email
  }
  const [client, colleague] = [await join('client'), await join('manager')]
  await waitForJobs(server)
  expect(await subjects(colleague)).toHaveLength(1)
  const [mail, invitation] = await listMailsTo(server, client)
  expect(invitation?.subject).toMatch(/^Invitation/)
  expect(mail).toMatchObject({ subject: 'Bienvenue dans votre espace' })
  expect(mail?.text).toContain('Bonjour Lou,')
  expect(mail?.text).toContain('Mes questions')
  expect(mail?.text).toContain('/client-portal')
  expect(mail?.html).toContain('Soleil &lt;b&gt;du&lt;/b&gt; Vercors')
  expect(mail?.html).not.toContain('<b>du</b>')
  expect(headers(mail)).not.toContain('list-unsubscribe')
  // Handles the event again, as after an interruption, and long after it happened.
  const [heard] = (await listRecordedEvents(server.db, companyId, ['invitation.accepted'])) as never[]
  await transaction(server.db, (tx) => participantMailSubscriber.handle(tx, server.deps, heard as never))
  await waitForJobs(server)
  expect(await subjects(client)).toHaveLength(2)
})

test('an old event sends nothing', async () => {
  const { companyId, member } = await makeBrandedCompany()
  const { client, email } = await member('account')
  const old = {
    companyId,
    seq: 1,
    id: crypto.randomUUID(),
    object: client?.id ?? '',
    name: 'invitation.accepted' as const,
    data: { userId: client?.id ?? '' },
  }
  const hear = (at: Date) =>
    transaction(server.db, (tx) => participantMailSubscriber.handle(tx, server.deps, { ...old, at }))
  await hear(new Date(Date.now() - 8 * 86_400_000))
  await waitForJobs(server)
  expect(await subjects(email)).toEqual([])
  await hear(new Date(Date.now() - 6 * 86_400_000))
  await waitForJobs(server)
  expect(await subjects(email)).toEqual(['Bienvenue dans votre espace'])
})

test('warns of an expiring consent thirty and seven days before, once each, with or without account', async () => {
  const { companyId, member } = await makeBrandedCompany('Soleil du Vercors')
  const end = addDays(getToday(), 40)
  const own = await member('account', end)
  const paper = await member('address', end)
  await insertConsent(companyId, own.id, addDays(end, -1), 'comparison')
  const counts: number[][] = []
  for (const left of [40, 31, 30, 30, 29, 8, 7, 7, 0]) {
    await recordAllExpiries(server.deps, clock(addDays(end, -left)))
    await waitForJobs(server)
    counts.push([(await subjects(own.email)).length, (await subjects(paper.email)).length])
  }
  expect(counts.map(([one]) => one)).toEqual([0, 0, 1, 1, 1, 1, 2, 2, 2])
  expect(counts.map(([, other]) => other)).toEqual([0, 0, 1, 1, 1, 1, 2, 2, 2])
  const [last] = await listMailsTo(server, own.email)
  expect(last?.subject).toBe('Un de vos accords se termine bientôt')
  expect(last?.text).toContain('dans 7\u00a0jours')
  expect(last?.text).toContain('vous ne recevez plus d’énergie locale')
  expect(last?.text).toContain('Comparaison avec mes voisins')
  expect(last?.text).toContain('/client-portal/profile')
  expect(headers(last)).not.toContain('list-unsubscribe')
  const [letter] = await listMailsTo(server, paper.email)
  expect(letter?.text).toContain('Pour le renouveler, écrivez à Soleil du Vercors')
  expect(letter?.text).not.toContain('/client-portal')
})

test('notifies every holder of a home, and a bare mail address only where nobody has an account', async () => {
  const { companyId, member } = await makeBrandedCompany()
  const { id: participantId, email } = await member('account', addDays(getToday(), 7))
  const beside = await makeUser(server.db, { companyId, isAdmin: false })
  await server.db.insert(portalHolders).values({ companyId, participantId, userId: beside.id })
  for (const _ of [1, 2]) await recordAllExpiries(server.deps)
  await waitForJobs(server)
  expect([(await subjects(email)).length, (await subjects(beside.email)).length]).toEqual([1, 1])
})

test('sends nothing about a consent renewed or withdrawn meanwhile', async () => {
  const { companyId, member } = await makeBrandedCompany()
  const end = addDays(getToday(), 20)
  const [renewed, withdrawn] = [await member('account', end), await member('account', end)]
  await insertConsent(companyId, renewed.id, addDays(getToday(), 900))
  await server.db.update(consents).set({ withdrawnAt: new Date() }).where(eq(consents.participantId, withdrawn.id))
  await recordAllExpiries(server.deps)
  // The event is handled after the consent has changed.
  const about = { companyId, seq: 1, name: 'expiry.approached', at: new Date() } as const
  for (const { id: participantId } of [renewed, withdrawn]) {
    const ended = and(eq(consents.participantId, participantId), eq(consents.expiresOn, end))
    const [first] = await server.db.select().from(consents).where(ended)
    const id = first?.id ?? ''
    const data = { kind: 'consent' as const, id, participantId, on: end, left: 20, warning: 30 }
    const heard = { ...about, id: crypto.randomUUID(), object: id, data }
    await transaction(server.db, (tx) => participantMailSubscriber.handle(tx, server.deps, heard))
  }
  await waitForJobs(server)
  expect([await subjects(renewed.email), await subjects(withdrawn.email)]).toEqual([[], []])
})

test('asks for missing consents once a week, within the company only', async () => {
  const { admin, companyId, member } = await makeBrandedCompany()
  const [missing, paper, held, silent] = [
    await member('account'),
    await member('address'),
    await member('account', addDays(getToday(), 400)),
    await member('nothing'),
  ]
  const ids = [missing, paper, held, silent].map(({ id }) => id)
  const ask = async () => {
    const body = { selection: { ids }, action: { kind: 'ask' as const } }
    const { body: seen } = await call(server, people.bulk, { body: { ...body, dryRun: true } }, admin)
    const { body: done } = await call(server, people.bulk, { body: { ...body, dryRun: false, seal: seen.seal } }, admin)
    await waitForJobs(server)
    return done
  }
  expect(await ask()).toMatchObject({ done: 2, unchanged: 1, refused: 1 })
  expect(await ask()).toMatchObject({ done: 0, unchanged: 3, refused: 1 })
  expect(await subjects(missing.email)).toEqual(['Votre accord est demandé'])
  expect(await subjects(paper.email)).toEqual(['Votre accord est demandé'])
  expect(await subjects(held.email)).toEqual([])
  const [shown] = await server.db
    .select()
    .from(notifications)
    .where(eq(notifications.userId, missing.client?.id ?? ''))
  expect(shown).toMatchObject({ companyId, category: 'account', actionUrl: '/client-portal/profile' })
  const stranger = await makeUser(server.db)
  const other = { selection: { ids }, action: { kind: 'ask' }, dryRun: true }
  expect((await call(server, people.bulk, { body: other }, stranger)).status).toBe(404)
  const reader = await makeUser(server.db, { companyId, permissions: ['participants.read', 'participants.write'] })
  expect((await call(server, people.bulk, { body: other }, reader)).status).toBe(403)
  // A week later it may be requested again.
  await server.asOwner(`update events set at = now() - interval '8 days' where name = 'consent.asked'`)
  expect(await ask()).toMatchObject({ done: 2 })
  expect(await server.db.$count(events, eq(events.name, 'consent.asked'))).toBe(4)
})
