import type { SimulationInput } from '@voisol/contract/simulator'
import { buildApiDocsPdf } from '@voisol/documents/pdf/api-docs'
import { buildWhitePaperPdf } from '@voisol/documents/pdf/prose-documents'
import { buildSimulationPdf } from '@voisol/documents/pdf/simulation-report'
import { buildEventDocs, getEndpointDocs } from '../src/features/admin/api-docs/endpoint-docs.ts'
import { estimateHourly } from '../src/features/site/simulator/hourly-estimate.ts'
import { buildSimulationReport } from '../src/features/site/simulator/simulation-report.ts'
import { pickSize } from './measure.ts'

/** None in a smoke round: the first, which warms up, has run everything. */
const ROUNDS = pickSize(10, 0)
const CHAPTERS = pickSize(60, 2)
const TARGET_MS = 300
const TARGET_BYTES = 300_000

const number = (value: number) => new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 }).format(value)
const show = (name: string, value: string, goal = '') =>
  console.log(`  ${name.padEnd(52)}${value.padStart(14)}${goal && `  (objectif : ${goal})`}`)

async function measure<T>(work: () => Promise<T>): Promise<{ time: number; result: T }> {
  let result = await work()
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now()
    result = await work()
    times.push(performance.now() - from)
  }
  return { time: times.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0, result }
}

async function document(name: string, work: () => Promise<Uint8Array>) {
  const { time, result } = await measure(work)
  show(`${name}, après le premier`, `${number(time)} ms`, `${TARGET_MS} ms`)
  show(`${name}, poids`, `${number(result.length / 1000)} ko`, `${TARGET_BYTES / 1000} ko`)
  if (result.length > TARGET_BYTES) throw new Error(`${name} is too heavy`)
}

const input: SimulationInput = {
  projectType: 'copropriete',
  location: 'paca',
  nbLogements: 48,
  puissanceInstallee: 72,
  consommationAnnuelle: 165_000,
  typeBatiment: 'existant',
}
const text = 'L’énergie produite sur le toit est répartie entre les voisins, pas de temps par pas de temps. '.repeat(8)
const chapters = Array.from({ length: CHAPTERS }, (_, at) => [
  {
    kind: 'heading' as const,
    level: 2 as const,
    id: `c${at}`,
    children: [{ kind: 'text' as const, text: `Chapitre ${at + 1}` }],
  },
  { kind: 'paragraph' as const, children: [{ kind: 'text' as const, text }] },
]).flat()

const from = performance.now()
await estimateHourly(input)
show('première estimation horaire d’une région', `${number(performance.now() - from)} ms`)
show('estimation horaire, ensuite', `${number((await measure(() => estimateHourly(input))).time)} ms`, '5 ms')
const data = await buildSimulationReport(input)
await document('rapport de simulation', () => buildSimulationPdf(data))
await document(`livre blanc de ${CHAPTERS} chapitres`, () =>
  buildWhitePaperPdf({ title: 'Mesure', summary: '', author: '', publishedAt: null, body: chapters }),
)
await document('documentation de l’API', () =>
  buildApiDocsPdf({ version: '0', home: '', endpoints: getEndpointDocs(), events: buildEventDocs() }),
)
