import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import Fastify, { type FastifyInstance } from 'fastify'
import { buildApp } from '../src/app.ts'
import { companies, memberships, sessions, users } from '../src/db/schema/index.ts'
import type { Deps } from '../src/deps.ts'
import { generateToken, sha256 } from '../src/secrets.ts'
import { createBench } from './bench-installation.ts'
import type { Load } from './load-worker.ts'
import { pickSize } from './measure.ts'

const TARGET = 2000
const CONNECTIONS = 32
const ROUNDS = pickSize(3, 1)
const ROUND_MS = pickSize(3000, 50)

async function signedIn({ db }: Deps): Promise<string> {
  const token = generateToken()
  const [company] = await db.insert(companies).values({ name: 'Mesure' }).returning()
  const person = { email: 'mesure@exemple.fr', firstName: 'Ada', lastName: 'Mesure' }
  const [user] = await db.insert(users).values(person).returning()
  if (!company || !user) throw new Error('nobody to measure with')
  const ids = { companyId: company.id, userId: user.id }
  await db.insert(memberships).values({ ...ids, role: 'admin', acceptedAt: new Date() })
  const hashes = { tokenHash: sha256(token), refreshHash: sha256(generateToken()) }
  await db.insert(sessions).values({ ...ids, ...hashes, ip: '127.0.0.1', userAgent: 'bench' })
  return token
}

type Rate = { perSecond: number; cpu: number }

/** Requests per second, and the time each costs the server's own thread: the second holds on a busy machine too. */
async function load(workerData: Load): Promise<Rate> {
  const worker = new Worker(new URL('./load-worker.ts', import.meta.url), { workerData })
  const before = process.threadCpuUsage()
  const [perSecond] = await once(worker, 'message')
  const { user, system } = process.threadCpuUsage(before)
  return { perSecond, cpu: (user + system) / (perSecond * (workerData.milliseconds / 1000)) }
}

const portOf = async (app: FastifyInstance) => Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)

const number = (value: number) => new Intl.NumberFormat('fr-FR').format(Math.round(value)).padStart(8)
const show = (name: string, { perSecond, cpu }: Rate) =>
  console.log(`  ${name.padEnd(20)}${number(perSecond)} requêtes/s  ${number(cpu)} µs de processeur chacune`)

const { closers, open } = createBench({ LOG_LEVEL: process.argv[2] ?? 'warn' })
try {
  const { deps } = await open()
  const token = await signedIn(deps)
  const app = await buildApp(deps)
  closers.add(() => app.close())
  const bare = Fastify().get('/', async () => ({ ok: true }))
  closers.add(() => bare.close())
  const targets = {
    bare: { port: await portOf(bare), path: '/' },
    me: { port: await portOf(app), path: '/api/auth/me' },
  }
  const none = { perSecond: 0, cpu: 0 }
  const best = { bare: none, me: none }
  // Turn by turn, so that a noisy moment of the machine falls on both.
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of ['bare', 'me'] as const) {
      const rate = await load({ ...targets[name], token, connections: CONNECTIONS, milliseconds: ROUND_MS })
      if (round > 0 && rate.perSecond > best[name].perSecond) best[name] = rate
    }
  show('Fastify nu', best.bare)
  show('GET /api/auth/me', best.me)
  const ratio = (best.me.perSecond / best.bare.perSecond).toFixed(2).replace('.', ',')
  console.log(`  rapport             ${ratio.padStart(8)}  (objectif : ${TARGET} requêtes/s)`)
} finally {
  await closers.close()
}
