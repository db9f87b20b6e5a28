import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { resolveClusterLayout, SUPERUSER_ROLE } from '../src/db/embedded-cluster.ts'
import { queryAs } from './database.ts'
import { getBundledProgram } from './programs.ts'

const SOURCE_FOLDER = join(import.meta.dirname, '../src')

export async function findFreePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address ? address.port : 0
}

/** Arguments of Node to run the bundle of one of our programs, with cached package resolution for its threads. */
export const getNodeArgs = (file: string, ...args: string[]) => [
  '--import',
  getResolveOnceUrl(SOURCE_FOLDER),
  getBundledProgram(file),
  ...args,
]
const getResolveOnceUrl = (source: string) => pathToFileURL(join(source, 'resolve-once.ts')).href

export type ServerProcess = { child: ChildProcess; base: string; output: () => string; exit: Promise<number | null> }

type ClusterDatabase = { url: string; ownerUrl: string; adminUrl: string }
/** The database that `cluster-setup.ts` made for this folder's server; without one the embedded database is used. */
export const findClusterDatabase = (dataDir: string): ClusterDatabase | undefined =>
  JSON.parse(process.env.TEST_CLUSTER ?? '{}')[basename(dataDir)]

/** The program, bundled; from its sources, as an operator starts it, where those of another version are given. */
export function startServerProcess(
  dataDir: string,
  port: number,
  env: Record<string, string> = {},
  source = SOURCE_FOLDER,
): ServerProcess {
  const { PATH = '', LD_LIBRARY_PATH = '', TMPDIR = '', NODE_COMPILE_CACHE = '' } = process.env
  const clusterDatabase = findClusterDatabase(dataDir)
  const program = join(source, 'main.ts')
  const args = source === SOURCE_FOLDER ? getNodeArgs(program) : ['--import', getResolveOnceUrl(source), program]
  const child = spawn(process.execPath, args, {
    env: {
      PATH,
      LD_LIBRARY_PATH,
      TMPDIR,
      NODE_COMPILE_CACHE,
      DATA_DIR: dataDir,
      PORT: String(port),
      WEB: 'off',
      LOG_LEVEL: 'error',
      ...(clusterDatabase && { DATABASE_URL: clusterDatabase.url, DATABASE_OWNER_URL: clusterDatabase.ownerUrl }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  const exit = once(child, 'exit').then(([code]) => code as number | null) // the first argument of the event
  return { child, base: `http://127.0.0.1:${port}`, output: () => text, exit }
}

/** As patient as a browser is, so that a busy machine does not look like a refusal. */
const REQUEST_TIMEOUT_MS = 60_000

export const fetchWithTimeout = (url: string, init: RequestInit = {}) =>
  fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS), ...init })

// biome-ignore lint/suspicious/noExplicitAny: a test reads what the server really sent
export const readJsonBody = (answer: Response): Promise<any> => answer.json()

/** Milliseconds until /readyz succeeds. */
export async function waitUntilReady(server: ServerProcess, timeoutMs = 600_000): Promise<number> {
  const from = Date.now()
  while (Date.now() - from < timeoutMs) {
    if (server.child.exitCode !== null) throw new Error(`the server left:\n${server.output()}`)
    const answer = await fetchWithTimeout(`${server.base}/readyz`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) return Date.now() - from
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`not ready after ${timeoutMs} ms:\n${server.output()}`)
}

/** Duration of a start of the bundled server on two idle cores. */
const TYPICAL_START_MS = 2500

/**
 * A time limit in milliseconds scaled to this machine: by how much longer the start just measured took than on an idle
 * one. Elapsed time alone would measure other load.
 */
export const scaleTimeLimit = (limit: number, start: number) => limit * Math.max(1, start / TYPICAL_START_MS)

export async function killServer(server: ServerProcess, signal: NodeJS.Signals) {
  server.child.kill(signal)
  return server.exit
}

/** Process id and socket folder of the PostgreSQL that serves this data folder. */
export async function readPostmaster(dataDir: string) {
  const { cluster } = await resolveClusterLayout(join(dataDir, 'postgres'))
  const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  return { pid: Number(lines[0]), socket: lines[4] ?? '' }
}

export const getAdminUrl = async (dataDir: string) =>
  findClusterDatabase(dataDir)?.adminUrl ??
  `postgres://${SUPERUSER_ROLE}@/voisol?host=${encodeURIComponent((await readPostmaster(dataDir)).socket)}`

/** Simulates the twenty seconds without a heartbeat after which the jobs of a killed server are taken over. */
export async function expireHeartbeats(dataDir: string) {
  const passed = "update jobs.job set heartbeat_on = heartbeat_on - interval '20 s' where state = 'active'"
  await queryAs(await getAdminUrl(dataDir), passed)
}

/** One row of a server's database, read on another connection. */
export async function readRow(dataDir: string, query: string, values: unknown[]) {
  const { rows } = await queryAs(await getAdminUrl(dataDir), query, values)
  return rows[0]
}
