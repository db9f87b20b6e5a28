import { type RetentionRun, retention } from '@voisol/contract/retention'
import { addMonths } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeParticipant } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { consents, notifications, retentionRuns } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { applyRetention } from './apply-retention.ts'

const server = useServer()
/** Three batches of one kind, and one of another. */
const MANY = 4500
const LONG_AGO = new Date(`${addMonths(getToday(), -70)}T10:00:00Z`)

/** Creates old notifications and an ended consent, and confirms their deletion. */
async function makeOldData() {
  const { db } = server
  const { token, companyId, id: userId } = await makeUser(db)
  const about = { category: 'operations', type: 'info', priority: 'normal', title: 'Ancienne', message: '' }
  const notice = { companyId, userId, ...about, createdAt: LONG_AGO }
  for (let from = 0; from < MANY; from += 500)
    await db
      .insert(notifications)
      .values(Array.from({ length: 500 }, (_, nth) => ({ ...notice, eventKey: `ancienne ${from + nth}` })))
  const { id: participantId } = await makeParticipant(db, { companyId })
  const given = { purpose: 'advice', textVersion: '1', method: 'paper', recordedBy: 'test', givenAt: LONG_AGO }
  const ended = { withdrawnAt: LONG_AGO, expiresOn: LONG_AGO.toISOString().slice(0, 10) }
  await db.insert(consents).values({ companyId, participantId, ...given, ...ended })
  const { preview } = (await call(server, retention.preview, {}, { token })).body
  await db.update(retentionRuns).set({ confirmedAt: new Date() }).where(eq(retentionRuns.id, preview.id))
  return { token, companyId }
}
type OldData = Awaited<ReturnType<typeof makeOldData>>

/** Aborts after the given number of batches. */
const createBatchLimitSignal = (batches: number): AbortSignal => {
  const stop = new AbortController()
  let left = batches
  return Object.assign(Object.create(stop.signal), {
    throwIfAborted() {
      if (left === 0) throw new Error('stopped')
      left -= 1
    },
  })
}

const countLeft = async ({ companyId }: OldData) => [
  await server.db.$count(notifications, eq(notifications.companyId, companyId)),
  await server.db.$count(consents, eq(consents.companyId, companyId)),
]
const passesOf = async ({ token }: OldData) =>
  (await call(server, retention.get, {}, { token })).body.passes.map(({ counts, finishedAt }: RetentionRun) => ({
    counts,
    finished: finishedAt !== null,
  }))

test('a run stopped after any batch continues in its own report with the same result', async () => {
  const whole = await makeOldData()
  await applyRetention(server.deps, whole.companyId)
  const ends = { left: await countLeft(whole), passes: await passesOf(whole) }
  expect(ends.left).toEqual([0, 0])
  expect(ends.passes).toMatchObject([
    { counts: { notifications: { count: MANY }, consents: { count: 1 } }, finished: true },
  ])

  const stopped = await makeOldData()
  const seen = new Set<number>()
  let nights = 0
  // Each night completes one batch more than the night before, until a run finishes.
  for (let done = false; !done; nights += 1) {
    expect(nights).toBeLessThan(20)
    done = await applyRetention(server.deps, stopped.companyId, createBatchLimitSignal(nights)).then(
      () => true,
      () => false,
    )
    seen.add((await countLeft(stopped))[0] ?? 0)
    const open = (await passesOf(stopped)).filter(({ finished }: { finished: boolean }) => !finished)
    expect(open.length).toBeLessThan(2)
  }
  expect([...seen]).toEqual([MANY, 2500, 500, 0].filter((rest) => seen.has(rest)))
  expect(seen.size).toBeGreaterThan(2)
  expect({ left: await countLeft(stopped), passes: await passesOf(stopped) }).toEqual(ends)
})

test('a batch whose report cannot be written deletes nothing', async () => {
  const here = await makeOldData()
  await server.asOwner(`alter table retention_runs add constraint no_report check (stage <> 'pass') not valid`)
  await expect(applyRetention(server.deps, here.companyId)).rejects.toThrow()
  expect(await countLeft(here)).toEqual([MANY, 1])
  await server.asOwner('alter table retention_runs drop constraint no_report')
  await applyRetention(server.deps, here.companyId)
  expect(await countLeft(here)).toEqual([0, 0])
})
