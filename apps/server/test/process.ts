import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SUPERUSER } from '../src/db/embedded-connection.ts'
import { layoutOf } from '../src/db/embedded-layout.ts'
import { queryAs } from './database.ts'

const SOURCE = join(import.meta.dirname, '../src')

export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address ? address.port : 0
}

/** What Node is given to run a file of ours: as an operator's start, it looks once for where a package is. */
export const program = (file: string, ...args: string[]) => ['--import', resolveOnce(SOURCE), file, ...args]
const resolveOnce = (source: string) => pathToFileURL(join(source, 'resolve-once.ts')).href

export type Running = { child: ChildProcess; base: string; output: () => string; exit: Promise<number | null> }

type OnCluster = { url: string; ownerUrl: string; adminUrl: string }
/** The database of this folder's server where `cluster-setup.ts` made one; elsewhere it brings its own. */
export const onCluster = (dataDir: string): OnCluster | undefined =>
  JSON.parse(process.env.TEST_CLUSTER ?? '{}')[basename(dataDir)]

/** The real program, as an operator starts it; of another version where its source is given. */
export function launch(dataDir: string, port: number, env: Record<string, string> = {}, source = SOURCE): Running {
  const { PATH = '', LD_LIBRARY_PATH = '', TMPDIR = '', NODE_COMPILE_CACHE = '' } = process.env
  const there = onCluster(dataDir)
  const child = spawn(process.execPath, ['--import', resolveOnce(source), join(source, 'main.ts')], {
    env: {
      PATH,
      LD_LIBRARY_PATH,
      TMPDIR,
      NODE_COMPILE_CACHE,
      DATA_DIR: dataDir,
      PORT: String(port),
      WEB: 'off',
      LOG_LEVEL: 'error',
      ...(there && { DATABASE_URL: there.url, DATABASE_OWNER_URL: there.ownerUrl }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  const exit = once(child, 'exit').then(([code]) => code as number | null) // the first argument of the event
  return { child, base: `http://127.0.0.1:${port}`, output: () => text, exit }
}

export const ask = (url: string, init: RequestInit = {}) => fetch(url, { signal: AbortSignal.timeout(8000), ...init })

// biome-ignore lint/suspicious/noExplicitAny: a test reads what the server really sent
export const bodyOf = (answer: Response): Promise<any> => answer.json()

/** Milliseconds until /readyz says yes. */
export async function ready(server: Running, patience = 180_000): Promise<number> {
  const from = Date.now()
  while (Date.now() - from < patience) {
    if (server.child.exitCode !== null) throw new Error(`the server left:\n${server.output()}`)
    const answer = await ask(`${server.base}/readyz`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) return Date.now() - from
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`not ready after ${patience} ms:\n${server.output()}`)
}

/** What a start takes on two cores left alone. */
const START_MS = 5000

/**
 * A limit in milliseconds as this machine can keep it: by so much more as the start just measured took longer than on one
 * left alone. The clock by itself would measure the neighbours.
 */
export const allowed = (limit: number, start: number) => limit * Math.max(1, start / START_MS)

export async function kill(server: Running, signal: NodeJS.Signals) {
  server.child.kill(signal)
  return server.exit
}

/** The number and the socket folder of the PostgreSQL that serves this data folder. */
export async function postmaster(dataDir: string) {
  const { cluster } = await layoutOf(join(dataDir, 'postgres'))
  const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  return { pid: Number(lines[0]), socket: lines[4] ?? '' }
}

export const databaseUrl = async (dataDir: string) =>
  onCluster(dataDir)?.adminUrl ??
  `postgres://${SUPERUSER}@/voisol?host=${encodeURIComponent((await postmaster(dataDir)).socket)}`

/** Twenty seconds in which a killed server gave no sign of life; `npm run test:all` waits them out. */
export async function missed(dataDir: string) {
  if (process.env.TEST_ALL) return
  const passed = "update jobs.job set heartbeat_on = heartbeat_on - interval '20 s' where state = 'active'"
  await queryAs(await databaseUrl(dataDir), passed)
}

/** One row of a server's own database, read beside it. */
export async function readRow(dataDir: string, query: string, values: unknown[]) {
  const { rows } = await queryAs(await databaseUrl(dataDir), query, values)
  return rows[0]
}
