import { frenchNumber } from '../french.ts'
import { MAX_COLUMNS } from './limits.ts'
import { FileRefused } from './types.ts'
import { attribute, scanXml, unescapeXml } from './xml.ts'
import type { Archive } from './zip.ts'

export type SheetRef = { name: string; part: string }
/** `dates`: which of the workbook's styles show a number as a date or a time. */
export type Book = { sheets: SheetRef[]; date1904: boolean; strings: string[]; dates: boolean[] }
/** Cells of one row by column, from 0, as text. */
export type SheetRow = Map<number, string>

/** The sheets of a workbook in its order, and the table of its texts. */
export function openBook(archive: Archive): Book {
  const targets = new Map<string, string>()
  scanXml(archive.read('xl/_rels/workbook.xml.rels'), {
    open(name, attributes) {
      if (name === 'Relationship') targets.set(attribute(attributes, 'Id'), attribute(attributes, 'Target'))
    },
    close: () => undefined,
  })
  const book: Book = { sheets: [], date1904: false, strings: readStrings(archive), dates: dateStyles(archive) }
  scanXml(archive.read('xl/workbook.xml'), {
    open(name, attributes) {
      if (name === 'workbookPr') book.date1904 = /^(1|true)$/.test(attribute(attributes, 'date1904'))
      if (name !== 'sheet') return
      const target = targets.get(attribute(attributes, 'r:id')) ?? ''
      const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`
      if (archive.has(part)) book.sheets.push({ name: unescapeXml(attribute(attributes, 'name')), part })
    },
    close: () => undefined,
  })
  return book
}

function readStrings(archive: Archive): string[] {
  const strings: string[] = []
  if (!archive.has('xl/sharedStrings.xml')) return strings
  let text = ''
  scanXml(archive.read('xl/sharedStrings.xml'), {
    open(name) {
      if (name === 'si') text = ''
    },
    close(name, content) {
      if (name === 't') text += content
      else if (name === 'si') strings.push(unescapeXml(text))
    },
  })
  return strings
}

/** Formats 14 to 22 and 45 to 47 are built in; the others say it by their letters. */
function dateStyles(archive: Archive): boolean[] {
  if (!archive.has('xl/styles.xml')) return []
  const formats = new Map<number, boolean>()
  const styles: boolean[] = []
  let within = false
  scanXml(archive.read('xl/styles.xml'), {
    open(name, attributes) {
      if (name === 'cellXfs') within = true
      if (name === 'numFmt') {
        const code = unescapeXml(attribute(attributes, 'formatCode')).replace(/\[[^\]]*\]|"[^"]*"|\\./g, '')
        formats.set(Number(attribute(attributes, 'numFmtId')), /[dmyhsja]/i.test(code))
      }
      if (name !== 'xf' || !within) return
      const id = Number(attribute(attributes, 'numFmtId'))
      styles.push(formats.get(id) ?? ((id >= 14 && id <= 22) || (id >= 45 && id <= 47)))
    },
    close(name) {
      if (name === 'cellXfs') within = false
    },
  })
  return styles
}

const columnOf = (reference: string) => {
  let column = 0
  for (const letter of reference) {
    if (letter < 'A' || letter > 'Z') break
    column = column * 26 + letter.charCodeAt(0) - 64
  }
  return column - 1
}

const tooWide = () => new FileRefused(`Ce classeur a plus de ${frenchNumber(MAX_COLUMNS)} colonnes.`)

/** Hands over the rows of a sheet one by one, with the number the spreadsheet shows. */
export function readSheet(
  xml: string,
  strings: string[],
  onRow: (row: SheetRow, number: number) => void,
  written: (text: string, style: number) => string = (text) => text,
): void {
  let row: SheetRow = new Map()
  let number = 0
  let column = -1
  let type = ''
  let style = 0
  let text = ''
  const cellText = (raw: string, kind: string) => {
    if (kind === 's') return strings[Number(raw)] ?? ''
    return kind === '' || kind === 'n' ? written(raw, style) : unescapeXml(raw)
  }
  scanXml(xml, {
    open(name, attributes) {
      if (name === 'row') {
        number = Number(attribute(attributes, 'r')) || number + 1
        row = new Map()
        column = -1
      } else if (name === 'c') {
        const reference = attribute(attributes, 'r')
        column = reference ? columnOf(reference) : column + 1
        if (column > MAX_COLUMNS) throw tooWide()
        type = attribute(attributes, 't')
        style = Number(attribute(attributes, 's'))
        text = ''
      }
    },
    close(name, content) {
      if (name === 'v' || name === 't') text += content
      else if (name === 'c' && text !== '') row.set(column, cellText(text, type))
      else if (name === 'row') onRow(row, number)
    },
  })
}
