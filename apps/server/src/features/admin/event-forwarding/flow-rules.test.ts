import { flows } from '@voisol/contract/flows'
import { webhooks as webhookEndpoints } from '@voisol/contract/webhooks'
import { and, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries, eventCursors, flowDeliveries, notifications } from '../../../db/schema/index.ts'
import { deliverEvents } from '../../../events/deliver-events.ts'
import { recordEvent } from '../../../events/events.ts'
import type { PostRequest } from '../../../integrations/post/post.ts'
import { flowSubscriber } from './subscriber.ts'

const server = useServer()
let sent: PostRequest[]
beforeEach(() => {
  sent = []
  server.deps.poster = {
    post: async (posting) => {
      sent.push(posting)
      return { status: 200 }
    },
  }
})
type User = Awaited<ReturnType<typeof makeUser>>

const PARTY = '4f8b2d6c-a1e7-4590-b3c9-7d0e5a2f9b81'
const recordInvoiceIssued = (companyId: number, gross: number, kind: 'invoice' | 'creditNote' = 'invoice') => {
  const ids = { invoiceId: crypto.randomUUID(), operationId: PARTY, sellerId: PARTY, buyerId: null }
  const data = { ...ids, kind, number: `SOL2026-${gross}`, gross }
  return recordEvent(server.db, { companyId, name: 'invoice.issued', object: data.invoiceId, data })
}
const makeHook = async (user: User) => {
  const body = { url: 'https://exemple.fr/crochet', events: ['operation.created'] }
  return (await call(server, webhookEndpoints.create, { body }, user)).body.id as string // its id
}
const draft = (kind: string, id: string, more: object = {}) => ({
  name: 'Grosses factures',
  event: 'invoice.issued',
  conditions: [{ field: 'gross', is: 'greater', values: ['4999'] }],
  fields: [
    { from: 'number', to: 'numero' },
    { from: 'gross', to: 'centimes' },
  ],
  destination: { kind, id },
  active: true,
  ...more,
})
const add = (user: User, body: object) => call(server, flows.addRule, { body }, user)
const listDeliveriesOf = (companyId: number) =>
  server.db.select().from(flowDeliveries).where(eq(flowDeliveries.companyId, companyId)).orderBy(flowDeliveries.seq)

test('sends a matching event to its webhook in the chosen shape, once, even when it is processed twice', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const hook = await makeHook(user)
  expect((await add(user, draft('webhook', hook))).body).toMatchObject({
    version: 1,
    destinationLabel: 'https://exemple.fr/crochet',
  })
  await recordInvoiceIssued(companyId, 4999)
  await recordInvoiceIssued(companyId, 5003)
  await waitForJobs(server)
  expect(sent.map(({ body }) => JSON.parse(body))).toMatchObject([
    {
      event: 'invoice.issued',
      sequence: 2,
      rule: 'Grosses factures',
      data: { numero: 'SOL2026-5003', centimes: 5003 },
    },
  ])
  // The position of the subscriber is lost, as after a restore: it reads every event again and sends nothing twice.
  const place = and(eq(eventCursors.companyId, companyId), eq(eventCursors.subscriber, 'flows'))
  await server.db.update(eventCursors).set({ seq: 0 }).where(place)
  await deliverEvents(server.deps, companyId, [flowSubscriber])
  await waitForJobs(server)
  expect(sent).toHaveLength(1)
  expect((await listDeliveriesOf(companyId)).map(({ seq, status }) => [seq, status])).toEqual([[2, 'sent']])
})

test('a rule sends its own fields only, whatever else comes with the delivery', async () => {
  const user = await makeUser(server.db)
  const hook = await makeHook(user)
  const other = { name: 'Opérations', event: 'operation.created', conditions: [], fields: [] }
  for (const more of [other, {}]) expect((await add(user, draft('webhook', hook, more))).status).toBe(200)
  await recordInvoiceIssued(user.companyId, 7411)
  await waitForJobs(server)
  expect(sent.map(({ body }) => JSON.parse(body).rule)).toEqual(['Grosses factures'])
})

test('notifies or mails a person of the company, and nobody of another company', async () => {
  const user = await makeUser(server.db)
  const other = await makeUser(server.db)
  const { companyId } = user
  expect((await add(user, draft('notification', user.id))).status).toBe(200)
  expect((await add(user, draft('mail', user.id, { name: 'Par e-mail' }))).status).toBe(200)
  for (const [kind, id] of [
    ['mail', other.id],
    ['webhook', await makeHook(other)],
  ] as const)
    expect((await add(user, draft(kind, id))).body.issues[0]).toMatchObject({ path: 'destination' })
  await recordInvoiceIssued(companyId, 7411)
  await waitForJobs(server)
  const told = await server.db.select().from(notifications).where(eq(notifications.userId, user.id))
  expect(told.map(({ title }) => title)).toEqual(['Facture émise — Grosses factures'])
  expect(told[0]?.message).toContain('centimes\u00a0: 7411')
  const mails = (await server.catcher.messages()).filter(({ subject }) => subject === 'Facture émise — Par e-mail')
  expect(mails).toHaveLength(1)
})

test('testing a rule on past events shows what it would have sent', async () => {
  const user = await makeUser(server.db)
  await recordInvoiceIssued(user.companyId, 4211)
  await recordInvoiceIssued(user.companyId, 8123)
  const { name: _, destination: __, active: ___, ...shape } = draft('webhook', PARTY)
  const { body } = await call(server, flows.tryRule, { body: { ...shape, last: 10 } }, user)
  expect([body.looked, body.matched]).toEqual([2, 1])
  expect(body.items).toMatchObject([
    { seq: 2, matches: true, payload: { numero: 'SOL2026-8123', centimes: 8123 } },
    { seq: 1, matches: false, payload: null, why: expect.stringContaining('gross est plus grand que 4999') },
  ])
  expect(await listDeliveriesOf(user.companyId)).toEqual([])
})

test.each([
  [{ conditions: [{ field: 'secret', is: 'contains', values: ['whsec_'] }] }, 'conditions.0.field'],
  [{ conditions: [{ field: '__proto__.polluted', is: 'equals', values: ['1'] }] }, 'conditions.0.field'],
  [{ fields: [{ from: 'iban', to: 'iban' }] }, 'fields.0.from'],
  [
    {
      fields: [
        { from: 'gross', to: 'a' },
        { from: 'number', to: 'a' },
      ],
    },
    'fields.1.to',
  ],
  [{ fields: [{ from: 'gross', to: '__proto__' }] }, 'fields.0.to'],
])('refuses %o when it is saved or tested', async (more, path) => {
  const user = await makeUser(server.db)
  const body = draft('notification', user.id, more)
  const saved = await add(user, body)
  expect([saved.status, saved.body.issues[0].path]).toEqual([422, path])
  const { name: _, destination: __, active: ___, ...shape } = body
  expect((await call(server, flows.tryRule, { body: { ...shape, last: 5 } }, user)).status).toBe(422)
})

test('of two concurrent changes the second is refused; each change is in the audit log', async () => {
  const user = await makeUser(server.db)
  const { id } = (await add(user, draft('notification', user.id))).body
  const save = (more: object) =>
    call(
      server,
      flows.changeRule,
      { params: { id }, body: draft('notification', user.id, { version: 1, ...more }) },
      user,
    )
  expect((await save({ active: false })).body).toMatchObject({ active: false, version: 2 })
  expect((await save({ name: 'Autre' })).status).toBe(409)
  const [entry] = await server.db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.companyId, user.companyId),
        eq(auditEntries.label, flows.changeRule.summary),
        eq(auditEntries.outcome, 'done'),
      ),
    )
  expect(entry?.detail).toMatchObject({ before: { active: true }, after: { active: false } })
  await recordInvoiceIssued(user.companyId, 9871)
  await waitForJobs(server)
  expect(await listDeliveriesOf(user.companyId)).toEqual([])
})

test('another company can neither see, change nor remove a rule', async () => {
  const [user, other] = [await makeUser(server.db), await makeUser(server.db)]
  const { id } = (await add(user, draft('notification', user.id))).body
  const body = draft('notification', other.id, { version: 1 })
  expect((await call(server, flows.changeRule, { params: { id }, body }, other)).status).toBe(404)
  expect((await call(server, flows.removeRule, { params: { id } }, other)).status).toBe(404)
  expect((await call(server, flows.rules, {}, other)).body).toEqual({ items: [], total: 0 })
  expect((await call(server, flows.rules, {}, user)).body.total).toBe(1)
})
