import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { buildApp } from '../src/app.ts'
import { apiKeys, companies, memberships, users } from '../src/db/schema/index.ts'
import type { Deps } from '../src/deps.ts'
import { generateApiKey } from '../src/http/api-key.ts'
import { sha256 } from '../src/secrets.ts'
import { createBench } from './bench-installation.ts'
import type { Load } from './load-worker.ts'
import { pickSize } from './measure.ts'

/** What counting may cost of a call's processor time, in percent. */
const MOST = 5
const ROUNDS = pickSize(9, 1)
const ROUND_MS = pickSize(2000, 50)

async function keyOf({ db }: Deps): Promise<string> {
  const [company] = await db.insert(companies).values({ name: 'Mesure' }).returning()
  const [user] = await db
    .insert(users)
    .values({ email: 'mesure@exemple.fr', firstName: 'Ada', lastName: 'M' })
    .returning()
  if (!company || !user) throw new Error('nobody to measure with')
  await db.insert(memberships).values({ companyId: company.id, userId: user.id, role: 'admin', acceptedAt: new Date() })
  const { key, prefix } = generateApiKey(company.id)
  const own = { companyId: company.id, makerId: user.id, name: 'Mesure', prefix, keyHash: sha256(key) }
  await db.insert(apiKeys).values({ ...own, permissions: ['operations.read'] })
  return key
}

/** Microseconds of the server's own thread per call; what the sums cost when they are written is among it. */
async function cost(workerData: Load): Promise<number> {
  const before = process.threadCpuUsage()
  const [perSecond] = await once(new Worker(new URL('./load-worker.ts', import.meta.url), { workerData }), 'message')
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / (perSecond * (workerData.milliseconds / 1000))
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const number = (value: number) => new Intl.NumberFormat('fr-FR').format(Math.round(value)).padStart(7)

const { closers, open } = createBench()
try {
  const { deps } = await open()
  const token = await keyOf(deps)
  const app = await buildApp(deps)
  closers.add(() => app.close())
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  const load = { port, path: '/api/acc-operations', token, connections: 8, milliseconds: ROUND_MS }
  const spent = { without: [] as number[], with: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++)
    // Turn by turn, so that a noisy moment of the machine falls on both.
    for (const side of round % 2 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
      app.gateway.counting = side === 'with'
      const each = await cost(load)
      await app.gateway.flush()
      if (round > 0) spent[side].push(each)
    }
  const more = (median(spent.with.map((each, round) => each / (spent.without[round] ?? 1))) - 1) * 100
  const percent = `${more.toFixed(1).replace('.', ',')} %`
  console.log(
    `  un appel d’une clé${number(median(spent.without))} µs sans compter,${number(median(spent.with))} µs en comptant : ${percent}  (objectif : ${MOST} % au plus)`,
  )
} finally {
  await closers.close()
}
