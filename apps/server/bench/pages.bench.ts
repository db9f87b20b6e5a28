import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import Fastify, { type FastifyInstance } from 'fastify'
import { buildApp } from '../src/app.ts'
import { incrementSiteRevision } from '../src/core/site-owner.ts'
import { createBench } from './bench-installation.ts'
import { pickSize } from './measure.ts'
import type { Pace } from './steady-load-worker.ts'

const TARGET_MS = 50
const PER_SECOND = pickSize(100, 50)
const SECONDS = pickSize(4, 1)
const ROUNDS = pickSize(3, 1)
/** An editor at work: what is kept is held against the database this often. */
const PUBLISH_MS = 2000

const portOf = async (app: FastifyInstance) => Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
const part = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0

async function measure(workerData: Pace): Promise<number[]> {
  const worker = new Worker(new URL('./steady-load-worker.ts', import.meta.url), { workerData })
  const [times] = await once(worker, 'message')
  return times.sort((a: number, b: number) => a - b)
}

type Target = Pick<Pace, 'port' | 'paths'>

/** Turn by turn, so that a noisy moment of the machine falls on all; the first turn warms them up. */
async function rounds<Name extends string>(targets: Record<Name, Target>): Promise<Record<Name, number[]>> {
  const best = {} as Record<Name, number[]> // filled in the first counted turn
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of Object.keys(targets) as Name[]) {
      const times = await measure({ ...targets[name], perSecond: PER_SECOND, seconds: SECONDS })
      if (round > 0 && (!best[name] || part(times, 0.95) < part(best[name], 0.95))) best[name] = times
    }
  return best
}

const number = (value: number, digits = 1) =>
  new Intl.NumberFormat('fr-FR', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)

function show(name: string, times: number[], bare: number[]) {
  const of = (share: number) => {
    const ratio = part(times, share) / part(bare, share)
    return `${number(part(times, share)).padStart(7)} ms (× ${number(ratio)})`
  }
  console.log(`  ${name.padEnd(40)}p50 ${of(0.5)}  p95 ${of(0.95)}`)
}

const { closers, open } = createBench({ WEB: 'on' })
try {
  const { deps } = await open()
  const app = await buildApp(deps)
  closers.add(() => app.close())
  const bare = Fastify().get('/', async (_, reply) => reply.type('text/html').send('x'.repeat(30_000)))
  closers.add(() => bare.close())
  const port = await portOf(app)
  const pages = app.web?.sitePages.map(({ path }) => path).filter((path) => path !== '/status') ?? []
  const targets = {
    bare: { port: await portOf(bare), paths: ['/'] },
    home: { port, paths: ['/'] },
    all: { port, paths: pages },
  }
  const calm = await rounds(targets)
  const editor = setInterval(() => void incrementSiteRevision(deps.db), PUBLISH_MS)
  const busy = await rounds({ all: targets.all })
  clearInterval(editor)
  show('Fastify nu, 30 ko', calm.bare, calm.bare)
  show('accueil', calm.home, calm.bare)
  show(`${pages.length} pages`, calm.all, calm.bare)
  show(`${pages.length} pages, publication toutes les 2 s`, busy.all, calm.bare)
  console.log(`  ${PER_SECOND} requêtes/s  (objectif : p95 ${TARGET_MS} ms)`)
} finally {
  await closers.close()
}
