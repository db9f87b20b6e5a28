import { enedis } from '@voisol/contract/enedis'
import { addDays } from '@voisol/energy/calendar'
import { SIMULATOR_CLIENT } from '@voisol/simulator/client'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { CREDENTIAL_INPUT, useEnedisServer, WEEK } from '../../../../test/enedis-simulator.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation } from '../../../../test/factories-energy.ts'
import { auditEntries, consents, pointLinks, syncTasks } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'

const { at, server, save, run, curve, overview, rows } = useEnedisServer()

describe('credentials', () => {
  test('are tested, encrypted and never shown again', async () => {
    const secret = SIMULATOR_CLIENT.clientSecret
    const { status, body, text } = await save()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      operationId: null,
      environment: 'local',
      hint: 'able',
      testOk: true,
      circuit: 'closed',
    })
    const shown = [text, JSON.stringify(await overview())]
    expect(shown.join()).not.toContain(secret)
    const [row] = await rows()
    expect(JSON.stringify(row)).not.toContain(secret)
    const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, at.admin.companyId))
    expect(entries.at(-1)).toMatchObject({ label: enedis.save.summary })
    expect(JSON.stringify(entries)).not.toContain(secret)
  })

  test('are not saved when refused, and the reason is shown on the field', async () => {
    const { status, body } = await save({ clientSecret: 'faux' })
    expect(status).toBe(422)
    expect(body.issues).toEqual([{ path: 'clientSecret', message: expect.stringContaining('refuse ces identifiants') }])
    expect(body.message).toContain('Rien n’a été enregistré.')
    expect(await rows()).toEqual([])
  })

  test('are not saved when the distributor is unreachable', async () => {
    server.deps.enedis.hosts.production = 'http://127.0.0.1:1'
    const { status, body } = await save({ environment: 'production' })
    expect(status).toBe(422)
    expect(body.issues).toEqual([{ path: 'environment', message: expect.stringContaining('pas joignable') }])
    expect(await rows()).toEqual([])
  })

  test('for the simulator are refused when it is disabled', async () => {
    server.deps.enedis.hosts.local = null
    const { status, body } = await save()
    expect(status).toBe(422)
    expect(body.message).toContain('bac à sable local n’est pas démarré')
    const ran = await curve()
    expect(ran.status).toBe(409)
    expect(ran.body.message).toContain('/enedis-api')
  })

  test('exist once per operation and once for the company', async () => {
    const { id: operationId } = await makeOperation(server.db, { companyId: at.admin.companyId, name: 'Les Tilleuls' })
    expect((await save()).status).toBe(200)
    expect((await save()).status).toBe(409)
    const own = await save({ operationId })
    expect(own.body).toMatchObject({ operationId, operationName: 'Les Tilleuls' })
    expect((await save({ operationId })).status).toBe(409)
    expect((await overview()).credentials.map((c: { operationName: string }) => c.operationName)).toEqual([
      '',
      'Les Tilleuls',
    ])
    const stranger = await makeOperation(server.db, { companyId: (await makeUser(server.db)).companyId })
    expect((await save({ operationId: stranger.id })).body.issues[0].path).toBe('operationId')
  })

  test('are replaced only at their current version and after a successful test', async () => {
    const { body: made } = await save()
    const put = (more: object) => {
      const body = { ...CREDENTIAL_INPUT, version: made.version, ...more }
      return call(server, enedis.replace, { params: { id: made.id }, body }, at.admin)
    }
    const [before] = await rows()
    expect((await put({ clientSecret: 'faux' })).status).toBe(422)
    expect(await rows()).toEqual([before])
    const { body } = await put({ backend: 'holder' })
    expect(body).toMatchObject({ backend: 'holder', version: made.version + 1, testOk: true })
    expect((await put({})).body.code).toBe('stale')
  })

  test('are tested again without changes, and the result is stored', async () => {
    const { body: made } = await save()
    await at.sandbox.control('PUT', 'faults', [{ kind: '500', path: '/oauth2', times: 1 }])
    const tried = () => call(server, enedis.test, { params: { id: made.id } }, at.admin)
    const { body: bad } = await tried()
    expect(bad).toMatchObject({ testOk: false, testMessage: expect.stringContaining('panne passagère') })
    expect((await tried()).body).toMatchObject({ testOk: true, testMessage: 'Connexion réussie.' })
  })

  test('cannot be deleted while a task needs them', async () => {
    const { body: made } = await save()
    const operation = await makeOperation(server.db, { companyId: at.admin.companyId })
    const task = { companyId: at.admin.companyId, credentialId: made.id, operationId: operation.id, kind: 'load-curve' }
    const [row] = await server.db
      .insert(syncTasks)
      .values({ ...task, trigger: 'manual', status: 'waiting', points: 1, ...WEEK })
      .returning()
    const remove = () => call(server, enedis.remove, { params: { id: made.id } }, at.admin)
    expect((await remove()).status).toBe(409)
    await server.db
      .update(syncTasks)
      .set({ status: 'succeeded' })
      .where(eq(syncTasks.id, row?.id ?? ''))
    expect((await remove()).body).toEqual({ success: true })
    expect(await rows()).toEqual([])
  })

  test('of another company are not found', async () => {
    const { body: made } = await save()
    at.admin = await makeUser(server.db)
    const asked = { query: { credentialId: made.id } }
    expect((await run('agreements', {}, made.id)).status).toBe(404)
    expect((await call(server, enedis.agreements, asked, at.admin)).status).toBe(404)
    expect((await call(server, enedis.test, { params: { id: made.id } }, at.admin)).status).toBe(404)
  })
})

test('the overview counts consents of points in running operations', async () => {
  const { companyId } = at.admin
  const operation = await makeOperation(server.db, { companyId })
  const idle = await makeOperation(server.db, { companyId, status: 'draft' })
  const consent = async (
    expiresOn: string | null,
    more: Partial<typeof consents.$inferInsert> = {},
    where = operation,
  ) => {
    const { id: participantId } = await makeParticipant(server.db, { companyId })
    const { pointId } = await makeParticipation(server.db, { companyId, operationId: where.id, participantId })
    const given = { purpose: 'collection', textVersion: '1', method: 'paper', givenAt: new Date(), recordedBy: '' }
    if (expiresOn) await server.db.insert(consents).values({ companyId, participantId, ...given, expiresOn, ...more })
    return pointId
  }
  await consent(addDays(getToday(), 300))
  await consent(addDays(getToday(), 60))
  await consent(addDays(getToday(), 300), { withdrawnAt: new Date() })
  await consent(addDays(getToday(), -1))
  await consent(null)
  await consent(addDays(getToday(), 300), {}, idle)
  const pointId = await consent(addDays(getToday(), 300))
  await server.db.insert(pointLinks).values({ companyId, pointId, blockedAt: new Date() })
  expect(await overview()).toMatchObject({
    points: 6,
    consents: { active: 1, expiring: 1, lost: 3 },
    openErrors: 0,
    runningTasks: 0,
    receivedUntil: null,
    sandboxUrl: at.sandbox.url,
  })
})
