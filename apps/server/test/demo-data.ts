import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getToday } from '../src/today.ts'
import { disableDurability } from './database.ts'
import { findFreePort, getAdminUrl, killServer, readRow, startServerProcess, waitUntilReady } from './process.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DEMO_CACHE_FOLDER = join(ROOT, '.cache/demo')
const DEMO_SOURCES = ['apps/server/{src,content}/**', 'packages/*/src/**', 'package-lock.json']
/** Two minutes on two idle cores, much longer on a busy machine: it is aborted when no progress is made. */
const FILL_TIMEOUT_MS = 900_000
const POLL_INTERVAL_MS = 500

/** A hash of what the demo is made from, including dates, which are relative to the day it is made. */
function computeDemoKey(): string {
  const hash = createHash('sha256').update(getToday())
  const files = globSync(DEMO_SOURCES, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => join(parentPath, name))
  for (const file of files.sort()) hash.update(`${file.slice(ROOT.length)}\0`).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/** True when no job waits or runs after the last step of filling; `made` grows until then. */
const FILL_STATE_SQL = `select exists (select from sync_tasks)
  and not exists (select from sync_tasks where finished_at is null)
  and not exists (select from jobs.job where state in ('created', 'retry', 'active') and name not like '\\_\\_pgboss%') as rest,
  (select count(*) from allocation_runs) + (select count(*) from invoices)
    + (select count(*) from sync_windows where finished_at is not null) as made,
  exists (select from invoices where kind in ('creditNote', 'complement')) as regularised`

async function fillDemo(dataDir: string) {
  const server = startServerProcess(dataDir, await findFreePort(), { ENEDIS_QUOTAS: 'off' })
  try {
    await waitUntilReady(server, FILL_TIMEOUT_MS)
    await disableDurability(await getAdminUrl(dataDir))
    let last = { made: '', at: Date.now() }
    for (;;) {
      const { rest, made, regularised } = await readRow(dataDir, FILL_STATE_SQL, [])
      if (rest && !regularised) throw new Error('what the distributor says differently was not regularised')
      if (rest) return
      if (made !== last.made) last = { made, at: Date.now() }
      if (server.child.exitCode !== null || Date.now() > last.at + FILL_TIMEOUT_MS)
        throw new Error(`the demo is not filled:\n${server.output()}`)
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
    }
  } finally {
    await killServer(server, 'SIGTERM')
  }
}

/** With owners and access rights, which PostgreSQL requires. */
const copyFolder = (from: string, to: string) => execFileSync('cp', ['-Rp', `${from}/.`, to])

/** A folder that an unprivileged account can reach: started by root, PostgreSQL runs under another account. */
export function makeTempFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), name))
  chmodSync(folder, 0o755)
  return folder
}

async function makeDemo(kept: string) {
  const [data, draft] = [makeTempFolder('voisol-demo-'), `${kept}.${process.pid}`]
  try {
    await fillDemo(data)
    mkdirSync(draft, { recursive: true })
    copyFolder(data, draft)
    // If another process was quicker, its folder is used.
    if (!existsSync(kept)) renameSync(draft, kept)
  } finally {
    for (const folder of [data, draft]) rmSync(folder, { recursive: true, force: true })
  }
}

/** The complete demo, made once for these sources and this day. */
export async function ensureDemoFolder(): Promise<string> {
  const key = computeDemoKey()
  const kept = join(DEMO_CACHE_FOLDER, key)
  if (!existsSync(kept)) {
    mkdirSync(DEMO_CACHE_FOLDER, { recursive: true })
    for (const old of readdirSync(DEMO_CACHE_FOLDER))
      if (!old.startsWith(key)) rmSync(join(DEMO_CACHE_FOLDER, old), { recursive: true })
    await makeDemo(kept)
  }
  return kept
}

/** Copies it into an empty data folder. */
export async function copyDemoTo(dataDir: string) {
  copyFolder(await ensureDemoFolder(), dataDir)
}
