import { analytics } from '@voisol/contract/analytics'
import { curves } from '@voisol/contract/curves'
import { energy } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { participants } from '@voisol/contract/participants'
import { points as pointCalls } from '@voisol/contract/points'
import { search } from '@voisol/contract/search'
import { sql } from 'drizzle-orm'
import { buildApp } from '../src/app.ts'
import { fill, MONTH } from './analytics-data.ts'
import { createBench } from './bench-installation.ts'
import { signedIn } from './bench-session.ts'
import { findPostmaster, measureCpu, pickSize } from './measure.ts'

/** What a screen costs as the company grows: the same calls at a hundred, a thousand and ten thousand points. */
const SIZES = (process.env.POINTS ?? pickSize('100,1000,10000', '8')).split(',').map(Number)
const ROUNDS = Number(process.env.ROUNDS ?? pickSize(20, 1))
const CALLS = process.env.CALLS ?? ''
/** Ten thousand points are three hundred operations. */
const POINTS_OF_ONE = 33
const SCREEN_MS = 150
const CHART_MS = 300
const FIVE_MONTHS = { from: '2026-06-01', to: '2026-11-01' }

type Call = { name: string; path: string; query?: Record<string, string>; most?: number }
type Cost = { worst: number; work: number }

function callsFor(operationId: string): Call[] {
  const chart = { most: CHART_MS, path: energy.series.path }
  const width = '1100'
  const quarter = '15min'
  return [
    { name: 'tableau de bord, opérations', path: energy.operations.path, query: MONTH, most: SCREEN_MS },
    { name: 'ce qui demande attention', path: energy.attention.path, most: SCREEN_MS },
    { name: 'bilan de l’organisation, mois', path: energy.summary.path, query: MONTH, most: SCREEN_MS },
    { name: 'liste des opérations', path: operations.list.path, most: SCREEN_MS },
    { name: 'liste des participants', path: participants.list.path, most: SCREEN_MS },
    { name: 'liste des points', path: pointCalls.list.path, most: SCREEN_MS },
    { name: 'énergie par membre, une page', path: energy.members.path, query: MONTH, most: SCREEN_MS },
    {
      name: 'la même, membre au plus d’énergie locale d’abord',
      path: energy.members.path,
      query: { ...MONTH, sort: '-local' },
      most: SCREEN_MS,
    },
    { name: 'complétude d’une opération', path: curves.matrix.path, query: { ...MONTH, operationId }, most: SCREEN_MS },
    { name: 'recherche', path: search.find.path, query: { q: 'membre 42' }, most: SCREEN_MS },
    {
      ...chart,
      name: 'courbe au quart d’heure, une opération, mois',
      query: { ...MONTH, operationId, granularity: quarter },
    },
    {
      ...chart,
      name: 'la même, organisation, 5 mois, 1 100 pixels',
      query: { ...FIVE_MONTHS, granularity: quarter, width },
    },
    { ...chart, name: 'par mois, organisation, 5 mois', query: { ...FIVE_MONTHS, granularity: 'month' } },
    { name: 'analyses, courbe, 5 mois', path: analytics.chart.path, query: { ...FIVE_MONTHS, width }, most: CHART_MS },
    {
      name: 'au quart d’heure, organisation, 5 mois, entière',
      path: energy.series.path,
      query: { ...FIVE_MONTHS, granularity: quarter },
    },
    { name: 'export des participants', path: participants.export.path },
    { name: 'export de l’énergie par membre, mois', path: energy.membersExport.path, query: MONTH },
    {
      name: 'export des courbes, organisation, mois',
      path: energy.export.path,
      query: { ...MONTH, granularity: quarter },
    },
  ]
}

const number = (value: number, digits = 0) =>
  new Intl.NumberFormat('fr-FR', { maximumFractionDigits: digits }).format(value)

const { closers, open } = createBench()
try {
  const { deps, tidy } = await open()
  const app = await buildApp(deps)
  closers.add(() => app.close())
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const postmaster = await findPostmaster(deps.db)
  const companies = new Map<number, number>()
  for (const size of SIZES) companies.set(size, await fill(deps.db, size, tidy, POINTS_OF_ONE))
  await tidy()
  const costs = new Map<string, Cost[]>()
  for (const [size, companyId] of companies) {
    const token = await signedIn(deps.db, companyId)
    const { rows } = await deps.db.execute<{ id: string }>(
      sql`select id from operations where company_id = ${companyId} order by name limit 1`,
    )
    for (const { name, path, query } of callsFor(rows[0]?.id ?? '').filter((call) => call.name.includes(CALLS))) {
      const ask = async () => {
        const from = performance.now()
        const answer = await fetch(`${address}${path}?${new URLSearchParams(query)}`, {
          headers: { authorization: `Bearer ${token}` },
        })
        const text = await answer.text()
        if (!answer.ok) throw new Error(`${name}, ${size} points: ${answer.status} ${text.slice(0, 300)}`)
        return performance.now() - from
      }
      await ask()
      const times: number[] = []
      const spent = await measureCpu(postmaster, async () => {
        for (let round = 0; round < ROUNDS; round++) times.push(await ask())
      })
      const worst = times.sort((a, b) => a - b)[Math.ceil(ROUNDS * 0.95) - 1] ?? 0
      costs.set(name, [...(costs.get(name) ?? []), { worst, work: (spent.server + spent.postgres) / ROUNDS }])
    }
  }
  console.log(`| Appel | ${SIZES.map((size) => `${number(size)} points`).join(' | ')} | Rapport | Objectif |`)
  console.log(`|---|${SIZES.map(() => '---|').join('')}---|---|`)
  for (const { name, most } of callsFor('')) {
    const own = costs.get(name)
    if (!own) continue
    const cells = own.map(({ worst, work }) => `${number(worst)} ms (${number(work)})`)
    const ratio = (own.at(-1)?.work ?? 0) / (own[0]?.work ?? 1)
    console.log(`| ${name} | ${cells.join(' | ')} | × ${number(ratio, 1)} | ${most ? `≤ ${most} ms` : ''} |`)
  }
} finally {
  await closers.close()
}
