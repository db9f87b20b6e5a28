import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { recordTableDistribution } from '../src/db/citus.ts'
import { openDeps } from '../src/deps.ts'
import { startQueue, stopQueue } from '../src/jobs/queue.ts'
import { jobs } from '../src/jobs/registry.ts'
import { prepareDatabase } from '../src/prepare-database.ts'
import type { TestServer } from './client.ts'
import { getNodeArgs } from './process.ts'
import type { SuiteDatabase } from './suite-database.ts'
import { waitUntil } from './wait.ts'

const START_TIMEOUT_MS = 240_000

/** What a server needs to work on a database of its own and in this folder. */
export const environmentOf = (folder: string, smtpUrl: string, secretKey: string, port: number) => ({
  NODE_ENV: 'test',
  DATA_DIR: join(folder, 'data'),
  PORT: String(port),
  SMTP_URL: smtpUrl,
  SECRET_KEY: secretKey,
  LOG_LEVEL: 'error',
  WEB: 'off',
  COMPUTE_THREADS: '1',
})

/** Migrates the database and fills it by a server in this process, then leaves it to the servers that are killed on it. */
export async function fillDatabase<T>(
  postgres: SuiteDatabase,
  env: Record<string, string>,
  fill: (server: TestServer) => Promise<T>,
): Promise<T> {
  const { deps, close } = openDeps(loadConfig(env), postgres.url, pino({ level: 'silent' }))
  await prepareDatabase(deps.db, postgres)
  await recordTableDistribution(deps.db, deps.aside)
  const queue = await startQueue(deps, postgres.url, jobs, true)
  const app = await buildApp(deps)
  try {
    await app.ready()
    return await fill({ app, deps, db: deps.db } as unknown as TestServer) // all that the factories use
  } finally {
    await app.close()
    await stopQueue(queue)
    await close()
  }
}

/** Server processes on this database, one after the other; each is ready when it is returned. */
export function createLauncher(url: string, env: Record<string, string>) {
  const started: ChildProcess[] = []
  let output = ''
  const start = async () => {
    const child = spawn(process.execPath, getNodeArgs(join(import.meta.dirname, 'server-victim.ts'), url), {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    started.push(child)
    child.stdout.on('data', (text) => (output += text))
    await waitUntil(() => {
      if (child.exitCode !== null) throw new Error(`the server left:\n${output}`)
      return output.split('listening').length > started.length
    }, START_TIMEOUT_MS)
    return child
  }
  const kill = async (child: ChildProcess) => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  const killAll = () => Promise.all(started.map(kill))
  return { start, kill, killAll, output: () => output }
}

/** Each kill adds a start, on a machine that does other things as well. */
export const scaleByKills = (ms: number, kills: number): number => ms + kills * 120_000

/** The number of kills of a suite: given by `npm run soak`, or twenty when all tests run. */
export const getKillCount = (few: number): number => Number(process.env.SOAK_KILLS ?? (process.env.TEST_ALL ? 20 : few))
