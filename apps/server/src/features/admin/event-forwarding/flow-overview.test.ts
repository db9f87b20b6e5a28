import { flows } from '@voisol/contract/flows'
import { webhooks as webhookEndpoints } from '@voisol/contract/webhooks'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { eventCursors, eventSums } from '../../../db/schema/index.ts'
import { deliverEvents } from '../../../events/deliver-events.ts'
import { recordEvent } from '../../../events/events.ts'
import { defineSubscriber } from '../../../events/subscriber.ts'
import { subscribers } from '../../../events/subscribers.ts'
import { CARRIER_SUBSCRIBERS, SUBSCRIBER_LABELS } from './flow-overview.ts'
import { loadFlowOverview } from './index.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
const read = async (user: User, span = 'hour') => (await call(server, flows.overview, { query: { span } }, user)).body
const recordInvitationAccepted = (companyId: number, userId: string) =>
  recordEvent(server.db, { companyId, name: 'invitation.accepted', object: userId, data: { userId } })

test('every registered subscriber has a label, and every label a subscriber', () => {
  const carriers: string[] = Object.values(CARRIER_SUBSCRIBERS)
  const named = subscribers.map(({ name }) => name).filter((name) => !carriers.includes(name))
  expect(Object.keys(SUBSCRIBER_LABELS).sort()).toEqual(named.sort())
})

test('counts emitted, delivered, received and failed events and their delay from the stored rows', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  let status = 200
  server.deps.poster = { post: async () => ({ status, answer: '' }) }
  const body = { url: 'https://exemple.fr/crochet', events: ['invitation.accepted'] }
  const hook = (await call(server, webhookEndpoints.create, { body }, user)).body
  for (let n = 0; n < 3; n++) await recordInvitationAccepted(companyId, user.id)
  await waitForJobs(server)
  status = 410
  await recordInvitationAccepted(companyId, user.id)
  await waitForJobs(server)
  const { events, subscribers: who, links } = await read(user)
  expect(events.find(({ name }: { name: string }) => name === 'invitation.accepted')).toMatchObject({ emitted: 4 })
  const one = (id: string) => who.find((each: { id: string }) => each.id === id)
  expect(one(hook.id)).toMatchObject({ kind: 'webhook', delivered: 3, failed: 1, waiting: 0, failingSince: null })
  expect(one('auth')).toMatchObject({ delivered: 4, waiting: 0, failed: 0 })
  for (const id of [hook.id, 'auth']) expect(one(id).p95Ms).toBeGreaterThanOrEqual(0)
  expect(one('invoices')).toMatchObject({ delivered: 0, p95Ms: null })
  expect(links).toContainEqual({ event: 'invitation.accepted', subscriber: hook.id, delivered: 3 })
  const other = await makeUser(server.db)
  const theirs = await read(other, 'month')
  expect(theirs.links).toEqual([])
  expect(JSON.stringify(theirs)).not.toContain(hook.id)
})

test('computes the 95th percentile of the delay, and leaves out older periods', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const delays = (step: number, n: number) => new Array<number>(36).fill(0).with(step, n)
  const hour = new Date(Date.now() - 60_000)
  const about = { companyId, subscriber: 'invoices', event: 'invoice.issued' }
  await server.db.insert(eventSums).values([
    { ...about, hour, taken: 95, delays: delays(2, 95) },
    { ...about, hour: new Date(Date.now() - 7 * 86_400_000), taken: 11, delays: delays(30, 11) },
  ])
  const figures = async (span: string) => {
    const { subscribers: who } = await read(user, span)
    return who.find(({ id }: { id: string }) => id === 'invoices')
  }
  const day = await figures('day')
  expect(day.delivered).toBe(95)
  expect([day.p95Ms > 70, day.p95Ms <= 100]).toEqual([true, true])
  const month = await figures('month')
  expect([month.delivered, month.p95Ms > 600_000]).toEqual([106, true])
})

test('a failing subscriber shows since when it fails and how many events wait, until it succeeds', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  let broken = true
  const sick = defineSubscriber({
    name: 'auth',
    on: ['invitation.accepted'],
    handle: async () => {
      if (broken) throw new Error('no')
    },
  })
  // Inserts the events without starting the subscribers of the product.
  await server.db.execute(sql`insert into event_heads (company_id, seq) values (${companyId}, 2)`)
  for (const seq of [1, 2])
    await server.db.execute(sql`insert into events (company_id, seq, id, name, object, data)
      values (${companyId}, ${seq}, gen_random_uuid(), 'invitation.accepted', 'x', ${JSON.stringify({ userId: user.id })}::jsonb)`)
  await expect(deliverEvents(server.deps, companyId, [sick])).rejects.toThrow('auth')
  const state = async () => (await loadFlowOverview(server.db, { companyId } as never, 'hour', [sick])).subscribers[0]
  expect(await state()).toMatchObject({ waiting: 2, failed: 1, delivered: 0, failingSince: expect.any(String) })
  broken = false
  await deliverEvents(server.deps, companyId, [sick])
  expect(await state()).toMatchObject({ waiting: 0, failed: 0, delivered: 2, failingSince: null })
  const [place] = await server.db.select().from(eventCursors).where(eq(eventCursors.companyId, companyId))
  expect(place).toMatchObject({ seq: 2, error: '' })
})
