import { frenchNumber, NBSP, quoted } from '../french.ts'
import { readCustomerXlsx } from './customer-xlsx.ts'
import { readR4x, readR50 } from './flows.ts'
import { foreignJson, foreignXml, refuse, refuseMagic } from './foreign.ts'
import { isHdm, readHdm } from './hdm.ts'
import { MAX_BYTES, MAX_COLUMNS, MAX_ROWS } from './limits.ts'
import { isR63, readR63 } from './r63.ts'
import type { RawFile } from './raw.ts'
import type { Report } from './report.ts'
import { countLines, separatorOf } from './rows.ts'
import { readText, type TextBytes } from './text.ts'
import { type Choices, FileRefused } from './types.ts'
import { isWide, readWide } from './wide.ts'
import { rootOf } from './xml.ts'

const HEAD = 4096
const MIB = 1024 * 1024
/** A header of as many points as are read, and then some. */
const MAX_HEADER = MAX_COLUMNS * 40

/** Finds out what the file is and reads it; refuses what no reader knows. */
export function readFile(name: string, bytes: Uint8Array, report: Report, choices: Choices): RawFile {
  if (bytes.length > MAX_BYTES)
    throw new FileRefused(
      `Ce fichier pèse ${frenchNumber(Math.ceil(bytes.length / MIB))}${NBSP}Mo. Au plus ${MAX_BYTES / MIB}${NBSP}Mo sont lus${NBSP}: partagez-le par période.`,
    )
  if (bytes.length === 0) throw refuse('Ce fichier est vide.')
  refuseMagic(bytes)
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4)
    return readCustomerXlsx(name, bytes, report, choices)
  const text = readText(bytes)
  const head = text.decode(0, Math.min(text.bytes.length, HEAD)).trimStart()
  if (head.startsWith('<')) return readXml(text, head, report)
  if (head.startsWith('{') || head.startsWith('[')) throw foreignJson(head)
  return readCsv(name, text, report, choices)
}

function readXml(text: TextBytes, head: string, report: Report): RawFile {
  if (/<!DOCTYPE\s+html|<html/i.test(head)) throw foreignXml('html')
  if (/<!DOCTYPE|<!ENTITY/i.test(head))
    throw refuse('Ce fichier XML contient une déclaration DOCTYPE, refusée par sécurité.')
  const root = rootOf(head)
  const reader = root === 'R50' ? readR50 : root === 'Courbe' ? readR4x : null
  if (!reader) throw foreignXml(root)
  return { ...reader(text.decode(0, text.bytes.length), report), encoding: text.encoding }
}

function readCsv(name: string, text: TextBytes, report: Report, choices: Choices): RawFile {
  const lines = countLines(text.bytes, MAX_ROWS)
  if (lines > MAX_ROWS)
    throw new FileRefused(
      `Ce fichier a plus de ${frenchNumber(MAX_ROWS)} lignes${NBSP}: partagez-le par période ou par groupe de points.`,
    )
  const { from, headerLine } = headerStart(text)
  const header = headerAt(text, from)
  const source = { text, separator: separatorOf(header), lines, from, header, headerLine }
  if (isHdm(header)) return readHdm(name, source, report, choices)
  if (isR63(header)) return readR63(source, report)
  if (isWide(header)) return readWide(name, source, report, choices)
  throw refuse(
    `Ce fichier n’est pas une courbe de charge connue${NBSP}: sa première ligne est ${quoted(header.trim())}.`,
  )
}

/** Where the names of the columns are: after empty lines and the `sep=;` that some spreadsheets write first. */
export function headerStart({ bytes, decode }: TextBytes): { from: number; headerLine: number } {
  let from = 0
  for (let line = 1; line < 20; line++) {
    const end = bytes.indexOf(10, from)
    const text = decode(from, Math.min(end === -1 ? bytes.length : end, from + 40)).trim()
    if ((text !== '' && !/^sep=/i.test(text)) || end === -1) return { from, headerLine: line }
    from = end + 1
  }
  return { from, headerLine: 20 }
}

export function headerAt({ bytes, decode }: TextBytes, from: number): string {
  const newline = bytes.indexOf(10, from)
  const end = newline === -1 ? bytes.length : newline
  if (end - from > MAX_HEADER)
    throw refuse(
      `La première ligne de ce fichier est démesurée${NBSP}: au plus ${frenchNumber(MAX_COLUMNS)} colonnes sont lues.`,
    )
  return decode(from, end)
}
