import { setImmediate } from 'node:timers/promises'
import type { DocEndpoint, DocTab } from '@voisol/contract/api-docs'
import { drawBullets, drawHeading, drawOpening, drawParagraph } from './blocks.ts'
import { addPage, closePdf, ensureSpace, openPdf, type PdfWriter } from './document.ts'
import { formatLongDate } from './pdf-number-formats.ts'
import { drawCodeBlock } from './prose.ts'
import { COLOURS } from './style.ts'
import { drawTable } from './table.ts'
import { parseBoldMarkup, type RichText, TEXT_STYLES, type TextRun, toBold } from './text.ts'

type ApiDocsPdfInput = {
  version: string /** Address of the installation, empty if unknown. */
  home: string
  endpoints: DocEndpoint[]
  events: DocEvent[]
}

const TITLE = 'Documentation de l’API'
const API_DOC_TABS: Record<DocTab, string> = {
  authentication: 'Authentification',
  operations: 'Opérations et participants',
  energy: 'Données d’énergie',
  webhooks: 'Webhooks',
}
const FIELD_PLACE_LABELS = {
  path: 'Dans l’adresse',
  query: 'Dans la requête',
  body: 'Dans le corps (JSON)',
  response: 'Dans la réponse (JSON)',
} as const
const METHOD_COLOURS: Record<string, string> = { GET: COLOURS.night, POST: '#0f766e', DELETE: '#b91c1c' }

const toCodeRun = (text: string): TextRun => ({ ...TEXT_STYLES.cell, face: 'code', text })

const RULES = [
  '**Adresses.** Les chemins de ce document s’ajoutent à l’adresse de votre installation\u00a0; tous les échanges se font en HTTPS.',
  '**Jeton.** La connexion rend un jeton, à envoyer avec chaque appel dans l’en-tête Authorization\u00a0: Bearer. Un jeton sans activité pendant 24\u00a0heures n’est plus valable.',
  '**Format.** Corps et réponses sont en JSON, encodés en UTF-8. Les dates s’écrivent 2026-03-29, les instants 2026-03-29T10:00:00Z. Une période s’entend sans son dernier jour.',
  '**Listes.** page et size choisissent la page, q cherche, sort trie. La réponse donne les éléments et leur nombre total.',
  '**Rejouer sans risque.** Un appel de création accepte l’en-tête Idempotency-Key\u00a0: la même clé rend la première réponse, sans second effet.',
  '**Erreurs.** Elles suivent la RFC 9457 (application/problem+json), avec un code stable, un message en français et, pour un formulaire, la liste des champs à corriger.',
]

/** The fields of a reply that were already listed under another call, whose title is given. */
function findKnownReply(done: DocEndpoint[], { fields }: DocEndpoint): string | undefined {
  const shapeOf = (of: DocEndpoint['fields']) =>
    of
      .filter(({ place }) => place === 'response')
      .map(({ name, type }) => `${name} ${type}`)
      .join()
  const wanted = shapeOf(fields)
  return wanted.split(',').length > 5 ? done.find((other) => shapeOf(other.fields) === wanted)?.summary : undefined
}

function drawFieldTable(sheet: PdfWriter, place: keyof typeof FIELD_PLACE_LABELS, fields: DocEndpoint['fields']) {
  const own = fields.filter((field) => field.place === place)
  if (!own.length) return
  drawHeading(sheet, 4, FIELD_PLACE_LABELS[place], { keep: 60 })
  const optional: TextRun = { ...TEXT_STYLES.cell, colour: COLOURS.faint, text: ' (optionnel)' }
  const rows = own.map(({ name, type, required, description }): RichText[] => [
    required || place === 'response' ? [toCodeRun(name)] : [toCodeRun(name), optional],
    type,
    description,
  ])
  const columns = [
    { head: 'Champ', part: 32 },
    { head: 'Type', part: 26 },
    { head: 'Description', part: 42 },
  ]
  drawTable(sheet, columns, rows, { pad: 2.5, after: 8 })
}

function drawEndpoint(sheet: PdfWriter, endpoint: DocEndpoint, done: DocEndpoint[]) {
  const { method, path, summary, access, fields, example, errors } = endpoint
  drawHeading(sheet, 3, summary, { keep: 120 })
  const line = { ...TEXT_STYLES.code, size: 9 }
  drawParagraph(
    sheet,
    [
      { ...toBold(line), colour: METHOD_COLOURS[method] ?? COLOURS.ink, text: `${method} ` },
      { ...line, text: path },
    ],
    { look: line, after: 2 },
  )
  drawParagraph(sheet, access, { look: TEXT_STYLES.quiet, after: 4 })
  for (const place of ['path', 'query', 'body'] as const) drawFieldTable(sheet, place, fields)
  const known = findKnownReply(done, endpoint)
  if (known)
    drawParagraph(sheet, `La réponse a les mêmes champs que «\u00a0${known}\u00a0».`, {
      look: TEXT_STYLES.quiet,
      after: 4,
    })
  else drawFieldTable(sheet, 'response', fields)
  drawHeading(sheet, 4, 'Exemple', { keep: 70 })
  drawCodeBlock(sheet, `${method} ${example.path}${example.body ? `\n\n${example.body}` : ''}`, 4)
  drawCodeBlock(sheet, example.response, 6)
  drawHeading(sheet, 4, 'Erreurs possibles', { keep: 60 })
  drawTable(
    sheet,
    [
      { head: 'HTTP', part: 8 },
      { head: 'Code', part: 28 },
      { head: 'Message', part: 64 },
    ],
    errors.map((error): RichText[] => [String(error.status), [toCodeRun(error.code)], error.message]),
    { pad: 2.5, after: 12 },
  )
}

/** The documentation page as a PDF. */
export async function buildApiDocsPdf({ version, home, endpoints, events }: ApiDocsPdfInput): Promise<Uint8Array> {
  const sheet = openPdf({ title: TITLE, subject: `API Voisol, version ${version}`, tags: false })
  drawOpening(
    sheet,
    TITLE,
    `Version ${version}${home ? ` · ${home.replace(/^https?:\/\//, '')}` : ''}`,
    formatLongDate(new Date()),
  )
  drawBullets(
    sheet,
    RULES.map((rule) => parseBoldMarkup(rule, TEXT_STYLES.body)),
  )
  ensureSpace(sheet, 200)
  drawTable(
    sheet,
    [
      { head: 'Appel', part: 50 },
      { head: 'Ce qu’il fait', part: 50 },
    ],
    endpoints.map(({ method, path, summary }): RichText[] => [[toCodeRun(`${method} ${path}`)], summary]),
    { pad: 3 },
  )
  for (const tab of Object.keys(API_DOC_TABS) as DocTab[]) {
    addPage(sheet)
    drawHeading(sheet, 2, API_DOC_TABS[tab])
    for (const endpoint of endpoints.filter((one) => one.tab === tab)) {
      drawEndpoint(sheet, endpoint, endpoints.slice(0, endpoints.indexOf(endpoint)))
      // Other requests are answered between two calls.
      await setImmediate()
    }
  }
  await drawEventCatalogue(sheet, events)
  return closePdf(sheet, { title: TITLE })
}

type DocEvent = {
  name: string
  label: string
  fields: { path: string; type: 'text' | 'number' | 'boolean' | 'list' }[]
  sample: unknown
}

const TYPE_LABELS: Record<DocEvent['fields'][number]['type'], string> = {
  text: 'texte',
  number: 'nombre',
  boolean: 'vrai ou faux',
  list: 'liste',
}

const CATALOGUE_INTRODUCTION =
  'Chaque webhook choisit parmi ces événements. Le message porte leur nom (event), leur numéro dans votre organisation (sequence), leur instant (occurredAt) et, dans data, les champs ci-dessous\u00a0; il est signé selon Standard Webhooks.'

/** Every event that webhooks offer: its fields and an example. */
async function drawEventCatalogue(sheet: PdfWriter, events: readonly DocEvent[]) {
  addPage(sheet)
  drawHeading(sheet, 2, 'Catalogue des événements')
  drawParagraph(sheet, CATALOGUE_INTRODUCTION, { look: TEXT_STYLES.body, after: 8 })
  for (const { name, label, fields, sample } of events) {
    drawHeading(sheet, 3, label, { keep: 110 })
    drawParagraph(sheet, [{ ...TEXT_STYLES.code, size: 9, text: name }], { look: TEXT_STYLES.code, after: 4 })
    const columns = [
      { head: 'Champ de data', part: 60 },
      { head: 'Type', part: 40 },
    ]
    const rows = fields.map(({ path, type }): RichText[] => [[toCodeRun(path)], TYPE_LABELS[type]])
    if (rows.length) drawTable(sheet, columns, rows, { pad: 2.5, after: 6 })
    drawCodeBlock(sheet, JSON.stringify(sample, null, 2), 10)
    // Other requests are answered between two events.
    await setImmediate()
  }
}
