import { energy } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { participants } from '@voisol/contract/participants'
import { buildApp } from '../src/app.ts'
import { fill, MONTH } from './analytics-data.ts'
import { createBench } from './bench-installation.ts'
import { signedIn } from './bench-session.ts'
import { pickSize } from './measure.ts'
import { createAsker } from './timed-request.ts'

/** Many small companies read at once, alone and beside a large one that keeps several heavy reads going. */
const COMPANIES = Number(process.env.COMPANIES ?? pickSize(200, 2))
const LARGE = Number(process.env.POINTS ?? pickSize(10_000, 10))
const SMALL = 5
const ROUNDS = Number(process.env.ROUNDS ?? pickSize(5, 1))
/** Small companies that ask at the same time, and heavy reads under way. */
const AT_ONCE = 20
const HEAVY_AT_ONCE = pickSize(8, 1)
const READS = [
  operations.list.path,
  participants.list.path,
  `${energy.operations.path}?${new URLSearchParams(MONTH)}`,
  `${energy.summary.path}?${new URLSearchParams(MONTH)}`,
]
const HEAVY = [
  `${energy.membersExport.path}?${new URLSearchParams(MONTH)}`,
  participants.export.path,
  `${energy.series.path}?${new URLSearchParams({ from: '2026-06-01', to: '2026-11-01', granularity: '15min' })}`,
]

const number = (value: number) => new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 0 }).format(value)
const at = (sorted: number[], part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? 0

const { closers, open } = createBench()
try {
  const { deps, tidy } = await open()
  const app = await buildApp(deps)
  closers.add(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port to ask')
  const asker = (token: string) => createAsker(address.port, { authorization: `Bearer ${token}` })
  const large = asker(await signedIn(deps.db, await fill(deps.db, LARGE, tidy)))
  const small: ReturnType<typeof asker>[] = []
  // The large one has told the planner what it must know.
  const known = async () => {}
  for (let n = 0; n < COMPANIES; n++)
    small.push(asker(await signedIn(deps.db, await fill(deps.db, SMALL, known, SMALL))))
  await tidy()

  /** How long every read of every small company took, in order; the worst company by its own median beside them. */
  const readAll = async () => {
    const took = small.map((): number[] => [])
    const queue = Array.from({ length: ROUNDS }, () =>
      READS.flatMap((path) => small.map((_, n) => ({ n, path }))),
    ).flat()
    const reader = async () => {
      for (let next = queue.shift(); next; next = queue.shift())
        took[next.n]?.push((await small[next.n]?.ask(next.path)) ?? 0)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, reader))
    const all = took.flat().sort((a, b) => a - b)
    const medians = took.map((own) =>
      at(
        own.sort((a, b) => a - b),
        0.5,
      ),
    )
    return { half: at(all, 0.5), most: at(all, 0.95), worst: Math.max(...medians), best: Math.min(...medians) }
  }
  let stopped = false
  const heavy = async (first: number) => {
    for (let n = first; !stopped; n++) await large.ask(HEAVY[n % HEAVY.length] ?? '/')
  }
  await readAll()
  const alone = await readAll()
  const work = Array.from({ length: HEAVY_AT_ONCE }, (_, n) => heavy(n))
  const beside = await readAll()
  stopped = true
  await Promise.all(work)
  console.log(
    `  ${number(COMPANIES)} petites organisations, ${AT_ONCE} appels de front : médiane, p95, organisation la mieux et la moins bien servie`,
  )
  for (const [name, { half, most, best, worst }] of Object.entries({ seules: alone, 'à côté d’une grande': beside }))
    console.log(
      `  ${name.padEnd(22)}${[half, most, best, worst].map((value) => `${number(value)} ms`.padStart(10)).join('')}`,
    )
} finally {
  await closers.close()
}
