import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { makeParticipant } from '../../../../test/factories-energy.ts'
import { makeBooking, makeRequest } from '../../../../test/factories-site.ts'
import { useServer } from '../../../../test/server.ts'
import {
  bookings,
  bulkRuns,
  enedisAnswers,
  portalViews,
  requests,
  sessions,
  statusSamples,
  syncAttempts,
  syncErrors,
  syncTasks,
  syncWindows,
  throttles,
} from '../../../db/schema/index.ts'
import { archiveAnswers } from '../../enedis/credentials/answer-archive.ts'
import { insertCredential } from '../../enedis/credentials/credentials.ts'
import { tidyJobs } from './jobs.ts'

const server = useServer()
const task = { id: crypto.randomUUID(), signal: new AbortController().signal }

test('removes expired data and keeps data in use, however often it runs', async () => {
  const { db } = server
  const idle = await makeUser(db)
  await db.update(sessions).set({ lastSeenAt: sql`now() - interval '25 hours'` })
  const present = await makeUser(db)
  await db.insert(throttles).values([
    { key: 'past', count: 9, resetsAt: new Date(Date.now() - 1000) },
    { key: 'current', count: 9, resetsAt: new Date(Date.now() + 60_000) },
  ])
  await db.insert(statusSamples).values({ component: 'tidy', at: new Date(Date.now() - 101 * 86_400_000), ok: true })
  for (const _ of [1, 2]) await tidyJobs.tidy.run(server.deps, {}, task)
  const owners = (await db.select().from(sessions)).map(({ userId }) => userId)
  expect(owners).toEqual([present.id])
  expect(owners).not.toContain(idle.id)
  expect((await db.select().from(throttles)).map(({ key }) => key)).toEqual(['current'])
  expect(await db.select().from(statusSamples).where(sql`component = 'tidy'`)).toEqual([])
})

test('removes an impersonation of a portal user once its hour has passed', async () => {
  const { db } = server
  const { companyId, id: viewerId } = await makeUser(db)
  const { id: participantId } = await makeParticipant(db, { companyId })
  const view = { companyId, participantId, viewerId, sessionId: crypto.randomUUID() }
  await db.insert(portalViews).values({ ...view, expiresAt: new Date(Date.now() - 1000) })
  const open = await db
    .insert(portalViews)
    .values({ ...view, expiresAt: new Date(Date.now() + 60_000) })
    .returning()
  for (const _ of [1, 2]) await tidyJobs.tidy.run(server.deps, {}, task)
  expect(await db.select().from(portalViews)).toEqual(open)
})

test('removes results of bulk actions after 90 days', async () => {
  const { db } = server
  const { companyId } = await makeUser(db)
  const run = { companyId, status: 'done', dryRun: true, action: {}, participantIds: [], seal: '' }
  const old = new Date(Date.now() - 91 * 86_400_000)
  const recent = new Date(Date.now() - 89 * 86_400_000)
  await db.insert(bulkRuns).values([
    { ...run, createdAt: old, message: 'ancien' },
    { ...run, createdAt: recent, message: 'récent' },
  ])
  await tidyJobs.tidy.run(server.deps, {}, task)
  expect((await db.select().from(bulkRuns)).map(({ message }) => message)).toEqual(['récent'])
})

test('removes answers of the distributor after 400 days', async () => {
  const { db } = server
  const { companyId } = await makeUser(db)
  const received = (days: number) => new Date(Date.now() - days * 86_400_000)
  await archiveAnswers(db, companyId, [{ requestId: 'a', body: 'ancienne' }], received(401))
  const kept = await archiveAnswers(db, companyId, [{ requestId: 'b', body: 'gardée' }], received(399))
  for (const _ of [1, 2]) await tidyJobs.tidy.run(server.deps, {}, task)
  expect((await db.select().from(enedisAnswers)).map(({ sha256 }) => sha256)).toEqual([...kept.values()])
})

test('removes a finished sync task with its calls after 400 days, and an error once it is settled', async () => {
  const { db, deps } = server
  const { companyId } = await makeUser(db)
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
  const place = { companyId, operationId: null, environment: 'local', backend: 'holder' } as const
  const credential = await insertCredential(db, deps.secrets, { ...place, clientId: 'a', clientSecret: 'b' })
  const span = { kind: 'load-curve', credentialId: credential?.id ?? '', from: '2025-01-01', to: '2025-01-08' }
  const make = async (finishedAt: Date | null) => {
    const about = { ...span, operationId: crypto.randomUUID(), trigger: 'manual', status: 'failed', points: 1 }
    const [task] = await db
      .insert(syncTasks)
      .values({ companyId, ...about, createdAt: ago(402), finishedAt })
      .returning()
    const call = { taskId: task?.id ?? '', subject: '1', status: 'failed' }
    const [window] = await db
      .insert(syncWindows)
      .values({ companyId, ...span, ...call })
      .returning()
    const tried = { at: ago(402), request: 'GET /', milliseconds: 1 }
    await db.insert(syncAttempts).values({ companyId, windowId: window?.id ?? '', ...tried })
    return task?.id
  }
  const fail = async (lastAt: Date, handledAt: Date | null) => {
    const about = { code: '500', nature: 'transient', fault: {}, subject: crypto.randomUUID() }
    const [row] = await db
      .insert(syncErrors)
      .values({ companyId, ...about, firstAt: ago(402), lastAt, handledAt })
      .returning()
    return row?.id
  }
  await make(ago(401))
  await fail(ago(402), ago(401))
  const tasks = [await make(ago(399)), await make(null)]
  const errors = [await fail(ago(402), ago(399)), await fail(ago(402), null)]
  for (const _ of [1, 2]) await tidyJobs.tidy.run(server.deps, {}, task)
  expect((await db.select().from(syncTasks)).map(({ id }) => id).sort()).toEqual(tasks.sort())
  expect((await db.select().from(syncWindows)).map(({ taskId }) => taskId).sort()).toEqual(tasks)
  expect(await db.select().from(syncAttempts)).toHaveLength(2)
  expect((await db.select().from(syncErrors)).map(({ id }) => id).sort()).toEqual(errors.sort())
})

test('removes messages of visitors after three years and keeps a confirmed subscription', async () => {
  const { db } = server
  const old = new Date(Date.now() - 3.01 * 365.25 * 86_400_000)
  await makeBooking(db, { startsAt: old, status: 'done' })
  const recent = await makeBooking(db, { startsAt: new Date(Date.now() - 86_400_000), status: 'done' })
  await makeRequest(db, { createdAt: old })
  await makeRequest(db, { createdAt: old, kind: 'newsletter', subscription: 'left' })
  const reader = await makeRequest(db, { createdAt: old, kind: 'newsletter', subscription: 'confirmed' })
  const asked = await makeRequest(db)
  for (const _ of [1, 2]) await tidyJobs.tidy.run(server.deps, {}, task)
  expect((await db.select().from(bookings)).map(({ id }) => id)).toEqual([recent.id])
  expect((await db.select().from(requests)).map(({ id }) => id).sort()).toEqual([reader.id, asked.id].sort())
})
