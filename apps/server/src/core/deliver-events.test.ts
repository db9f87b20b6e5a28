import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeCompany } from '../../test/factories.ts'
import { usePlatform } from '../../test/factories-sync.ts'
import { lockWaited } from '../../test/lock.ts'
import { until } from '../../test/wait.ts'
import { transaction } from '../db/client.ts'
import { eventCursors } from '../db/schema/index.ts'
import { deliverEvents, laggards, welcomeSubscribers } from './deliver-events.ts'
import { record } from './events.ts'
import { passOver } from './pass-over.ts'
import { type Subscriber, subscriber } from './subscriber.ts'

// Jobs are kept and not run: these tests say who delivers when.
const platform = usePlatform()
beforeAll(() => platform.asOwner('create table heard (subscriber text, company_id int, seq int, object text)'))

const ID = '6b1f7c93-2d54-4e08-9a6b-c3d8e7f01a25'
const tell = (companyId: number, object: string) =>
  record(platform.db, {
    companyId,
    name: 'participant.created',
    object,
    data: { participantId: ID, kind: 'person' },
  })
const publish = (companyId: number) =>
  record(platform.db, { companyId, name: 'content.published', object: ID, data: { contentIds: [ID] } })

let count = 0
/** Writes what it hears, in the transaction that it is given. */
const listener = (trouble: (object: string) => Promise<void> = async () => {}): Subscriber => {
  const name = `listener ${++count}`
  return subscriber({
    name,
    on: ['participant.created'],
    async handle(tx, _, { companyId, seq, object }) {
      await tx.execute(sql`insert into heard values (${name}, ${companyId}, ${seq}, ${object})`)
      await trouble(object)
    },
  })
}
const heardBy = async ({ name }: Subscriber, companyId: number) => {
  const { rows } = await platform.db.execute<{ object: string }>(sql`
    select object from heard where subscriber = ${name} and company_id = ${companyId} order by seq, ctid`)
  return rows.map(({ object }) => object).join(' ')
}
const placeOf = async ({ name }: Subscriber, companyId: number) => {
  const rows = await platform.db.select().from(eventCursors).where(eq(eventCursors.subscriber, name))
  return rows.find((row) => row.companyId === companyId)?.seq
}
const newCompany = async () => (await makeCompany(platform.db)).id

test('each hears what it asked for, in order and once, even from two at a time', async () => {
  const companyId = await newCompany()
  const both = [listener(), listener()]
  const deliver = () => deliverEvents(platform.deps, companyId, both)
  // Their places are known: whoever comes second finds them held.
  await tell(companyId, 'z')
  await deliver()
  for (const object of ['a', 'b', 'c']) await tell(companyId, object)
  await publish(companyId)
  await Promise.all([deliver(), deliver(), deliver()])
  await deliver()
  for (const one of both) {
    expect(await heardBy(one, companyId)).toBe('z a b c')
    expect(await placeOf(one, companyId)).toBe(5)
  }
  expect(await laggards(platform.db, both)).not.toContain(companyId)
})

test('one that fails keeps its place and its silence, and holds up nobody; later it goes on in order', async () => {
  const companyId = await newCompany()
  let broken = true
  const weak = listener(async (object) => {
    if (broken && object === 'b') throw new Error('not now')
  })
  const strong = listener()
  for (const object of ['a', 'b', 'c']) await tell(companyId, object)
  const deliver = () => deliverEvents(platform.deps, companyId, [weak, strong])
  await expect(deliver()).rejects.toThrow(weak.name)
  expect([await heardBy(weak, companyId), await heardBy(strong, companyId)]).toEqual(['a', 'a b c'])
  expect(await laggards(platform.db, [weak, strong])).toContain(companyId)
  expect(await laggards(platform.db, [strong])).not.toContain(companyId)
  broken = false
  await deliver()
  expect([await heardBy(weak, companyId), await heardBy(strong, companyId)]).toEqual(['a b c', 'a b c'])
})

test('a crowd is handed over many at a time, in order; where one in its middle fails, those before it are kept', async () => {
  const companyId = await newCompany()
  const objects = Array.from({ length: 45 }, (_, nth) => `e${nth}`)
  for (const object of objects) await tell(companyId, object)
  let broken = true
  const weak = listener(async (object) => {
    if (broken && object === 'e29') throw new Error('not now')
  })
  const strong = listener()
  const deliver = () => deliverEvents(platform.deps, companyId, [weak, strong])
  await expect(deliver()).rejects.toThrow(weak.name)
  expect(await heardBy(strong, companyId)).toBe(objects.join(' '))
  expect(await heardBy(weak, companyId)).toBe(objects.slice(0, 29).join(' '))
  broken = false
  await deliver()
  expect(await heardBy(weak, companyId)).toBe(objects.join(' '))
  const { rows } = await platform.db.execute<{ count: number }>(sql`
    select count(distinct xmin::text)::int as count from heard
     where subscriber = ${strong.name} and company_id = ${companyId}`)
  expect(rows).toEqual([{ count: 3 }])
})

test('what one did is forgotten with its place when its transaction is lost', async () => {
  const companyId = await newCompany()
  let cuts = 0
  const cut = listener(async () => {
    if (++cuts > 1) return
    await platform.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'idle in transaction'`)
  })
  await tell(companyId, 'a')
  await expect(deliverEvents(platform.deps, companyId, [cut])).rejects.toThrow()
  expect(await heardBy(cut, companyId)).toBe('')
  await until(() =>
    deliverEvents(platform.deps, companyId, [cut]).then(
      () => true,
      () => false,
    ),
  )
  expect(await heardBy(cut, companyId)).toBe('a')
})

test('what is not committed is not heard, and is not passed over either', async () => {
  const companyId = await newCompany()
  const one = listener()
  await transaction(platform.db, async (tx) => {
    const data = { participantId: ID, kind: 'person' }
    await record(tx, { companyId, name: 'participant.created', object: 'a', data })
    await deliverEvents(platform.deps, companyId, [one])
    expect(await placeOf(one, companyId)).toBeUndefined()
  })
  await deliverEvents(platform.deps, companyId, [one])
  expect(await heardBy(one, companyId)).toBe('a')
})

test('those for whom nothing happened are passed over together, and nobody who has come further is set back', async () => {
  const companyId = await newCompany()
  const [idle, ahead, asked] = [listener(), listener(), listener()]
  const deaf = [idle, ahead].map((one) => ({ ...one, on: ['booking.placed' as const] }))
  await tell(companyId, 'a')
  expect(await passOver(platform.db, companyId, [...deaf, asked])).toEqual([asked])
  expect([await placeOf(idle, companyId), await placeOf(asked, companyId)]).toEqual([1, undefined])
  await publish(companyId)
  const further = { ...asked, on: ['booking.placed' as const], name: idle.name }
  expect(await passOver(platform.db, companyId, [further, asked])).toEqual([asked])
  let passed: Promise<unknown> = Promise.resolve()
  await transaction(platform.db, async (tx) => {
    await tx.update(eventCursors).set({ seq: 7 }).where(eq(eventCursors.subscriber, ahead.name))
    passed = passOver(platform.db, companyId, deaf)
    await lockWaited(platform)
  })
  await passed
  expect([await placeOf(idle, companyId), await placeOf(ahead, companyId)]).toEqual([2, 7])
  expect([await heardBy(idle, companyId), await heardBy(asked, companyId)]).toEqual(['', ''])
})

test('a new one begins with what happens from now on, a known one with the first event of each company', async () => {
  const [old, young] = [await newCompany(), await newCompany()]
  const [known, fresh] = [listener(), listener()]
  await welcomeSubscribers(platform.db, [known])
  await tell(old, 'a')
  await Promise.all([welcomeSubscribers(platform.db, [known, fresh]), welcomeSubscribers(platform.db, [known, fresh])])
  await tell(old, 'b')
  await tell(young, 'c')
  await welcomeSubscribers(platform.db, [known, fresh])
  for (const companyId of [old, young]) await deliverEvents(platform.deps, companyId, [known, fresh])
  expect([await heardBy(known, old), await heardBy(fresh, old)]).toEqual(['a b', 'b'])
  expect([await heardBy(known, young), await heardBy(fresh, young)]).toEqual(['c', 'c'])
})
