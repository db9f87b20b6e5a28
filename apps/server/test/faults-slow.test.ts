import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../src/db/client.ts'
import { startAcknowledgedWriter } from './acknowledged-writer.ts'
import { makeUser } from './factories.ts'
import { createMachineShim, NO_COMPILER_REASON } from './machine-faults.ts'
import {
  fetchWithTimeout,
  findFreePort,
  getAdminUrl,
  killServer,
  readJsonBody,
  type ServerProcess,
  startServerProcess,
  waitUntilReady,
} from './process.ts'
import { waitUntil } from './wait.ts'

const home = mkdtempSync(join(tmpdir(), 'voisol-slow-'))
const machine = createMachineShim()
if (!machine) console.log(`skipped, ${NO_COMPILER_REASON}`)
let server: ServerProcess | undefined
afterAll(async () => {
  machine?.set({ syncMs: 0 })
  if (server?.child.exitCode === null) await killServer(server, 'SIGTERM')
  rmSync(home, { recursive: true, force: true })
  machine?.remove()
})

/** Milliseconds for a write to disk: an idle network disk, a worn one, one that is failing. */
const DELAYS = [50, 200, 500]
/** From this delay on the operator is warned. */
const SLOW_MS = 500
const WRITERS = 4
const WAIT_TIMEOUT_MS = 120_000

test.skipIf(!machine)(
  'a disk that takes half a second to write: calls are slow or shed, none is lost',
  { timeout: 1_800_000 },
  async () => {
    const running = startServerProcess(home, await findFreePort(), { DEMO: 'off', ...machine?.env })
    server = running
    await waitUntilReady(running, 600_000)
    const db = openDatabase(await getAdminUrl(home), 2)
    const tokens: string[] = []
    for (let n = 0; n < WRITERS; n++) tokens.push((await makeUser(db)).token)
    await db.$client.end()
    const ledgers = tokens.map((token) => startAcknowledgedWriter(running.base, token, () => getAdminUrl(home), 6))
    const written = () => ledgers.reduce((sum, ledger) => sum + ledger.size(), 0)
    await waitUntil(() => written() > 50, WAIT_TIMEOUT_MS)
    const me = () =>
      fetchWithTimeout(`${running.base}/api/auth/me`, {
        headers: { authorization: `Bearer ${tokens[0]}` },
        signal: AbortSignal.timeout(WAIT_TIMEOUT_MS),
      })
    for (const syncMs of DELAYS) {
      machine?.set({ syncMs })
      const before = written()
      await waitUntil(() => written() > before + 20, WAIT_TIMEOUT_MS)
      // It answers, and stays in rotation, since every other process has the same disk. The operator is warned.
      const reading = await me()
      await reading.arrayBuffer()
      expect([200, 503]).toContain(reading.status)
      if (syncMs < SLOW_MS) continue
      const readiness = await waitUntil(async () => {
        const answer = await fetchWithTimeout(`${running.base}/readyz`)
        const body = await readJsonBody(answer)
        return String(body.warnings).includes('disque') && { status: answer.status }
      }, WAIT_TIMEOUT_MS)
      expect(readiness.status).toBe(200)
    }
    machine?.set({ syncMs: 0 })
    const before = written()
    await waitUntil(() => written() > before + 50, WAIT_TIMEOUT_MS)
    await waitUntil(
      async () => !(await readJsonBody(await fetchWithTimeout(`${running.base}/readyz`))).warnings,
      WAIT_TIMEOUT_MS,
    )
    const refused = new Set(ledgers.flatMap((ledger) => ledger.refused()))
    for (const ledger of ledgers) expect(await ledger.lost()).toEqual([])
    // 0: the caller’s own timeout.
    expect([...refused].filter((status) => ![0, 429, 503].includes(status))).toEqual([])
    expect(await killServer(running, 'SIGTERM')).toBe(0)
  },
)
