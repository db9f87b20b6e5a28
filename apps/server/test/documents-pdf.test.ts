import type { Block } from '@voisol/contract/prose'
import { buildApiDocsPdf } from '@voisol/documents/pdf/api-docs'
import { computeTicks } from '@voisol/documents/pdf/chart'
import { formatNumber, formatYears } from '@voisol/documents/pdf/pdf-number-formats'
import { buildWhitePaperPdf } from '@voisol/documents/pdf/prose-documents'
import type { SimulationReport } from '@voisol/documents/pdf/simulation-data'
import { buildSimulationPdf } from '@voisol/documents/pdf/simulation-report'
import { countPdfPages, extractPdfText } from '@voisol/documents/testing/pdf-text'
import { simulateProject } from '@voisol/energy/simulator'
import { describe, expect, test } from 'vitest'
import { buildEventDocs, getEndpointDocs } from '../src/features/admin/api-docs/endpoint-docs.ts'

const LARGEST = 300_000

const report = (more: Partial<SimulationReport> = {}): SimulationReport => ({
  createdAt: new Date('2026-06-15T10:00:00Z'),
  project: 'Copropriété résidentielle',
  place: 'Île-de-France',
  building: 'Existant',
  homes: 48,
  power: 72,
  consumption: 165_000,
  quick: simulateProject({ puissanceInstallee: 72, consommationAnnuelle: 165_000, nbLogements: 48 }),
  hourly: null,
  ...more,
})

describe('the simulation report', () => {
  test('gives the six figures, the formulas with their constants and twenty years', async () => {
    const pdf = await buildSimulationPdf(report())
    const text = extractPdfText(pdf).replaceAll('\u00a0', ' ')
    expect(pdf.length).toBeLessThan(LARGEST)
    expect([3, 4]).toContain(countPdfPages(pdf))
    for (const figure of ['79 200', '60,0', '7 129', '60 480', '8,5', '10 503']) expect(text).toContain(figure)
    for (const rule of ['1 100 kWh par kWc', '15 c€/kWh', '30 %', '50 000 €', '0,221 kg par kWh', '1 200 € par kWc'])
      expect(text).toContain(rule)
    for (const { bilan } of report().quick.projection)
      expect(text).toContain(formatNumber(bilan).replaceAll('\u202f', ' '))
    expect(text).toContain('remboursé en 8,5 ans')
    expect(text).toContain('Page 1 / ')
    expect(text).toContain('mis au vote')
  })

  test('missing inputs are stated, and no figure is missing or infinite', async () => {
    const nothing = { homes: 0, power: 0, consumption: 0, place: 'Non précisé', quick: simulateProject({}) }
    const text = extractPdfText(await buildSimulationPdf(report(nothing)))
    expect(text).toContain('Aucune puissance')
    expect(text).not.toMatch(/NaN|Infini|undefined|null|∞/)
  })

  test('is in French, titled, tagged, and draws no empty box', async () => {
    const pdf = await buildSimulationPdf(report())
    const raw = Buffer.from(pdf).toString('latin1')
    expect(raw).toContain('/Lang (fr-FR)')
    expect(raw).toContain('/MarkInfo')
    expect(raw).toMatch(/\/Title \(/)
    expect(raw.match(/\/FontFile2/g)?.length).toBeGreaterThan(2)
    expect(extractPdfText(pdf)).not.toMatch(/[□\u202f\0]/)
  })
})

const text = (words: string) => ({ kind: 'text', text: words }) as const
const paragraph = (words: string): Block => ({ kind: 'paragraph', children: [text(words)] })
const chapter = (id: string, title: string): Block => ({ kind: 'heading', level: 2, id, children: [text(title)] })
const LONG = 'L’énergie produite sur le toit est répartie entre les voisins. '.repeat(20)

const body: Block[] = [
  chapter('comprendre', 'Comprendre'),
  paragraph(LONG),
  { kind: 'list', ordered: true, items: [[paragraph('Réunir les voisins')], [paragraph('Choisir une clé')]] },
  { kind: 'figures', items: [{ figure: '2', unit: 'km', label: 'au plus' }] },
  {
    kind: 'table',
    align: ['start', 'end'],
    head: [[text('Poste')], [text('Prix')]],
    rows: [[[text('Accise')], [text('30,85\u00a0€')]]],
  },
  { kind: 'note', tone: 'warning', title: 'À retenir', blocks: [paragraph(LONG.repeat(4))] },
  { kind: 'steps', items: [{ title: 'Première étape', blocks: [paragraph('Écrire.')] }] },
  { kind: 'code', language: 'json', text: '{\n  "a": 1\n}' },
  { kind: 'quote', blocks: [paragraph('Un voisin')] },
  { kind: 'image', src: '/api/site-images/1', alt: 'Un toit', caption: '' },
  { kind: 'rule' },
  { kind: 'call', title: 'Un projet', text: 'Parlons-en.', label: 'Nous écrire', href: '/contact' },
  chapter('decider', 'Décider'),
  {
    kind: 'paragraph',
    children: [
      text('1\u202f234\u00a0kWh, CO₂, Łódź → ≤\u00a036\u00a0kVA 🙂 <script>alert(1)</script> '),
      { kind: 'link', href: 'javascript:alert(1)', children: [text('lien')] },
    ],
  },
]
const paper = {
  title: 'Partager le soleil',
  summary: 'De l’idée à la mise en service.',
  author: 'Voisol',
  publishedAt: new Date('2026-06-01T10:00:00Z'),
  body,
}

describe('a white paper', () => {
  test('has a cover, its chapters with their pages, its text and a last page', async () => {
    const pdf = await buildWhitePaperPdf({ ...paper, home: 'https://exemple.fr' })
    const words = extractPdfText(pdf)
    expect(pdf.length).toBeLessThan(LARGEST)
    for (const said of [
      'Partager le soleil',
      '1er juin 2026',
      'Sommaire Comprendre 3',
      'Réunir les voisins',
      'À retenir',
      'Parlons de votre projet',
      'exemple.fr/contact',
    ])
      expect(words).toContain(said)
    const pages = countPdfPages(pdf)
    expect(words).toContain(`Page ${pages} / ${pages}`)
    expect(Buffer.from(pdf).toString('latin1')).toContain('/URI (https://exemple.fr/contact)')
  })

  test('replaces characters missing in the fonts, and links only to web addresses', async () => {
    const pdf = await buildWhitePaperPdf(paper)
    const words = extractPdfText(pdf)
    expect(words).toMatch(/1\u00a0234\u00a0kWh, CO 2/)
    expect(words).toContain('au plus')
    expect(words).toContain('<script>alert(1)</script>')
    expect(words).not.toMatch(/[□\u202f🙂]/u)
    expect(Buffer.from(pdf).toString('latin1')).not.toContain('javascript')
  })

  test('a draft without chapters is still a document', async () => {
    const pdf = await buildWhitePaperPdf({ ...paper, publishedAt: null, body: [] })
    expect(extractPdfText(pdf)).toContain('Brouillon')
    expect(extractPdfText(pdf)).not.toContain('Sommaire')
  })
})

test('the API documentation contains every call and every event', async () => {
  const endpoints = getEndpointDocs()
  const pdf = await buildApiDocsPdf({ version: '1.2.3', home: '', endpoints, events: buildEventDocs() })
  const words = extractPdfText(pdf)
  expect(pdf.length).toBeLessThan(LARGEST)
  for (const { method, path, summary } of endpoints) {
    expect(words).toContain(`${method} ${path}`)
    expect(words).toContain(summary)
  }
  for (const { name, label, fields } of buildEventDocs()) {
    expect(words).toContain(name)
    expect(words).toContain(label)
    for (const { path } of fields) expect(words).toContain(path)
  }
  expect(words).not.toMatch(/[□\u202f]/)
})

describe('figures', () => {
  test('are written as in French', () => {
    expect(formatNumber(-1234.56, 1)).toBe('−1\u202f234,6')
    expect(formatNumber(-0.2)).toBe('0')
    expect(formatYears(1.5)).toBe('1,5\u00a0an')
    expect(formatYears(2)).toBe('2,0\u00a0ans')
  })
  test('ticks are round numbers, and span the values', () => {
    expect(computeTicks(-53_351, 82_101)).toEqual([-75_000, -50_000, -25_000, 0, 25_000, 50_000, 75_000, 100_000])
    expect(computeTicks(0, 1)[0]).toBe(0)
    expect(computeTicks(0, 0.013).at(-1)).toBeGreaterThanOrEqual(0.013)
  })
})
