import { setImmediate } from 'node:timers/promises'
import type { DocEndpoint, DocTab } from '@voisol/contract/api-docs'
import { bullets, heading, opening, paragraph } from './blocks.ts'
import { closeSheet, nextPage, openSheet, room, type Sheet } from './document.ts'
import { type DocEvent, eventCatalogue } from './event-catalogue.ts'
import { longDate } from './figures.ts'
import { COLOURS } from './look.ts'
import { codeBlock } from './prose.ts'
import { bold, LOOKS, marked, type Run, type Words } from './runs.ts'
import { table } from './table.ts'

export type ApiDocs = {
  version: string /** Address of the installation, empty if unknown. */
  home: string
  endpoints: DocEndpoint[]
  events: DocEvent[]
}

const TITLE = 'Documentation de l’API'
export const TABS: Record<DocTab, string> = {
  authentication: 'Authentification',
  operations: 'Opérations et participants',
  energy: 'Données d’énergie',
  webhooks: 'Webhooks',
}
const PLACES = {
  path: 'Dans l’adresse',
  query: 'Dans la requête',
  body: 'Dans le corps (JSON)',
  response: 'Dans la réponse (JSON)',
} as const
const METHODS: Record<string, string> = { GET: COLOURS.night, POST: '#0f766e', DELETE: '#b91c1c' }

const code = (text: string): Run => ({ ...LOOKS.cell, face: 'code', text })

const RULES = [
  '**Adresses.** Les chemins de ce document s’ajoutent à l’adresse de votre installation\u00a0; tous les échanges se font en HTTPS.',
  '**Jeton.** La connexion rend un jeton, à envoyer avec chaque appel dans l’en-tête Authorization\u00a0: Bearer. Un jeton sans activité pendant 24\u00a0heures n’est plus valable.',
  '**Format.** Corps et réponses sont en JSON, encodés en UTF-8. Les dates s’écrivent 2026-03-29, les instants 2026-03-29T10:00:00Z. Une période s’entend sans son dernier jour.',
  '**Listes.** page et size choisissent la page, q cherche, sort trie. La réponse donne les éléments et leur nombre total.',
  '**Rejouer sans risque.** Un appel de création accepte l’en-tête Idempotency-Key\u00a0: la même clé rend la première réponse, sans second effet.',
  '**Erreurs.** Elles suivent la RFC 9457 (application/problem+json), avec un code stable, un message en français et, pour un formulaire, la liste des champs à corriger.',
]

/** The fields of a reply that were already listed under another call, whose title is given. */
function knownReply(done: DocEndpoint[], { fields }: DocEndpoint): string | undefined {
  const shapeOf = (of: DocEndpoint['fields']) =>
    of
      .filter(({ place }) => place === 'response')
      .map(({ name, type }) => `${name} ${type}`)
      .join()
  const wanted = shapeOf(fields)
  return wanted.split(',').length > 5 ? done.find((other) => shapeOf(other.fields) === wanted)?.summary : undefined
}

function fieldTable(sheet: Sheet, place: keyof typeof PLACES, fields: DocEndpoint['fields']) {
  const own = fields.filter((field) => field.place === place)
  if (!own.length) return
  heading(sheet, 4, PLACES[place], { keep: 60 })
  const optional: Run = { ...LOOKS.cell, colour: COLOURS.faint, text: ' (optionnel)' }
  const rows = own.map(({ name, type, required, description }): Words[] => [
    required || place === 'response' ? [code(name)] : [code(name), optional],
    type,
    description,
  ])
  const columns = [
    { head: 'Champ', part: 32 },
    { head: 'Type', part: 26 },
    { head: 'Description', part: 42 },
  ]
  table(sheet, columns, rows, { pad: 2.5, after: 8 })
}

function endpointSection(sheet: Sheet, endpoint: DocEndpoint, done: DocEndpoint[]) {
  const { method, path, summary, access, fields, example, errors } = endpoint
  heading(sheet, 3, summary, { keep: 120 })
  const line = { ...LOOKS.code, size: 9 }
  paragraph(
    sheet,
    [
      { ...bold(line), colour: METHODS[method] ?? COLOURS.ink, text: `${method} ` },
      { ...line, text: path },
    ],
    { look: line, after: 2 },
  )
  paragraph(sheet, access, { look: LOOKS.quiet, after: 4 })
  for (const place of ['path', 'query', 'body'] as const) fieldTable(sheet, place, fields)
  const known = knownReply(done, endpoint)
  if (known)
    paragraph(sheet, `La réponse a les mêmes champs que «\u00a0${known}\u00a0».`, { look: LOOKS.quiet, after: 4 })
  else fieldTable(sheet, 'response', fields)
  heading(sheet, 4, 'Exemple', { keep: 70 })
  codeBlock(sheet, `${method} ${example.path}${example.body ? `\n\n${example.body}` : ''}`, 4)
  codeBlock(sheet, example.response, 6)
  heading(sheet, 4, 'Erreurs possibles', { keep: 60 })
  table(
    sheet,
    [
      { head: 'HTTP', part: 8 },
      { head: 'Code', part: 28 },
      { head: 'Message', part: 64 },
    ],
    errors.map((error): Words[] => [String(error.status), [code(error.code)], error.message]),
    { pad: 2.5, after: 12 },
  )
}

/** The same documentation as the page, to print or to send. */
export async function apiDocsPdf({ version, home, endpoints, events }: ApiDocs): Promise<Uint8Array> {
  const sheet = openSheet({ title: TITLE, subject: `API Voisol, version ${version}`, tags: false })
  opening(
    sheet,
    TITLE,
    `Version ${version}${home ? ` · ${home.replace(/^https?:\/\//, '')}` : ''}`,
    longDate(new Date()),
  )
  bullets(
    sheet,
    RULES.map((rule) => marked(rule, LOOKS.body)),
  )
  room(sheet, 200)
  table(
    sheet,
    [
      { head: 'Appel', part: 50 },
      { head: 'Ce qu’il fait', part: 50 },
    ],
    endpoints.map(({ method, path, summary }): Words[] => [[code(`${method} ${path}`)], summary]),
    { pad: 3 },
  )
  for (const tab of Object.keys(TABS) as DocTab[]) {
    nextPage(sheet)
    heading(sheet, 2, TABS[tab])
    for (const endpoint of endpoints.filter((one) => one.tab === tab)) {
      endpointSection(sheet, endpoint, endpoints.slice(0, endpoints.indexOf(endpoint)))
      // Others are answered between two calls.
      await setImmediate()
    }
  }
  await eventCatalogue(sheet, events)
  return closeSheet(sheet, { title: TITLE })
}
