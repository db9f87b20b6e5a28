import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../src/db/client.ts'
import { READ_ONLY_MESSAGE } from '../src/db/database-errors.ts'
import { apiKeys } from '../src/db/schema/index.ts'
import { startAcknowledgedWriter } from './acknowledged-writer.ts'
import { replaceHostAndPort } from './cluster.ts'
import { queryAs } from './database.ts'
import { makeApiKey, makeUser, PASSWORD } from './factories.ts'
import { startFaultProxy } from './fault-proxy.ts'
import { startPrimaryAndStandby } from './postgres-servers.ts'
import {
  fetchWithTimeout,
  findFreePort,
  killServer,
  readJsonBody,
  type ServerProcess,
  startServerProcess,
  waitUntilReady,
} from './process.ts'
import { waitUntil } from './wait.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-standby-'))
// As root, PostgreSQL runs under another account that must reach its folder.
chmodSync(root, 0o755)
let databases: Awaited<ReturnType<typeof startPrimaryAndStandby>> | undefined
let gate: Awaited<ReturnType<typeof startFaultProxy>> | undefined
let server: ServerProcess | undefined
afterAll(async () => {
  if (server?.child.exitCode === null) await killServer(server, 'SIGTERM')
  gate?.close()
  databases?.stop()
  rmSync(root, { recursive: true, force: true })
})

const TEST_TIMEOUT_MS = 240_000
const LATER = `interval '5 minutes'`

test('F4: a switch to a replica that is only read, back, and a failover for good: reads go on, writes are refused in words, nothing is lost', {
  timeout: 600_000,
}, async () => {
  const two = await startPrimaryAndStandby(root)
  databases = two
  const socketOf = ({ socket }: { socket: string }) => ({ path: join(socket, '.s.PGSQL.5432') })
  const address = await startFaultProxy(socketOf(two.primary))
  gate = address
  const through = (url: string) =>
    replaceHostAndPort(url, { host: '127.0.0.1', port: address.port }).replace(/\?.*$/, '')
  const running = startServerProcess(join(root, 'data'), await findFreePort(), {
    DEMO: 'off',
    DATABASE_URL: through(two.primary.url),
    DATABASE_OWNER_URL: through(two.primary.ownerUrl),
    SECRET_KEY: randomBytes(32).toString('base64'),
  })
  server = running
  await waitUntilReady(running, TEST_TIMEOUT_MS)
  const db = openDatabase(two.primary.url, 2)
  const user = await makeUser(db)
  const key = await makeApiKey(db, user, { permissions: ['operations.read'] })
  // A limit shared by all processes is counted in the database.
  await db.update(apiKeys).set({ perSecond: 50, perMonth: 100_000 })
  await db.$client.end()
  const call = (path: string, token: string, init: RequestInit = {}) =>
    fetchWithTimeout(`${running.base}/api/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...init.headers },
    })
  const json = (method: string, body: unknown) => ({
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const preference = json('PUT', { items: [{ category: 'account', channel: 'mail', enabled: true }] })
  const ledger = startAcknowledgedWriter(running.base, user.token, async () => two.standby.adminUrl)
  const grow = async () => {
    const from = ledger.size()
    await waitUntil(() => ledger.size() > from + 5, TEST_TIMEOUT_MS)
  }
  await grow()
  // A write that accompanies reads, such as the last use of a session, is due.
  await queryAs(two.primary.adminUrl, `update sessions set last_seen_at = last_seen_at - ${LATER}`)
  await queryAs(two.primary.adminUrl, `update api_keys set last_used_at = last_used_at - ${LATER}`)

  address.leadTo(socketOf(two.standby))
  const refused = await waitUntil(async () => {
    const answer = await call('notifications/preferences', user.token, preference).catch(() => undefined)
    if (!answer) return undefined
    const body = await readJsonBody(answer)
    return body.message === READ_ONLY_MESSAGE && { answer, body }
  }, TEST_TIMEOUT_MS)
  expect(refused.body).toMatchObject({ code: 'unavailable', status: 503 })
  expect([refused.answer.status, refused.answer.headers.get('retry-after')]).toEqual([503, '5'])
  const signIn = await call('auth/login', '', json('POST', { email: user.email, password: PASSWORD }))
  expect([signIn.status, (await readJsonBody(signIn)).message]).toEqual([503, READ_ONLY_MESSAGE])
  for (const path of ['auth/me', 'notifications', 'notifications/preferences', 'acc-operations', 'participants'])
    expect([path, (await call(path, user.token)).status]).toEqual([path, 200])
  for (let n = 0; n < 3; n++) expect((await call('acc-operations', key)).status).toBe(200)
  const readiness = await fetchWithTimeout(`${running.base}/readyz`)
  expect([readiness.status, (await readJsonBody(readiness)).reasons]).toEqual([
    503,
    ['La base de données n’accepte pas d’écritures.'],
  ])
  expect((await fetchWithTimeout(`${running.base}/healthz`)).status).toBe(200)

  address.leadTo(socketOf(two.primary))
  await grow()
  await waitUntilReady(running, TEST_TIMEOUT_MS)
  // Its jobs run again as well.
  const question = { subject: 'Une question', category: 'other', body: 'Bonjour.', about: null, fileIds: [] }
  expect((await call('support/tickets', user.token, json('POST', question))).status).toBe(200)
  const done = `select 1 from jobs.job where state = 'completed' and completed_on > now() - interval '10 seconds'`
  await waitUntil(async () => (await queryAs(two.primary.adminUrl, done)).rowCount, TEST_TIMEOUT_MS)

  process.kill(two.primary.pid, 'SIGKILL')
  address.leadTo(socketOf(two.standby))
  await two.promote()
  await grow()
  await waitUntilReady(running, TEST_TIMEOUT_MS)
  expect(ledger.refused().filter((status) => status !== 503 && status !== 0)).toEqual([])
  expect(await ledger.lost()).toEqual([])
  expect((await call('acc-operations', key)).status).toBe(200)
  expect(await killServer(running, 'SIGTERM')).toBe(0)
})
