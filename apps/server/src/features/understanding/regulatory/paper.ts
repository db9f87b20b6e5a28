import { REGULATORY_WORDS } from '@voisol/contract/regulatory'
import { longDay } from '../../../papers/words.ts'
import { heading, opening, paragraph } from '../../../pdf/blocks.ts'
import { closeSheet, openSheet } from '../../../pdf/document.ts'
import type { Brand } from '../../../pdf/frame.ts'
import { table } from '../../../pdf/table.ts'
import type { Asked, Content } from './content.ts'
import { periodWords } from './period.ts'

type Version = { number: number; day: string; brand: Brand }

/** What an export says, to be read, signed or joined to a letter. */
export function sheetOf({ kind, operation, period }: Asked, content: Content, { number, day, brand }: Version) {
  const { title, purpose } = REGULATORY_WORDS[kind]
  const { lead, columns, rows, after = [] } = content.sheet
  const createdAt = new Date(`${day}T12:00:00Z`)
  const sheet = openSheet({ title, subject: operation.name, author: brand.name, createdAt })
  const about = [operation.name, operation.accNumber, operation.pmoName, periodWords(period)].filter(Boolean)
  opening(sheet, title, about.join(' · '), `Version ${number}, ${longDay(day)}`, brand)
  paragraph(sheet, purpose)
  paragraph(sheet, lead)
  if (content.missing.length > 0) paragraph(sheet, `Il manque\u00a0: ${content.missing.join(', ')}.`)
  if (rows.length > 0) table(sheet, columns, rows, { total: kind === 'yearly' })
  for (const { title: head, text } of after) {
    heading(sheet, 2, head)
    paragraph(sheet, text)
  }
  return closeSheet(sheet, { title, brand })
}
