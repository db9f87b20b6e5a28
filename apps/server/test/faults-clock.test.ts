import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../src/db/client.ts'
import { sessions } from '../src/db/schema/index.ts'
import { startAcknowledgedWriter } from './acknowledged-writer.ts'
import { makeUser, PASSWORD } from './factories.ts'
import { createMachineShim, NO_COMPILER_REASON } from './machine-faults.ts'
import {
  fetchWithTimeout,
  findFreePort,
  getAdminUrl,
  killServer,
  readJsonBody,
  readRow,
  type ServerProcess,
  startServerProcess,
  waitUntilReady,
} from './process.ts'
import { waitUntil } from './wait.ts'

const home = mkdtempSync(join(tmpdir(), 'voisol-clock-'))
const machine = createMachineShim()
if (!machine) console.log(`skipped, ${NO_COMPILER_REASON}`)
let server: ServerProcess | undefined
afterAll(async () => {
  if (server?.child.exitCode === null) await killServer(server, 'SIGTERM')
  rmSync(home, { recursive: true, force: true })
  machine?.remove()
})

const HOUR = 3600
/** Forward, back, and further back. */
const JUMPS = [HOUR, 0, -HOUR]
const SLOW_MS = 120_000

/** All caught messages: a repeated job sends the same message again, with the same id. */
const messages = () =>
  readdirSync(join(home, 'mail'))
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(home, 'mail', name), 'utf8'))
const caught = (address: string) => messages().filter((text) => text.includes(`To: ${address}`)).length
const getMessageIds = (texts: string[]) => texts.map((text) => /^Message-ID: (\S+)/im.exec(text)?.[1] ?? '')

const json = (token: string, body: unknown, more: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...more },
  body: JSON.stringify(body),
})

test.skipIf(!machine)(
  'the clock jumps an hour either way: nothing is lost, done twice or locked out',
  { timeout: 1_800_000 },
  async () => {
    const running = startServerProcess(home, await findFreePort(), { DEMO: 'off', LOG_LEVEL: 'warn', ...machine?.env })
    server = running
    await waitUntilReady(running, 600_000)
    const db = openDatabase(await getAdminUrl(home), 2)
    const admin = await makeUser(db)
    const people = []
    for (const _ of JUMPS) people.push(await makeUser(db, { companyId: admin.companyId, isAdmin: false }))
    // A token ends an hour after its sign-in, whatever the clock does: a browser would renew it.
    await db.update(sessions).set({ tokenExpiresAt: sql`now() + interval '1 day'` })
    await db.$client.end()
    const call = (path: string, init: RequestInit) =>
      fetchWithTimeout(`${running.base}/api/${path}`, { ...init, signal: AbortSignal.timeout(SLOW_MS) })
    const clock = () =>
      readRow(home, 'select extract(epoch from clock_timestamp())::float8 as at', []).then(({ at }) => Number(at))

    const question = { subject: 'Une question', category: 'other', body: 'Bonjour.', about: null, fileIds: [] }
    const key = { 'idempotency-key': randomUUID() }
    const asked = await readJsonBody(await call('support/tickets', json(admin.token, question, key)))
    const ledger = startAcknowledgedWriter(running.base, admin.token, () => getAdminUrl(home))

    const beats = async () =>
      Number((await readRow(home, `select count(*)::int as n from status_samples where component = 'jobs'`, [])).n)

    for (const [n, seconds] of JUMPS.entries()) {
      const { email } = people[n] ?? { email: '' }
      // A job is sent, and the clock jumps before or while it runs.
      expect((await call('auth/forgot-password', json('', { email }))).status).toBe(200)
      machine?.set({ seconds })
      expect(Math.abs((await clock()) - Date.now() / 1000 - seconds)).toBeLessThan(60)
      const before = ledger.size()
      await waitUntil(() => ledger.size() > before + 5, SLOW_MS)
      await waitUntil(() => caught(email) > 0, SLOW_MS)
      // Two jumps within a few seconds would count as none.
      await waitUntil(() => running.output().split('d’un coup').length > n + 1, SLOW_MS)
      // Sessions stay valid, and sign-in works.
      expect((await call('auth/me', { headers: { authorization: `Bearer ${admin.token}` } })).status).toBe(200)
      expect((await call('auth/login', json('', { email, password: PASSWORD }))).status).toBe(200)
      const again = await call('support/tickets', json(admin.token, question, key))
      expect([again.status, (await readJsonBody(again)).id]).toEqual([200, asked.id])
    }

    // Minute jobs go on although the clock repeats times, and future times are corrected.
    await waitUntil(() => running.output().includes('remises à l’heure'), SLOW_MS)
    const past = await beats()
    await waitUntil(async () => (await beats()) > past + 1, SLOW_MS * 2)
    machine?.set({ seconds: 0 })
    // 0: the caller’s own timeout.
    expect(ledger.refused().filter((status) => ![0, 503].includes(status))).toEqual([])
    expect(await ledger.lost()).toEqual([])
    const names = getMessageIds(messages())
    expect(names.filter((name, at) => !name || names.indexOf(name) !== at)).toEqual([])
    const told = await readRow(home, 'select count(*)::int as n from tickets', [])
    expect(told.n).toBe(1)
    const output = running.output()
    expect(output).toContain('a avancé d’un coup')
    expect(output).toContain('a reculé d’un coup')
    expect(await killServer(running, 'SIGTERM')).toBe(0)
  },
)
