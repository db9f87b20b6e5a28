import { api } from '@voisol/contract'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import {
  deliverAndListNotifications,
  fetchSyncTask,
  runCredentialUntil,
  type SyncFixture,
  selectSyncErrors,
  selectSyncWindows,
  useSyncFixture,
} from '../../../../test/factories-sync.ts'
import { transaction } from '../../../db/client.ts'
import { pointLinks } from '../../../db/schema/index.ts'
import { findCredentialFor } from '../credentials/credentials.ts'
import { resumePoints } from './blocked-points.ts'
import { runSyncOfCredential } from './run-sync.ts'

const { platform, sandbox, clock, make, start, later, faults } = useSyncFixture()
const blockedOf = async ({ deps, companyId }: SyncFixture) =>
  (await deps.db.select().from(pointLinks).where(eq(pointLinks.companyId, companyId))).filter(
    ({ blockedAt }) => blockedAt !== null,
  ).length
const withdraw = (points: { prm: string }[], state: string) =>
  sandbox.control(
    'PUT',
    'consents',
    points.map(({ prm }) => ({ prm, state })),
  )

describe('a 403 answer', () => {
  test('with an HTML page comes from the gateway and is retried until it passes', async () => {
    const world = await make(2)
    await faults({ kind: '403-html', to: later(2).toISOString() })
    const id = await start(world)
    await runCredentialUntil(world, clock, later(1))
    expect(await fetchSyncTask(world, id)).toMatchObject({ finishedAt: null })
    expect(await findCredentialFor(world.deps.db, world.companyId, null)).toMatchObject({ circuit: 'open' })
    await runCredentialUntil(world, clock, later(4))
    expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'succeeded', counts: { newDays: 14 } })
    expect(await blockedOf(world)).toBe(0)
    expect(await deliverAndListNotifications(world)).toEqual([])
    for (const { nature, code } of await selectSyncErrors(world))
      expect([nature, code]).toEqual(['transient', 'refused'])
  })

  test('for many points at once blocks none: one call is retried, then all resume', async () => {
    const world = await make(7)
    await withdraw(world.points, 'withdrawn')
    const id = await start(world)
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect(await blockedOf(world)).toBe(0)
    const credential = await findCredentialFor(world.deps.db, world.companyId, null)
    expect(credential).toMatchObject({ circuit: 'open', refusingSince: expect.any(Date) })
    const [error, ...none] = await selectSyncErrors(world)
    expect(none).toEqual([])
    expect(error).toMatchObject({ code: 'mass-refusal', subject: world.operation.accNumber, nature: 'transient' })
    // One call at a time is retried, and does not prove the refusal alone.
    await runCredentialUntil(world, clock, later(1))
    expect(await blockedOf(world)).toBe(0)
    await withdraw(world.points, 'active')
    await runCredentialUntil(world, clock, later(2))
    expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'succeeded', counts: { newDays: 49 } })
    expect(await findCredentialFor(world.deps.db, world.companyId, null)).toMatchObject({
      circuit: 'closed',
      refusingSince: null,
    })
    expect(await deliverAndListNotifications(world)).toEqual([])
  })

  test('for a few points of many is accepted as lost consent', async () => {
    const world = await make(9)
    await withdraw(world.points.slice(0, 4), 'withdrawn')
    const id = await start(world)
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect(await blockedOf(world)).toBe(4)
    expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'partial', counts: { done: 5, failed: 4 } })
  })

  test('for all of only three points is accepted as lost consent', async () => {
    const world = await make(3)
    await withdraw(world.points, 'withdrawn')
    const id = await start(world)
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect(await blockedOf(world)).toBe(3)
    expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'failed' })
  })

  test('for many points is accepted after a day', async () => {
    const world = await make(5)
    await withdraw(world.points, 'withdrawn')
    await start(world)
    await runSyncOfCredential(world.deps, world.job, { clock })
    await platform.asOwner(`update enedis_credentials set refusing_since = (refusing_since at time zone 'UTC' - interval '24 hours') at time zone 'UTC'
      where company_id = ${world.companyId}`)
    await runCredentialUntil(world, clock, later(2))
    expect(await blockedOf(world)).toBe(5)
  })
})

test('resumes all blocked points together and repeats their calls', async () => {
  const world = await make(9)
  const lost = world.points.slice(0, 3)
  await withdraw(lost, 'withdrawn')
  const id = await start(world)
  await runSyncOfCredential(world.deps, world.job, { clock })
  expect(await blockedOf(world)).toBe(3)
  await withdraw(lost, 'active')
  const other = await make(1)
  const resume = (who: SyncFixture, operationId?: string) =>
    transaction(who.deps.db, (tx) => resumePoints(tx, who.actor, { ...(operationId && { operationId }) }, clock.now()))
  await expect(resume(other, world.operation.id)).rejects.toThrow()
  expect(await resume(other)).toBe(0)
  expect(await resume(world, world.operation.id)).toBe(3)
  expect(await resume(world)).toBe(0)
  await runSyncOfCredential(world.deps, world.job, { clock })
  expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'succeeded', counts: { newDays: 63, failed: 0 } })
  expect((await selectSyncWindows(world, id)).every(({ fault }) => fault === null)).toBe(true)
  expect(api.sync.resumeAll.access).toEqual({ permission: 'sync.write' })
})
