import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../src/db/client.ts'
import { LACKING } from '../src/room.ts'
import { makeUser } from './factories.ts'
import { acknowledgedWrites } from './ledger.ts'
import { ask, bodyOf, databaseUrl, freePort, kill, launch, type Running, ready } from './process.ts'
import { until } from './wait.ts'

/** A disk of its own, small enough to be filled; only an administrator of the machine can have one. */
function makeDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'voisol-full-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'voisol-full', folder], { stdio: 'ignore' })
    return folder
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
}
const disk = makeDisk()
if (!disk)
  console.log('skipped, nobody may mount a disk here: only an administrator of the machine can fill one of its own')
let server: Running | undefined
afterAll(async () => {
  if (server?.child.exitCode === null) await kill(server, 'SIGTERM')
  if (!disk) return
  execFileSync('umount', ['-l', disk])
  rmSync(disk, { recursive: true, force: true })
})

const free = (folder: string) => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

test.skipIf(!disk)('F12: a full disk is said, loses nothing, and heals by itself', { timeout: 300_000 }, async () => {
  const folder = disk ?? ''
  const port = await freePort()
  const running = launch(folder, port, { DEMO: 'off' })
  server = running
  await ready(running)
  const db = openDatabase(await databaseUrl(folder), 1)
  const { token } = await makeUser(db)
  await db.$client.end()
  const ledger = acknowledgedWrites(running.base, token, () => databaseUrl(folder))
  await until(() => ledger.size() > 5)
  const filler = join(folder, 'filler')
  writeFileSync(filler, Buffer.alloc(free(folder) - 8 * 1024 * 1024))
  const reasons = async () => {
    const answer = await ask(`${running.base}/readyz`).catch(() => undefined)
    return answer?.status === 503 ? String((await bodyOf(answer)).reasons) : ''
  }
  await until(async () => (await reasons()).includes(LACKING.disk))
  // All that is left goes too: PostgreSQL may even stop for it.
  expect(() => writeFileSync(join(folder, 'crumbs'), Buffer.alloc(16 * 1024 * 1024))).toThrow('ENOSPC')
  const seen = new Set<number>()
  for (let n = 0; n < 200; n++) {
    const answer = await ask(`${running.base}/api/notifications/preferences`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ items: [{ category: 'account', channel: 'mail', enabled: n % 2 === 0 }] }),
    }).catch(() => undefined)
    if (answer) seen.add(answer.status)
    await answer?.arrayBuffer()
  }
  console.log('statuses on a full disk:', [...seen], 'written', ledger.size())
  expect([...seen].filter((status) => ![200, 503, 507].includes(status))).toEqual([])
  rmSync(filler)
  rmSync(join(folder, 'crumbs'))
  const before = ledger.size()
  await ready(running)
  await until(() => ledger.size() > before)
  expect(await ledger.lost()).toEqual([])
})
