import { frenchNumber, NBSP, quoted } from '../french.ts'
import { readBook } from './book.ts'
import { isEdf, readEdf } from './edf.ts'
import { readR4x, readR50 } from './flows.ts'
import { foreignJson, foreignXml, refuse, refuseMagic } from './foreign.ts'
import { isHdm, readHdm } from './hdm.ts'
import { findHeader } from './header.ts'
import { layoutOf, splitTitles } from './layout.ts'
import { MAX_BYTES, MAX_ROWS } from './limits.ts'
import { parseJson } from './publication.ts'
import { isR63, readR63 } from './r63.ts'
import { isR63Json, readR63Json } from './r63-json.ts'
import type { RawFile } from './raw.ts'
import type { Report } from './report.ts'
import { countLines } from './rows.ts'
import { readText, type TextBytes } from './text.ts'
import { type Choices, FileRefused } from './types.ts'
import { readTable } from './wide.ts'
import { rootOf } from './xml.ts'

const HEAD = 4096
const MIB = 1024 * 1024

/** Finds out what the file is and reads it; refuses what no reader knows. */
export function readFile(name: string, bytes: Uint8Array, report: Report, choices: Choices): RawFile {
  if (bytes.length > MAX_BYTES)
    throw new FileRefused(
      `Ce fichier pèse ${frenchNumber(Math.ceil(bytes.length / MIB))}${NBSP}Mo. Au plus ${MAX_BYTES / MIB}${NBSP}Mo sont lus${NBSP}: partagez-le par période.`,
    )
  if (bytes.length === 0) throw refuse('Ce fichier est vide.')
  refuseMagic(bytes)
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4)
    return readBook(name, bytes, (sheet) => readCsv(name, sheet, report, choices), report, choices)
  const text = readText(bytes)
  const head = text.decode(0, Math.min(text.bytes.length, HEAD)).trimStart()
  if (head.startsWith('<')) return readXml(text, head, report)
  if (head.startsWith('{') || head.startsWith('[')) return readJson(text, head, report)
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

function readJson(text: TextBytes, head: string, report: Report): RawFile {
  if (!isR63Json(head)) throw foreignJson(head)
  return { ...readR63Json(parseJson(text.decode(0, text.bytes.length)), report), encoding: text.encoding }
}

function readCsv(name: string, text: TextBytes, report: Report, choices: Choices): RawFile {
  const lines = countLines(text.bytes, MAX_ROWS)
  if (lines > MAX_ROWS)
    throw new FileRefused(
      `Ce fichier a plus de ${frenchNumber(MAX_ROWS)} lignes${NBSP}: partagez-le par période ou par groupe de points.`,
    )
  const source = { text, lines, ...findHeader(text) }
  const { header } = source
  if (isHdm(header)) return readHdm(name, source, report, choices)
  if (isR63(header)) return readR63(source, report)
  if (isEdf(header)) return readEdf(name, source, report, choices)
  const layout = layoutOf(splitTitles(header, source.separator))
  if (layout) return readTable(name, source, layout, report, choices)
  throw refuse(
    `Ce fichier n’est pas une courbe de charge connue${NBSP}: sa première ligne est ${quoted(header.trim())}.`,
  )
}
