import { enedis } from '@voisol/contract/enedis'
import { addDays } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  CONSUMER_TEST_PRM,
  DAY,
  LAST_MONTH,
  PRODUCER_TEST_PRM,
  TEST_ACC_NUMBER,
  useEnedisServer,
  useFixedResponseDistributor,
  WEEK,
} from '../../../../test/enedis-simulator.ts'
import { makeUser } from '../../../../test/factories.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { enedisAnswers, enedisCredentials } from '../../../db/schema/index.ts'
import { ENEDIS_CALLS } from './call-catalogue.ts'

const { at, server, save, run, curve, overview, rows } = useEnedisServer()
const { say, url } = useFixedResponseDistributor()

describe('manual calls', () => {
  const PARAMS: Record<string, string> = {
    ...WEEK,
    acc: TEST_ACC_NUMBER,
    role: 'cons',
    type: 'cons',
    consumer: CONSUMER_TEST_PRM,
    share: '62,5',
  }

  test.each(ENEDIS_CALLS.map((one) => [one.id, one] as const))('%s', async (id, { params }) => {
    const plant = id.endsWith('production') || id === 'keys'
    const all: Record<string, string> = {
      ...PARAMS,
      prm: plant ? PRODUCER_TEST_PRM : CONSUMER_TEST_PRM,
      ...((id === 'series' || id === 'quantities') && LAST_MONTH),
    }
    const { status, body, text } = await run(id, Object.fromEntries(params.map(({ name }) => [name, all[name] ?? ''])))
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: expect.toSatisfy((code: number) => code < 300), fault: null })
    expect(body.request).toContain(at.sandbox.url)
    expect(text).not.toContain('sbx-')
  })

  test('use the simulator when no credential is saved', async () => {
    expect(await rows()).toEqual([])
    expect((await curve()).body).toMatchObject({ status: 200, fault: null })
    expect(await rows()).toMatchObject([{ environment: 'local', operationId: null }])
  })

  test('are validated with French messages before they are sent', async () => {
    const { status, body } = await curve({ prm: '123', from: 'hier', jour: '1' })
    expect(status).toBe(422)
    const told = Object.fromEntries(
      body.issues.map((issue: { path: string; message: string }) => [issue.path, issue.message]),
    )
    expect(told['params.prm']).toContain('quatorze chiffres')
    expect(told['params.from']).toContain('AAAA-MM-JJ')
    expect(told['params.jour']).toContain('n’a pas ce paramètre')
    expect((await curve({ to: addDays(DAY, 8) })).body.message).toContain('7\u00a0jours au plus')
    expect((await curve({ to: DAY })).body.message).toContain('après le début')
    expect((await run('invente')).body.issues[0].path).toBe('call')
    expect(await rows()).toEqual([])
  })

  test('show a refusal of the distributor with explanation and remedy', async () => {
    const { body } = await curve({ prm: '19000000009999' })
    expect(body.status).toBeGreaterThanOrEqual(400)
    expect(body.fault).toMatchObject({ nature: 'consent', explanation: expect.any(String), remedy: expect.any(String) })
    await at.sandbox.control('PUT', 'faults', [{ kind: '503-html', times: 1 }])
    const html = await curve()
    expect(html.body).toMatchObject({ status: 503, fault: { nature: 'transient' } })
    expect(html.body.body).toContain('<')
    await at.sandbox.control('PUT', 'faults', [{ kind: 'reset', times: 1 }])
    expect((await curve()).body).toMatchObject({ status: null, fault: { code: 'network' }, sha256: null })
  })

  test('do not send coefficients to production', async () => {
    server.deps.enedis.hosts.production = at.sandbox.url
    const { body: made } = await save({ environment: 'production' })
    const params = {
      acc: TEST_ACC_NUMBER,
      prm: PRODUCER_TEST_PRM,
      consumer: CONSUMER_TEST_PRM,
      from: DAY,
      share: '10,0',
    }
    expect((await run('keys', params, made.id)).status).toBe(409)
  })

  test('say so when the sign-in fails', async () => {
    server.deps.enedis.hosts.production = at.sandbox.url
    const { body: made } = await save({ environment: 'production' })
    await at.sandbox.control('PUT', 'faults', [{ kind: '500', path: '/oauth2', times: 1 }])
    const { body } = await run('agreements', {}, made.id)
    expect(body).toMatchObject({ request: expect.stringContaining('/oauth2/v3/token'), fault: { nature: 'transient' } })
  })

  test('archive their answers unchanged, identical ones once', async () => {
    const { body: first } = await curve()
    const { body: second } = await curve()
    expect(second.sha256).toBe(first.sha256)
    const kept = await server.db.select().from(enedisAnswers).where(eq(enedisAnswers.companyId, at.admin.companyId))
    expect(kept).toHaveLength(1)
    const file = await call(server, enedis.answer, { params: { sha256: first.sha256 } }, at.admin)
    expect(file.text).toBe(first.body)
    expect(file.headers['content-disposition']).toContain('attachment')
    const stranger = await makeUser(server.db)
    expect((await call(server, enedis.answer, { params: { sha256: first.sha256 } }, stranger)).status).toBe(404)
  })

  test('count against the quota, and the sixth in a second waits', async () => {
    await curve()
    const quotas = async () => (await overview()).credentials[0].quotas
    await waitUntil(async () => (await quotas()).second.used === 0)
    const from = performance.now()
    const answers = await Promise.all(Array.from({ length: 6 }, () => curve()))
    expect(answers.map(({ body }) => body.status)).toEqual(Array(6).fill(200))
    expect(performance.now() - from).toBeGreaterThan(990)
    const { second, hour } = await quotas()
    expect({ second: second.limit, hour }).toEqual({ second: 5, hour: { used: 7, limit: 10_000 } })
    expect(second.used).toBeLessThanOrEqual(1)
  })

  test('count twice after renewing the token', async () => {
    await at.sandbox.control('PUT', 'faults', [{ kind: 'token-expired', times: 1 }])
    expect((await curve()).body).toMatchObject({ status: 200, fault: null })
    const [credential] = (await overview()).credentials
    expect(credential.quotas.hour.used).toBe(2)
  })

  test('stop after five failures of the distributor, and resume after a success', async () => {
    await at.sandbox.control('PUT', 'faults', [{ kind: '500', times: 5 }])
    for (let n = 0; n < 5; n++) expect((await curve()).body.fault).toMatchObject({ nature: 'transient' })
    const held = await curve()
    expect(held).toMatchObject({ status: 429, body: { message: expect.stringContaining('ils reprennent dans') } })
    expect(Number(held.headers['retry-after'])).toBeGreaterThan(50)
    expect((await overview()).credentials).toMatchObject([{ circuit: 'open', pausedUntil: expect.any(String) }])
    const mine = eq(enedisCredentials.companyId, at.admin.companyId)
    await server.db.update(enedisCredentials).set({ pausedUntil: new Date() }).where(mine)
    expect((await curve()).body).toMatchObject({ status: 200, fault: null })
    expect((await overview()).credentials).toMatchObject([{ circuit: 'closed', pausedUntil: null }])
  })

  test('wait as long as the distributor asks', async () => {
    await at.sandbox.control('PUT', 'faults', [{ kind: 'q4', times: 1 }])
    expect((await curve()).body.fault).toMatchObject({ nature: 'quota', status: 429 })
    const [credential] = (await overview()).credentials
    expect(Date.parse(credential.pausedUntil)).toBeGreaterThan(Date.now())
  })

  test.each([
    ['a very long time', '99999999999999999999'],
    ['a date far away', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ])('postponed for %s wait one day, say so, and cause no internal error', async (_, header) => {
    const { body: made } = await save()
    const headers = { 'retry-after': header }
    say({ code: 'SGT429', message: 'SLA dépassé' }, { status: 429, headers })
    server.deps.enedis.hosts.local = url()
    expect((await curve()).body.fault).toMatchObject({ nature: 'quota' })
    const held = await curve()
    expect(held.status).toBe(429)
    expect(Number(held.headers['retry-after'])).toBeGreaterThan(86_000)
    expect(Number(held.headers['retry-after'])).toBeLessThanOrEqual(86_400)
    expect((await overview()).credentials).toMatchObject([{ pauseCause: 'told' }])
    server.deps.enedis.hosts.local = at.sandbox.url
    const { body } = await call(server, enedis.test, { params: { id: made.id } }, at.admin)
    expect(body).toMatchObject({ testOk: false, testMessage: expect.stringContaining('suspendus jusqu’au') })
  })

  test('also obey a retry-after header on a successful answer', async () => {
    await save()
    say({ idPrm: CONSUMER_TEST_PRM, grandeur: [] }, { headers: { 'retry-after': '437' } })
    server.deps.enedis.hosts.local = url()
    await curve()
    const held = await curve()
    expect(Number(held.headers['retry-after'])).toBeGreaterThan(430)
  })

  test('are not reported as working while suspended', async () => {
    const { body: made } = await save()
    await at.sandbox.control('PUT', 'faults', [{ kind: '500', times: 5 }])
    for (let n = 0; n < 5; n++) await curve()
    const { body } = await call(server, enedis.test, { params: { id: made.id } }, at.admin)
    expect(body).toMatchObject({
      testOk: true,
      testMessage: expect.stringContaining('restent suspendus'),
      pauseCause: 'failures',
    })
  })
})
