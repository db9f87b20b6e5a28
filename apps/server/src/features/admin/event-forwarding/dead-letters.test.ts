import { flows } from '@voisol/contract/flows'
import { webhooks as webhookEndpoints } from '@voisol/contract/webhooks'
import { and, eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { auditEntries, flowDeliveries, webhookDeliveries, webhooks } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import { DEAD_LETTER } from '../../../jobs/queue.ts'
import { sendMail } from '../../identity/mail/index.ts'

const server = useServer()
let status = 500
beforeEach(() => {
  status = 500
  server.deps.poster = { post: async () => ({ status, answer: '' }) }
})
type User = Awaited<ReturnType<typeof makeUser>>
type Letter = { kind: string; id: string; payload: string; cause: string; to: string; what: string }

const listDeadOf = async (user: User, query = {}): Promise<Letter[]> =>
  (await call(server, flows.dead, { query }, user)).body.items
const settle = (user: User, how: 'replay' | 'discard', items: Letter[]) =>
  call(server, flows[how], { body: { items: items.map(({ kind, id }) => ({ kind, id })) } }, user)

/** Creates a webhook delivery that was given up, and a rule delivery that failed. */
async function makeFailedDeliveries() {
  const user = await makeUser(server.db)
  const { companyId } = user
  const body = { url: 'https://exemple.fr/crochet', events: ['operation.created'] }
  const hook = (await call(server, webhookEndpoints.create, { body }, user)).body
  const rule = {
    name: 'Vers le crochet',
    event: 'invitation.accepted',
    conditions: [],
    fields: [],
    destination: { kind: 'webhook', id: hook.id },
    active: true,
  }
  await call(server, flows.addRule, { body: rule }, user)
  const data = { operationId: hook.id, name: 'Les Toits', status: 'draft' } as const
  await recordEvent(server.db, { companyId, name: 'operation.created', object: hook.id, data })
  await waitUntil(
    async () =>
      (await server.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.companyId, companyId)))[0]
        ?.attempts === 1,
  )
  await server.db.update(webhookDeliveries).set({ status: 'failed' }).where(eq(webhookDeliveries.companyId, companyId))
  const own = and(eq(webhooks.companyId, companyId), eq(webhooks.id, hook.id))
  await server.db.update(webhooks).set({ status: 'disabled' }).where(own)
  await recordEvent(server.db, { companyId, name: 'invitation.accepted', object: user.id, data: { userId: user.id } })
  await waitForJobs(server)
  const resume = () => server.db.update(webhooks).set({ status: 'active' }).where(own)
  return { user, companyId, resume }
}

test('lists all failed deliveries with their cause, filters them by kind and replays each once', async () => {
  const { user, companyId, resume } = await makeFailedDeliveries()
  const all = await listDeadOf(user)
  expect(all.map(({ kind, cause }) => [kind, cause]).sort()).toEqual([
    ['rule', 'Ce webhook est arrêté\u00a0: reprenez-le, puis rejouez.'],
    ['webhook', 'Le serveur a répondu 500.'],
  ])
  expect((await listDeadOf(user, { kind: 'rule' })).map(({ kind }) => kind)).toEqual(['rule'])
  const refused = await settle(user, 'replay', all)
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('est arrêté')])
  expect(await listDeadOf(user)).toHaveLength(2)
  await resume()
  status = 200
  expect((await settle(user, 'replay', all)).body).toEqual({ count: 2 })
  await waitForJobs(server)
  expect(await listDeadOf(user)).toEqual([])
  expect((await settle(user, 'replay', all)).status).toBe(404)
  const sent = await server.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.companyId, companyId))
  expect(sent.map(({ event, status: state }) => [event, state]).sort()).toEqual([
    ['invitation.accepted', 'delivered'],
    ['operation.created', 'delivered'],
  ])
})

test('a discarded delivery leaves the list, stays stored, and appears in the audit log', async () => {
  const { user, companyId } = await makeFailedDeliveries()
  const all = await listDeadOf(user)
  expect((await settle(user, 'discard', all)).body).toEqual({ count: 2 })
  expect(await listDeadOf(user)).toEqual([])
  const [row] = await server.db.select().from(flowDeliveries).where(eq(flowDeliveries.companyId, companyId))
  expect(row?.status).toBe('discarded')
  const [entry] = await server.db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.companyId, companyId), eq(auditEntries.target, 'envois écartés')))
  expect(entry?.detail).toMatchObject({ count: 2, items: all.map(({ kind, id }) => `${kind} ${id}`) })
})

test('another company can neither see nor settle a failed delivery', async () => {
  const { user } = await makeFailedDeliveries()
  const other = await makeUser(server.db)
  const all = await listDeadOf(user)
  expect(await listDeadOf(other)).toEqual([])
  for (const how of ['replay', 'discard'] as const) expect((await settle(other, how, all)).status).toBe(404)
  expect(await listDeadOf(user)).toHaveLength(2)
})

const deadMail = async (subject: string, companyId?: number) => {
  const mail = { to: 'pas une adresse', subject, text: 'lien secret', html: '<p>lien secret</p>' }
  await sendMail(server.db, server.deps.secrets, mail, companyId === undefined ? {} : { companyId })
}

test('shows a failed mail without its text to its company, and mails of no company to the site owner', async () => {
  const keeper = await makeSiteAdmin(server.db)
  const user = await makeUser(server.db)
  await deadMail('Votre accès', user.companyId)
  await deadMail('Mot de passe')
  await waitUntil(async () => (await server.queue.findJobs(DEAD_LETTER)).length >= 2)
  const [own, ...more] = await listDeadOf(user, { kind: 'mail' })
  expect(more).toEqual([])
  expect(own).toMatchObject({ what: 'E-mail', cause: expect.stringContaining('a refusé ce message') })
  expect(own?.payload).toContain('Votre accès')
  expect(JSON.stringify(own)).not.toMatch(/lien secret|pas une adresse|sealed/)
  const theirs = await listDeadOf(keeper, { kind: 'mail' })
  expect(theirs.map(({ payload }) => payload).join()).toContain('Mot de passe')
  expect(theirs.map(({ payload }) => payload).join()).not.toContain('Votre accès')
  expect((await settle(user, 'discard', theirs)).status).toBe(404)
  expect((await settle(keeper, 'discard', theirs)).status).toBe(200)
  expect((await settle(user, 'replay', own ? [own] : [])).body).toEqual({ count: 1 })
})

test('shows the input of a failed job without its secrets', async () => {
  const user = await makeUser(server.db)
  const data = { companyId: user.companyId, apiToken: 'vsl_x', iban: 'FR76', runId: 'r-7' }
  await server.db.execute(sql`
    insert into jobs.job (name, data, source_name, source_output)
    values (${DEAD_LETTER}, ${JSON.stringify(data)}::jsonb, 'allocations.run', '{"message": "boom at /srv/x.ts"}')`)
  const [letter] = await listDeadOf(user, { kind: 'job' })
  expect(letter).toMatchObject({
    what: 'Calcul d’une répartition',
    cause: expect.stringContaining('Une erreur inattendue'),
  })
  expect(letter?.payload).toContain('r-7')
  expect(JSON.stringify(letter)).not.toMatch(/vsl_x|FR76|boom/)
})
