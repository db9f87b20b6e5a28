import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeCompany } from '../../test/factories.ts'
import { useTestPlatform } from '../../test/factories-sync.ts'
import { waitForLockWait } from '../../test/locks.ts'
import { waitUntil } from '../../test/wait.ts'
import { transaction } from '../db/client.ts'
import { eventCursors } from '../db/schema/index.ts'
import {
  advanceSubscribers,
  deliverEvents,
  listCompaniesWithPendingEvents,
  registerSubscribers,
} from './deliver-events.ts'
import { recordEvent } from './events.ts'
import { defineSubscriber, type Subscriber } from './subscriber.ts'

// Jobs are stored and not run: these tests decide who delivers when.
const platform = useTestPlatform()
beforeAll(() => platform.asOwner('create table heard (subscriber text, company_id int, seq int, object text)'))

const ID = '6b1f7c93-2d54-4e08-9a6b-c3d8e7f01a25'
const recordTestEvent = (companyId: number, object: string) =>
  recordEvent(platform.db, {
    companyId,
    name: 'participant.created',
    object,
    data: { participantId: ID, kind: 'person' },
  })
const publish = (companyId: number) =>
  recordEvent(platform.db, { companyId, name: 'content.published', object: ID, data: { contentIds: [ID] } })

let count = 0
/** Records what it receives, in the given transaction. */
const listener = (trouble: (object: string) => Promise<void> = async () => {}): Subscriber => {
  const name = `listener ${++count}`
  return defineSubscriber({
    name,
    on: ['participant.created'],
    async handle(tx, _, { companyId, seq, object }) {
      await tx.execute(sql`insert into heard values (${name}, ${companyId}, ${seq}, ${object})`)
      await trouble(object)
    },
  })
}
const loadHeardObjects = async ({ name }: Subscriber, companyId: number) => {
  const { rows } = await platform.db.execute<{ object: string }>(sql`
    select object from heard where subscriber = ${name} and company_id = ${companyId} order by seq, ctid`)
  return rows.map(({ object }) => object).join(' ')
}
const loadCursorSeq = async ({ name }: Subscriber, companyId: number) => {
  const rows = await platform.db.select().from(eventCursors).where(eq(eventCursors.subscriber, name))
  return rows.find((row) => row.companyId === companyId)?.seq
}
const makeCompanyId = async () => (await makeCompany(platform.db)).id

test('each subscriber gets its events in order and once, even with two deliveries at once', async () => {
  const companyId = await makeCompanyId()
  const both = [listener(), listener()]
  const deliver = () => deliverEvents(platform.deps, companyId, both)
  // Their cursors exist: the second delivery finds them locked.
  await recordTestEvent(companyId, 'z')
  await deliver()
  for (const object of ['a', 'b', 'c']) await recordTestEvent(companyId, object)
  await publish(companyId)
  await Promise.all([deliver(), deliver(), deliver()])
  await deliver()
  for (const one of both) {
    expect(await loadHeardObjects(one, companyId)).toBe('z a b c')
    expect(await loadCursorSeq(one, companyId)).toBe(5)
  }
  expect(await listCompaniesWithPendingEvents(platform.db, both)).not.toContain(companyId)
})

test('a failing subscriber keeps its place and delays nobody; later it goes on in order', async () => {
  const companyId = await makeCompanyId()
  let broken = true
  const weak = listener(async (object) => {
    if (broken && object === 'b') throw new Error('not now')
  })
  const strong = listener()
  for (const object of ['a', 'b', 'c']) await recordTestEvent(companyId, object)
  const deliver = () => deliverEvents(platform.deps, companyId, [weak, strong])
  await expect(deliver()).rejects.toThrow(weak.name)
  expect([await loadHeardObjects(weak, companyId), await loadHeardObjects(strong, companyId)]).toEqual(['a', 'a b c'])
  expect(await listCompaniesWithPendingEvents(platform.db, [weak, strong])).toContain(companyId)
  expect(await listCompaniesWithPendingEvents(platform.db, [strong])).not.toContain(companyId)
  broken = false
  await deliver()
  expect([await loadHeardObjects(weak, companyId), await loadHeardObjects(strong, companyId)]).toEqual([
    'a b c',
    'a b c',
  ])
})

test('many events are delivered in batches; before a failing one all are kept', async () => {
  const companyId = await makeCompanyId()
  const objects = Array.from({ length: 45 }, (_, nth) => `e${nth}`)
  for (const object of objects) await recordTestEvent(companyId, object)
  let broken = true
  const weak = listener(async (object) => {
    if (broken && object === 'e29') throw new Error('not now')
  })
  const strong = listener()
  const deliver = () => deliverEvents(platform.deps, companyId, [weak, strong])
  await expect(deliver()).rejects.toThrow(weak.name)
  expect(await loadHeardObjects(strong, companyId)).toBe(objects.join(' '))
  expect(await loadHeardObjects(weak, companyId)).toBe(objects.slice(0, 29).join(' '))
  broken = false
  await deliver()
  expect(await loadHeardObjects(weak, companyId)).toBe(objects.join(' '))
  const { rows } = await platform.db.execute<{ count: number }>(sql`
    select count(distinct xmin::text)::int as count from heard
     where subscriber = ${strong.name} and company_id = ${companyId}`)
  expect(rows).toEqual([{ count: 3 }])
})

test('when its transaction is lost, the work of a subscriber is lost with its cursor', async () => {
  const companyId = await makeCompanyId()
  let cuts = 0
  const cut = listener(async () => {
    if (++cuts > 1) return
    await platform.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'idle in transaction'`)
  })
  await recordTestEvent(companyId, 'a')
  await expect(deliverEvents(platform.deps, companyId, [cut])).rejects.toThrow()
  expect(await loadHeardObjects(cut, companyId)).toBe('')
  await waitUntil(() =>
    deliverEvents(platform.deps, companyId, [cut]).then(
      () => true,
      () => false,
    ),
  )
  expect(await loadHeardObjects(cut, companyId)).toBe('a')
})

test('an uncommitted event is neither delivered nor skipped', async () => {
  const companyId = await makeCompanyId()
  const one = listener()
  await transaction(platform.db, async (tx) => {
    const data = { participantId: ID, kind: 'person' }
    await recordEvent(tx, { companyId, name: 'participant.created', object: 'a', data })
    await deliverEvents(platform.deps, companyId, [one])
    expect(await loadCursorSeq(one, companyId)).toBeUndefined()
  })
  await deliverEvents(platform.deps, companyId, [one])
  expect(await loadHeardObjects(one, companyId)).toBe('a')
})

test('subscribers without events are advanced together, and none is set back', async () => {
  const companyId = await makeCompanyId()
  const [idle, ahead, asked] = [listener(), listener(), listener()]
  const deaf = [idle, ahead].map((one) => ({ ...one, on: ['booking.placed' as const] }))
  await recordTestEvent(companyId, 'a')
  expect(await advanceSubscribers(platform.db, companyId, [...deaf, asked])).toEqual([asked])
  expect([await loadCursorSeq(idle, companyId), await loadCursorSeq(asked, companyId)]).toEqual([1, undefined])
  await publish(companyId)
  const further = { ...asked, on: ['booking.placed' as const], name: idle.name }
  expect(await advanceSubscribers(platform.db, companyId, [further, asked])).toEqual([asked])
  let passed: Promise<unknown> = Promise.resolve()
  await transaction(platform.db, async (tx) => {
    await tx.update(eventCursors).set({ seq: 7 }).where(eq(eventCursors.subscriber, ahead.name))
    passed = advanceSubscribers(platform.db, companyId, deaf)
    await waitForLockWait(platform)
  })
  await passed
  expect([await loadCursorSeq(idle, companyId), await loadCursorSeq(ahead, companyId)]).toEqual([2, 7])
  expect([await loadHeardObjects(idle, companyId), await loadHeardObjects(asked, companyId)]).toEqual(['', ''])
})

test('a new subscriber starts with new events, a known one with the first of each company', async () => {
  const [old, young] = [await makeCompanyId(), await makeCompanyId()]
  const [known, fresh] = [listener(), listener()]
  await registerSubscribers(platform.db, [known])
  await recordTestEvent(old, 'a')
  await Promise.all([
    registerSubscribers(platform.db, [known, fresh]),
    registerSubscribers(platform.db, [known, fresh]),
  ])
  await recordTestEvent(old, 'b')
  await recordTestEvent(young, 'c')
  await registerSubscribers(platform.db, [known, fresh])
  for (const companyId of [old, young]) await deliverEvents(platform.deps, companyId, [known, fresh])
  expect([await loadHeardObjects(known, old), await loadHeardObjects(fresh, old)]).toEqual(['a b', 'b'])
  expect([await loadHeardObjects(known, young), await loadHeardObjects(fresh, young)]).toEqual(['c', 'c'])
})
