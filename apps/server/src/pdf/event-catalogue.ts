import { setImmediate } from 'node:timers/promises'
import { drawHeading, drawParagraph } from './blocks.ts'
import { addPage, type PdfWriter } from './document.ts'
import { drawCodeBlock } from './prose.ts'
import { type RichText, TEXT_STYLES, type TextRun } from './runs.ts'
import { drawTable } from './table.ts'

export type DocEvent = {
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
const toCodeRun = (text: string): TextRun => ({ ...TEXT_STYLES.cell, face: 'code', text })

const CATALOGUE_INTRODUCTION =
  'Chaque webhook choisit parmi ces événements. Le message porte leur nom (event), leur numéro dans votre organisation (sequence), leur instant (occurredAt) et, dans data, les champs ci-dessous\u00a0; il est signé selon Standard Webhooks.'

/** Every event that webhooks offer: its fields and an example. */
export async function drawEventCatalogue(sheet: PdfWriter, events: readonly DocEvent[]) {
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
