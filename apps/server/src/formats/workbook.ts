import { formatFrenchNumber } from '../french.ts'
import { MAX_CURVE_FILE_COLUMNS } from './limits.ts'
import { FileRefusedError } from './types.ts'
import { getXmlAttribute, scanXml, unescapeXml } from './xml.ts'
import type { ZipArchive } from './zip.ts'

export type SheetRef = { name: string; part: string }
/** `dates`: which of the workbook's styles show a number as a date or a time. */
export type ExcelWorkbook = { sheets: SheetRef[]; date1904: boolean; strings: string[]; dates: boolean[] }
/** Cells of one row by column, from 0, as text. */
export type SheetRow = Map<number, string>

/** The sheets of a workbook in its order, and the table of its texts. */
export function openWorkbook(archive: ZipArchive): ExcelWorkbook {
  const targets = new Map<string, string>()
  scanXml(archive.read('xl/_rels/workbook.xml.rels'), {
    open(name, attributes) {
      if (name === 'Relationship') targets.set(getXmlAttribute(attributes, 'Id'), getXmlAttribute(attributes, 'Target'))
    },
    close: () => undefined,
  })
  const book: ExcelWorkbook = {
    sheets: [],
    date1904: false,
    strings: readStrings(archive),
    dates: readDateStyles(archive),
  }
  scanXml(archive.read('xl/workbook.xml'), {
    open(name, attributes) {
      if (name === 'workbookPr') book.date1904 = /^(1|true)$/.test(getXmlAttribute(attributes, 'date1904'))
      if (name !== 'sheet') return
      const target = targets.get(getXmlAttribute(attributes, 'r:id')) ?? ''
      const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`
      if (archive.has(part)) book.sheets.push({ name: unescapeXml(getXmlAttribute(attributes, 'name')), part })
    },
    close: () => undefined,
  })
  return book
}

function readStrings(archive: ZipArchive): string[] {
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
function readDateStyles(archive: ZipArchive): boolean[] {
  if (!archive.has('xl/styles.xml')) return []
  const formats = new Map<number, boolean>()
  const styles: boolean[] = []
  let within = false
  scanXml(archive.read('xl/styles.xml'), {
    open(name, attributes) {
      if (name === 'cellXfs') within = true
      if (name === 'numFmt') {
        const code = unescapeXml(getXmlAttribute(attributes, 'formatCode')).replace(/\[[^\]]*\]|"[^"]*"|\\./g, '')
        formats.set(Number(getXmlAttribute(attributes, 'numFmtId')), /[dmyhsja]/i.test(code))
      }
      if (name !== 'xf' || !within) return
      const id = Number(getXmlAttribute(attributes, 'numFmtId'))
      styles.push(formats.get(id) ?? ((id >= 14 && id <= 22) || (id >= 45 && id <= 47)))
    },
    close(name) {
      if (name === 'cellXfs') within = false
    },
  })
  return styles
}

const parseColumn = (reference: string) => {
  let column = 0
  for (const letter of reference) {
    if (letter < 'A' || letter > 'Z') break
    column = column * 26 + letter.charCodeAt(0) - 64
  }
  return column - 1
}

const createTooWideError = () =>
  new FileRefusedError(`Ce classeur a plus de ${formatFrenchNumber(MAX_CURVE_FILE_COLUMNS)} colonnes.`)

/** Hands over the rows of a sheet one by one, with the number the spreadsheet shows. */
export function scanSheet(
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
        number = Number(getXmlAttribute(attributes, 'r')) || number + 1
        row = new Map()
        column = -1
      } else if (name === 'c') {
        const reference = getXmlAttribute(attributes, 'r')
        column = reference ? parseColumn(reference) : column + 1
        if (column > MAX_CURVE_FILE_COLUMNS) throw createTooWideError()
        type = getXmlAttribute(attributes, 't')
        style = Number(getXmlAttribute(attributes, 's'))
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
