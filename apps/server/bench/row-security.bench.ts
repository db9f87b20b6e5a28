import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { buildApp } from '../src/app.ts'
import type { loadConfig } from '../src/config.ts'
import { openDatabase } from '../src/db/client.ts'
import { companies, memberships, sessions, users } from '../src/db/schema/index.ts'
import { type Deps, openDeps } from '../src/deps.ts'
import { createLogger } from '../src/http/logging.ts'
import { startQueue, stopQueue } from '../src/jobs/queue.ts'
import { jobs } from '../src/jobs/registry.ts'
import { generateToken, sha256 } from '../src/secrets.ts'
import { createBench } from './bench-installation.ts'
import { findPostmaster, pickSize, readPostgresMicroseconds } from './measure.ts'
import type { Write, Writes } from './write-worker.ts'

/** What the wall may cost of a write's processor time, server and PostgreSQL together. */
const MOST = 10
const ROUNDS = pickSize(10, 1)
const WRITES = pickSize(100, 2)
/** One that writes little beside its audit entry, and one that writes a record and reads it again. */
const KINDS: Record<string, Write> = {
  'une préférence': {
    method: 'PUT',
    path: '/api/notifications/preferences',
    body: { items: [{ category: 'account', channel: 'mail', enabled: false }] },
  },
  'un projet': { method: 'POST', path: '/api/projects', body: { name: 'Mesure', kind: 'coownership' } },
}

async function signedIn({ db }: Deps): Promise<string> {
  const token = generateToken()
  const [company] = await db.insert(companies).values({ name: 'Mesure' }).returning()
  const [user] = await db
    .insert(users)
    .values({ email: 'mesure@exemple.fr', firstName: 'Ada', lastName: 'M' })
    .returning()
  if (!company || !user) throw new Error('nobody to measure with')
  const ids = { companyId: company.id, userId: user.id }
  await db.insert(memberships).values({ ...ids, role: 'admin', acceptedAt: new Date() })
  const hashes = { tokenHash: sha256(token), refreshHash: sha256(generateToken()) }
  await db.insert(sessions).values({ ...ids, ...hashes, ip: '127.0.0.1', userAgent: 'bench' })
  return token
}

/** Nobody says for which company they write, as it was before the wall. */
function silent(pool: pg.Pool) {
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown // any of its forms
  pool.on('connect', (client) => {
    const asBefore = (text: unknown) => (typeof text === 'string' ? text.replace(/^begin;.*/, 'begin') : text)
    const quiet = (text: unknown, ...rest: unknown[]) => query.call(client, asBefore(text), ...rest)
    client.query = quiet as typeof client.query // hands on what it was given
  })
}

const { closers, config, open } = createBench()

async function serve(
  config: ReturnType<typeof loadConfig>,
  url: string,
  wall: boolean,
): Promise<{ app: FastifyInstance; deps: Deps; port: number }> {
  const { deps, close } = openDeps(config, url, createLogger('warn'))
  closers.add(close)
  if (!wall) silent(deps.db.$client as pg.Pool) // just opened
  const queue = await startQueue(deps, url, jobs, false)
  closers.add(() => stopQueue(queue))
  const app = await buildApp(deps)
  closers.add(() => app.close())
  return { app, deps, port: Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port) }
}

/** Microseconds of processor per write. */
async function measure(what: Write, port: number, token: string, pid: number): Promise<number> {
  const workerData: Writes = { ...what, port, token, count: WRITES }
  const before = [process.threadCpuUsage(), readPostgresMicroseconds(pid)] as const
  await once(new Worker(new URL('./write-worker.ts', import.meta.url), { workerData }), 'message')
  const { user, system } = process.threadCpuUsage(before[0])
  return (user + system + readPostgresMicroseconds(pid) - before[1]) / WRITES
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const number = (value: number) => new Intl.NumberFormat('fr-FR').format(Math.round(value)).padStart(7)

try {
  const installation = await open()
  const postmaster = await findPostmaster(installation.deps.db)
  const owner = openDatabase(installation.ownerUrl, 1)
  closers.add(() => owner.$client.end())
  const { rows } = await owner.$client.query('select relname as name from pg_class where relrowsecurity')
  const turn = async (how: 'enable' | 'disable') => {
    for (const { name } of rows) await owner.$client.query(`alter table ${name} ${how} row level security`)
  }
  // Without waiting for the disk: it is no processor's time.
  const url = `${installation.url}${installation.url.includes('?') ? '&' : '?'}options=${encodeURIComponent('-c synchronous_commit=off')}`
  const sides = { without: await serve(config, url, false), with: await serve(config, url, true) }
  const token = await signedIn(sides.with.deps)
  const rounds = Object.entries(KINDS).map(([name, what]) => ({
    name,
    what,
    without: [] as number[],
    with: [] as number[],
  }))
  for (let round = 0; round <= ROUNDS; round++)
    // Turn by turn, so that a noisy moment of the machine falls on both.
    for (const side of round % 2 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
      await turn(side === 'with' ? 'enable' : 'disable')
      for (const kind of rounds) {
        const cost = () => measure(kind.what, sides[side].port, token, postmaster)
        // The first lot plans its statements again.
        await cost()
        const spent = await cost()
        if (round > 0) kind[side].push(spent)
      }
    }
  for (const { name, without, with: walled } of rounds) {
    const more = (median(walled.map((cost, round) => cost / (without[round] ?? 1))) - 1) * 100
    const percent = `${more.toFixed(1).replace('.', ',')} %`.padStart(8)
    console.log(
      `  ${name.padEnd(16)}${number(median(without))} µs sans le mur,${number(median(walled))} µs avec :${percent}  (objectif : ${MOST} % au plus)`,
    )
  }
} finally {
  await closers.close()
}
