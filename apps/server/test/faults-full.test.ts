import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../src/db/client.ts'
import { NO_SPACE_MESSAGES } from '../src/disk-monitor.ts'
import { startAcknowledgedWriter } from './acknowledged-writer.ts'
import { makeUser } from './factories.ts'
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

/** A small disk that can be filled; only root can make one. */
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
let server: ServerProcess | undefined
afterAll(async () => {
  if (server?.child.exitCode === null) await killServer(server, 'SIGTERM')
  if (!disk) return
  execFileSync('umount', ['-l', disk])
  rmSync(disk, { recursive: true, force: true })
})

const free = (folder: string) => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

test.skipIf(!disk)('F12: a full disk is said, loses nothing, and heals by itself', async () => {
  const folder = disk ?? ''
  const port = await findFreePort()
  const running = startServerProcess(folder, port, { DEMO: 'off' })
  server = running
  await waitUntilReady(running)
  const db = openDatabase(await getAdminUrl(folder), 1)
  const { token } = await makeUser(db)
  await db.$client.end()
  const ledger = startAcknowledgedWriter(running.base, token, () => getAdminUrl(folder))
  await waitUntil(() => ledger.size() > 5)
  const filler = join(folder, 'filler')
  writeFileSync(filler, Buffer.alloc(free(folder) - 8 * 1024 * 1024))
  const reasons = async () => {
    const answer = await fetchWithTimeout(`${running.base}/readyz`).catch(() => undefined)
    return answer?.status === 503 ? String((await readJsonBody(answer)).reasons) : ''
  }
  await waitUntil(async () => (await reasons()).includes(NO_SPACE_MESSAGES.disk))
  // The rest is filled too: PostgreSQL may even stop.
  expect(() => writeFileSync(join(folder, 'crumbs'), Buffer.alloc(16 * 1024 * 1024))).toThrow('ENOSPC')
  const seen = new Set<number>()
  for (let n = 0; n < 200; n++) {
    const answer = await fetchWithTimeout(`${running.base}/api/notifications/preferences`, {
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
  await waitUntilReady(running)
  await waitUntil(() => ledger.size() > before)
  expect(await ledger.lost()).toEqual([])
})
