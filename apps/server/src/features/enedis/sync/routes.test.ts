import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@voisol/contract'
import { addDays } from '@voisol/energy/calendar'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeUser } from '../../../../test/factories.ts'
import { makeSyncFixture, type SyncFixture, useEnedisSimulator } from '../../../../test/factories-sync.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { syncSettings } from '../../../db/schema/index.ts'
import { buildDistributorFault } from '../../../integrations/enedis/enedis-faults.ts'
import { getToday } from '../../../today.ts'
import { logSyncError } from './sync-errors.ts'
import { decryptFileKey } from './sync-settings.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'voisol-depot-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const server = useServer({ ENEDIS_QUOTAS: 'off', ENEDIS_FOLDERS: root })
const sandbox = useEnedisSimulator()
beforeAll(() => {
  server.deps.enedis.hosts.local = sandbox.url
})
const make = async (number = 2) => {
  const meters = Array.from({ length: number }, () => ({}))
  const world = await makeSyncFixture(server.deps, sandbox, meters)
  // Disabled, since the daily sync could otherwise add a task during the test.
  await server.db.insert(syncSettings).values({ companyId: world.companyId, enabled: false })
  return world
}
const as = ({ owner }: SyncFixture) => ({ token: owner.token })
const span = () => ({ from: addDays(getToday(), -10), to: addDays(getToday(), -2) })
const start = (world: SyncFixture, more: object = {}) =>
  call(
    server,
    api.sync.start,
    { body: { kind: 'load-curve', operationId: world.operation.id, ...span(), ...more } },
    as(world),
  )
const become = (world: SyncFixture, id: string, status: string) =>
  waitUntil(async () => {
    const { body } = await call(server, api.sync.task, { params: { id } }, as(world))
    return body.status === status && body
  })

describe('a task over HTTP', () => {
  test('records the API key that requested it', async () => {
    const world = await make()
    const token = await makeApiKey(server.db, world.owner, {
      permissions: ['sync.write', 'sync.read', 'operations.read'],
    })
    const asked = { kind: 'load-curve', operationId: world.operation.id, ...span() }
    const { body } = await call(server, api.sync.start, { body: asked }, { token })
    const { rows } =
      await server.db.execute(sql`select k.name from sync_tasks t join api_keys k on k.company_id = t.company_id and k.id = t.key_id
      where t.id = ${body.id}`)
    expect(rows).toEqual([{ name: 'Comptabilité' }])
    await become(world, body.id, 'succeeded')
  })

  test('runs in the background and shows each call with its answer', async () => {
    const world = await make()
    const { body } = await start(world)
    expect(body).toMatchObject({ kind: 'load-curve', trigger: 'manual', points: 2, environment: 'local' })
    expect(await become(world, body.id, 'succeeded')).toMatchObject({ progress: 100, counts: { newDays: 16 } })
    const windows = await call(server, api.sync.windows, { params: { id: body.id } }, as(world))
    expect(windows.body.items[0]).toMatchObject({
      status: 'done',
      direction: 'consumption',
      fault: null,
      nextAt: null,
      attempts: [{ status: 200, code: '', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    })
    const listed = await call(server, api.sync.tasks, { query: { status: 'succeeded' } }, as(world))
    expect(listed.body).toMatchObject({ total: 1, items: [{ id: body.id, operationName: world.operation.name }] })
    const standing = await call(server, api.sync.standing, { params: { id: world.operation.id } }, as(world))
    expect(standing.body).toMatchObject({
      environment: 'local',
      lastTask: { id: body.id },
      strangers: [],
      perimeterAt: null,
      points: [{ receivedUntil: addDays(getToday(), -3), blockedAt: null }, {}],
    })
  })

  test('can be neither read, retried nor stopped by another company', async () => {
    const world = await make(1)
    const { body } = await start(world)
    const { token } = await makeUser(server.db)
    const { task, windows, retry, cancel } = api.sync
    for (const e of [task, windows, retry, cancel])
      expect((await call(server, e, { params: { id: body.id } }, { token })).status).toBe(404)
    const listed = await call(server, api.sync.tasks, {}, { token })
    expect(listed.body).toMatchObject({ total: 0, items: [] })
    await become(world, body.id, 'succeeded')
  })

  test('of old days is a history import, and invalid requests are refused in French', async () => {
    const world = await make()
    expect((await start(world, { from: addDays(getToday(), -60) })).body).toMatchObject({ trigger: 'backfill' })
    const explorer = { from: addDays(getToday(), -60), to: addDays(getToday(), -50), trigger: 'explorer' }
    expect((await start(world, explorer)).body).toMatchObject({ trigger: 'explorer' })
    expect((await start(world, { trigger: 'schedule' })).status).toBe(422)
    const { status, body } = await start(world, { to: addDays(getToday(), 1) })
    expect({ status, path: body.issues[0].path }).toEqual({ status: 422, path: 'to' })
    const other = await make()
    expect((await start(world, { operationId: other.operation.id })).status).toBe(404)
    expect((await start(world, { pointIds: [other.points[0]?.id] })).body.issues[0]).toMatchObject({
      path: 'pointIds.0',
    })
  })

  test('can be cancelled while it runs, not once it has ended', async () => {
    const world = await make()
    await sandbox.control(
      'PUT',
      'faults',
      world.points.map(({ prm }) => ({ kind: '500', prm })),
    )
    const { body } = await start(world)
    const cancelled = await call(server, api.sync.cancel, { params: { id: body.id } }, as(world))
    expect(cancelled.body).toMatchObject({ status: 'cancelled', progress: 100 })
    await sandbox.control('DELETE', 'faults')
    expect((await call(server, api.sync.cancel, { params: { id: body.id } }, as(world))).status).toBe(409)
    expect((await call(server, api.sync.retry, { params: { id: body.id } }, as(world))).status).toBe(409)
  })

  test('of a point with lost consent fails, and can be resumed and retried', async () => {
    const world = await make(1)
    const [point] = world.points
    await sandbox.control('PUT', 'consents', { prm: point?.prm, state: 'withdrawn' })
    const { body } = await start(world)
    await become(world, body.id, 'failed')
    const standing = await call(server, api.sync.standing, { params: { id: world.operation.id } }, as(world))
    expect(standing.body.points[0]).toMatchObject({ blockedAt: expect.any(String), fault: { nature: 'consent' } })
    await sandbox.control('PUT', 'consents', { prm: point?.prm, state: 'active' })
    expect((await call(server, api.sync.resume, { params: { id: point?.id } }, as(world))).status).toBe(200)
    expect((await call(server, api.sync.retry, { params: { id: body.id } }, as(world))).status).toBe(200)
    await become(world, body.id, 'succeeded')
  })
})

describe('errors', () => {
  test('are listed, counted, exported and marked as handled', async () => {
    const owner = await makeUser(server.db)
    const { companyId, token } = owner
    const log = (code: string, subject: string) =>
      logSyncError(server.db, { companyId, fault: buildDistributorFault(code, 500, ''), subject, at: new Date() })
    for (let n = 0; n < 3; n++) await log('technical_error', '19000000000001')
    await log('technical_error', '19000000000002')
    await log('ADAM-DC-0008', '19000000000002')
    const list = (query: object) => call(server, api.sync.errors, { query }, { token })
    expect((await list({})).body).toMatchObject({ total: 3 })
    expect((await list({ nature: 'consent' })).body.items).toMatchObject([{ prm: '19000000000002', times: 1 }])
    expect((await list({ q: '0001' })).body.items).toMatchObject([{ times: 3, fault: { code: 'technical_error' } }])
    const groups = await call(server, api.sync.errorGroups, {}, { token })
    expect(groups.body.items).toHaveLength(2)
    expect(groups.body.items).toContainEqual(expect.objectContaining({ errors: 4, points: 2 }))
    const file = await call(
      server,
      api.sync.exportErrors,
      { query: { code: 'technical_error', format: 'csv' } },
      { token },
    )
    expect(file.text.trim().split('\n')).toHaveLength(3)
    const handled = await call(server, api.sync.handle, { body: { code: 'technical_error' } }, { token })
    expect(handled.body).toEqual({ success: true, count: 2 })
    expect((await list({ handled: 'false' })).body.total).toBe(1)
    await log('technical_error', '19000000000001')
    expect((await list({ code: 'technical_error' })).body.total).toBe(3)
    expect((await call(server, api.sync.handle, { body: {} }, { token })).status).toBe(422)
    const stranger = await makeUser(server.db)
    const { body } = await list({})
    const ids = body.items.map(({ id }: { id: string }) => id)
    expect((await call(server, api.sync.handle, { body: { ids } }, { token: stranger.token })).body.count).toBe(0)
  })
})

describe('sync settings', () => {
  test('are versioned, and the key is encrypted and never shown', async () => {
    const { companyId, token } = await makeUser(server.db)
    const first = await call(server, api.sync.settings, {}, { token })
    expect(first.body).toMatchObject({ hour: 8, enabled: true, version: 0, hasFileKey: false })
    const folder = join(root, String(companyId))
    expect(first.body.folders).toEqual([folder])
    mkdirSync(folder)
    const body = {
      hour: 9,
      enabled: true,
      rollingDays: 20,
      folder,
      toleranceWh: 500,
      fileKey: 'AB'.repeat(32),
      version: 0,
    }
    const save = (more: object) => call(server, api.sync.saveSettings, { body: { ...body, ...more } }, { token })
    const saved = await save({})
    expect(saved.body).toMatchObject({ hour: 9, folder, version: 1, hasFileKey: true })
    expect(saved.text).not.toContain('AB'.repeat(32))
    const [row] = await server.db.select().from(syncSettings).where(eq(syncSettings.companyId, companyId))
    expect(row && decryptFileKey(server.deps.secrets, row)).toBe('ab'.repeat(32))
    expect((await save({})).status).toBe(409)
    const { fileKey: _, ...rest } = body
    const kept = await call(server, api.sync.saveSettings, { body: { ...rest, version: 1 } }, { token })
    expect(kept.body).toMatchObject({ hasFileKey: true, version: 2 })
    expect((await save({ fileKey: '', version: 2 })).body).toMatchObject({ hasFileKey: false })
  })
})
