import { setImmediate } from 'node:timers/promises'
import { heading, paragraph } from './blocks.ts'
import { nextPage, type Sheet } from './document.ts'
import { codeBlock } from './prose.ts'
import { LOOKS, type Run, type Words } from './runs.ts'
import { table } from './table.ts'

export type DocEvent = {
  name: string
  label: string
  fields: { path: string; type: 'text' | 'number' | 'boolean' | 'list' }[]
  sample: unknown
}

const TYPES: Record<DocEvent['fields'][number]['type'], string> = {
  text: 'texte',
  number: 'nombre',
  boolean: 'vrai ou faux',
  list: 'liste',
}
const code = (text: string): Run => ({ ...LOOKS.cell, face: 'code', text })

const ABOUT =
  'Chaque webhook choisit parmi ces événements. Le message porte leur nom (event), leur numéro dans votre organisation (sequence), leur instant (occurredAt) et, dans data, les champs ci-dessous\u00a0; il est signé selon Standard Webhooks.'

/** Every event that can be asked for, from the table of events: its fields and a sample. */
export async function eventCatalogue(sheet: Sheet, events: readonly DocEvent[]) {
  nextPage(sheet)
  heading(sheet, 2, 'Catalogue des événements')
  paragraph(sheet, ABOUT, { look: LOOKS.body, after: 8 })
  for (const { name, label, fields, sample } of events) {
    heading(sheet, 3, label, { keep: 110 })
    paragraph(sheet, [{ ...LOOKS.code, size: 9, text: name }], { look: LOOKS.code, after: 4 })
    const columns = [
      { head: 'Champ de data', part: 60 },
      { head: 'Type', part: 40 },
    ]
    const rows = fields.map(({ path, type }): Words[] => [[code(path)], TYPES[type]])
    if (rows.length) table(sheet, columns, rows, { pad: 2.5, after: 6 })
    codeBlock(sheet, JSON.stringify(sample, null, 2), 10)
    // Others are answered between two of them.
    await setImmediate()
  }
}
