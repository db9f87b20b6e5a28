import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../src/db/client.ts'
import { makeUser } from './factories.ts'
import { acknowledgedWrites } from './ledger.ts'
import { makeMachine, NO_MACHINE } from './machine.ts'
import { ask, bodyOf, databaseUrl, freePort, kill, launch, type Running, ready } from './process.ts'
import { until } from './wait.ts'

const home = mkdtempSync(join(tmpdir(), 'voisol-slow-'))
const machine = makeMachine()
if (!machine) console.log(`skipped, ${NO_MACHINE}`)
let server: Running | undefined
afterAll(async () => {
  machine?.set({ syncMs: 0 })
  if (server?.child.exitCode === null) await kill(server, 'SIGTERM')
  rmSync(home, { recursive: true, force: true })
  machine?.remove()
})

/** Milliseconds that the disk takes to say that something is written: a network disk at rest, a worn one, one that is failing. */
const DELAYS = process.env.TEST_ALL ? [50, 200, 500] : [500]
/** From here on the operator is told. */
const SLOW_MS = 500
const WRITERS = 4
const PATIENCE_MS = 120_000

test.skipIf(!machine)(
  'a disk that takes half a second to write: calls are slow or shed, none is lost',
  { timeout: 1_800_000 },
  async () => {
    const running = launch(home, await freePort(), { DEMO: 'off', ...machine?.env })
    server = running
    await ready(running, 600_000)
    const db = openDatabase(await databaseUrl(home), 2)
    const tokens: string[] = []
    for (let n = 0; n < WRITERS; n++) tokens.push((await makeUser(db)).token)
    await db.$client.end()
    const ledgers = tokens.map((token) => acknowledgedWrites(running.base, token, () => databaseUrl(home), 6))
    const written = () => ledgers.reduce((sum, ledger) => sum + ledger.size(), 0)
    await until(() => written() > 50, PATIENCE_MS)
    const me = () =>
      ask(`${running.base}/api/auth/me`, {
        headers: { authorization: `Bearer ${tokens[0]}` },
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
    for (const syncMs of DELAYS) {
      machine?.set({ syncMs })
      const before = written()
      await until(() => written() > before + 20, PATIENCE_MS)
      // It answers, and stays in the rotation: every other process has the same disk. The operator is told.
      const reading = await me()
      await reading.arrayBuffer()
      expect([200, 503]).toContain(reading.status)
      if (syncMs < SLOW_MS) continue
      const readiness = await until(async () => {
        const answer = await ask(`${running.base}/readyz`)
        const body = await bodyOf(answer)
        return String(body.warnings).includes('disque') && { status: answer.status }
      }, PATIENCE_MS)
      expect(readiness.status).toBe(200)
    }
    machine?.set({ syncMs: 0 })
    const before = written()
    await until(() => written() > before + 50, PATIENCE_MS)
    await until(async () => !(await bodyOf(await ask(`${running.base}/readyz`))).warnings, PATIENCE_MS)
    const refused = new Set(ledgers.flatMap((ledger) => ledger.refused()))
    for (const ledger of ledgers) expect(await ledger.lost()).toEqual([])
    // 0: the caller's own patience of eight seconds.
    expect([...refused].filter((status) => ![0, 429, 503].includes(status))).toEqual([])
    expect(await kill(running, 'SIGTERM')).toBe(0)
  },
)
