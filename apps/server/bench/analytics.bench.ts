import { analytics } from '@voisol/contract/analytics'
import { curves } from '@voisol/contract/curves'
import { energy } from '@voisol/contract/energy'
import { sql } from 'drizzle-orm'
import { buildApp } from '../src/app.ts'
import { fill, MONTH, YEARS } from './analytics-data.ts'
import { createBench } from './bench-installation.ts'
import { signedIn } from './bench-session.ts'
import { findPostmaster, measureCpu, pickSize } from './measure.ts'

const TARGET_MS = 300
const SIZES = (process.env.POINTS ?? pickSize('200,10000', '8')).split(',').map(Number)
/** `CALLS=heures` for those of that name alone. */
const CALLS = process.env.CALLS ?? ''
const ROUNDS = pickSize(7, 1)
const WIDTH = 1100

const DAY = { from: '2026-10-14', to: '2026-10-15' }
const WEEK = { from: '2026-10-12', to: '2026-10-19' }
const YEAR = { from: '2025-11-01', to: '2026-11-01' }
const ZOOMS = pickSize<Record<string, { from: string; to: string }>>(
  { jour: DAY, semaine: WEEK, mois: MONTH, année: YEAR, 'deux ans': YEARS },
  { 'deux ans': YEARS },
)

type Call = { name: string; path: string; query: Record<string, string>; drawn?: boolean }

/** Every drawing of /analytics and of the screens that read the same sums, at every zoom it has. */
function callsFor(operationId: string): Call[] {
  const each = (name: string, path: string, more: Record<string, string> = {}, drawn = false) =>
    Object.entries(ZOOMS).map(([zoom, period]) => ({
      name: `${name}, ${zoom}`,
      path,
      query: { ...period, ...more },
      drawn,
    }))
  const width = String(WIDTH)
  return [
    ...each('courbe', analytics.chart.path, { width }, true),
    ...each('explorateur d’une opération', energy.series.path, { operationId, width }, true),
    ...each('chiffres', energy.summary.path),
    ...each('opérations comparées', analytics.compare.path, { by: 'operations' }),
    ...each('mois comparés', analytics.compare.path, { by: 'months' }),
    ...each('membres comparés', analytics.compare.path, { by: 'members' }),
    ...each('groupes comparés', analytics.compare.path, { by: 'groups' }),
    {
      name: 'heures\u00a0: carte, monotone, boîtes, mois',
      path: analytics.shape.path,
      query: { ...MONTH, measure: 'consumed' },
    },
    {
      name: 'heures\u00a0: carte, monotone, boîtes, année',
      path: analytics.shape.path,
      query: { ...YEAR, measure: 'consumed' },
    },
    { name: 'complétude d’une opération, mois', path: curves.matrix.path, query: { ...MONTH, operationId } },
    { name: 'complétude d’une opération, année', path: curves.matrix.path, query: { ...YEAR, operationId } },
  ]
}

const times = (value: number) => new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 0 }).format(value)

const { closers, open } = createBench()
try {
  const { deps, tidy } = await open()
  const app = await buildApp(deps)
  closers.add(() => app.close())
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const postmaster = await findPostmaster(deps.db)
  for (const points of SIZES) {
    const companyId = await fill(deps.db, points, tidy)
    await tidy()
    const token = await signedIn(deps.db, companyId)
    const { rows } = await deps.db.execute<{ id: string }>(
      sql`select id from operations where company_id = ${companyId} order by name limit 1`,
    )
    console.log(
      `\n  ${times(points)} points : horloge (premier appel, médiane), processeur (serveur, PostgreSQL), points, ko`,
    )
    for (const { name, path, query, drawn } of callsFor(rows[0]?.id ?? '').filter((call) =>
      call.name.includes(CALLS),
    )) {
      const ask = async () => {
        const answer = await fetch(`${address}${path}?${new URLSearchParams(query)}`, {
          headers: { authorization: `Bearer ${token}` },
        })
        const text = await answer.text()
        if (!answer.ok) throw new Error(`${name}: ${answer.status} ${text.slice(0, 300)}`)
        return text
      }
      const clock = async () => {
        const from = performance.now()
        await ask()
        return performance.now() - from
      }
      const first = await clock()
      const later: number[] = []
      const spent = await measureCpu(postmaster, async () => {
        for (let n = 0; n < ROUNDS; n++) later.push(await clock())
      })
      const median = later.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
      const text = await ask()
      const count = drawn ? JSON.parse(text).starts.length : 0
      if (count > WIDTH) throw new Error(`${name}: ${count} points for ${WIDTH} pixels`)
      const work = (spent.server + spent.postgres) / ROUNDS
      const figures = [
        `${times(first)} ms`,
        `${times(median)} ms`,
        `${times(spent.server / ROUNDS)} + ${times(spent.postgres / ROUNDS)} ms`,
      ]
      const cells = [
        ...figures.map((cell) => cell.padStart(14)),
        (drawn ? times(count) : '').padStart(7),
        times(text.length / 1024).padStart(7),
      ]
      console.log(`  ${name.padEnd(46)}${cells.join('')}${work > TARGET_MS ? '  AU-DELÀ' : ''}`)
    }
  }
} finally {
  await closers.close()
}
