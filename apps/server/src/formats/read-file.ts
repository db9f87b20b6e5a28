import { formatFrenchNumber, NBSP, quoteText } from '../french.ts'
import { parseWorkbook } from './book.ts'
import { isEdfHeader, parseEdf } from './edf.ts'
import { parseR4x, parseR50 } from './flows.ts'
import { createForeignJsonRefusal, createForeignXmlRefusal, createRefusal, refuseForeignMagic } from './foreign.ts'
import { isHdmHeader, parseHdm } from './hdm.ts'
import { findHeader } from './header.ts'
import { detectLayout, splitTitles } from './layout.ts'
import { MAX_CURVE_FILE_BYTES, MAX_CURVE_FILE_ROWS } from './limits.ts'
import { parseJsonFile } from './publication.ts'
import { isR63Header, parseR63 } from './r63.ts'
import { isR63Json, parseR63Json } from './r63-json.ts'
import type { RawFile } from './raw.ts'
import type { ParseReport } from './report.ts'
import { countLines } from './rows.ts'
import { decodeTextFile, type TextBytes } from './text.ts'
import { type CurveFileChoices, FileRefusedError } from './types.ts'
import { parseReadingsTable } from './wide.ts'
import { getRootName } from './xml.ts'

const HEAD_BYTES = 4096
const MIB = 1024 * 1024

/** Finds out what the file is and reads it; refuses what no reader knows. */
export function parseRawFile(name: string, bytes: Uint8Array, report: ParseReport, choices: CurveFileChoices): RawFile {
  if (bytes.length > MAX_CURVE_FILE_BYTES)
    throw new FileRefusedError(
      `Ce fichier pèse ${formatFrenchNumber(Math.ceil(bytes.length / MIB))}${NBSP}Mo. Au plus ${MAX_CURVE_FILE_BYTES / MIB}${NBSP}Mo sont lus${NBSP}: partagez-le par période.`,
    )
  if (bytes.length === 0) throw createRefusal('Ce fichier est vide.')
  refuseForeignMagic(bytes)
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4)
    return parseWorkbook(name, bytes, (sheet) => parseCsvCurves(name, sheet, report, choices), report, choices)
  const text = decodeTextFile(bytes)
  const head = text.decode(0, Math.min(text.bytes.length, HEAD_BYTES)).trimStart()
  if (head.startsWith('<')) return parseXmlCurves(text, head, report)
  if (head.startsWith('{') || head.startsWith('[')) return parseJsonCurves(text, head, report)
  return parseCsvCurves(name, text, report, choices)
}

function parseXmlCurves(text: TextBytes, head: string, report: ParseReport): RawFile {
  if (/<!DOCTYPE\s+html|<html/i.test(head)) throw createForeignXmlRefusal('html')
  if (/<!DOCTYPE|<!ENTITY/i.test(head))
    throw createRefusal('Ce fichier XML contient une déclaration DOCTYPE, refusée par sécurité.')
  const root = getRootName(head)
  const reader = root === 'R50' ? parseR50 : root === 'Courbe' ? parseR4x : null
  if (!reader) throw createForeignXmlRefusal(root)
  return { ...reader(text.decode(0, text.bytes.length), report), encoding: text.encoding }
}

function parseJsonCurves(text: TextBytes, head: string, report: ParseReport): RawFile {
  if (!isR63Json(head)) throw createForeignJsonRefusal(head)
  return { ...parseR63Json(parseJsonFile(text.decode(0, text.bytes.length)), report), encoding: text.encoding }
}

function parseCsvCurves(name: string, text: TextBytes, report: ParseReport, choices: CurveFileChoices): RawFile {
  const lines = countLines(text.bytes, MAX_CURVE_FILE_ROWS)
  if (lines > MAX_CURVE_FILE_ROWS)
    throw new FileRefusedError(
      `Ce fichier a plus de ${formatFrenchNumber(MAX_CURVE_FILE_ROWS)} lignes${NBSP}: partagez-le par période ou par groupe de points.`,
    )
  const source = { text, lines, ...findHeader(text) }
  const { header } = source
  if (isHdmHeader(header)) return parseHdm(name, source, report, choices)
  if (isR63Header(header)) return parseR63(source, report)
  if (isEdfHeader(header)) return parseEdf(name, source, report, choices)
  const layout = detectLayout(splitTitles(header, source.separator))
  if (layout) return parseReadingsTable(name, source, layout, report, choices)
  throw createRefusal(
    `Ce fichier n’est pas une courbe de charge connue${NBSP}: sa première ligne est ${quoteText(header.trim())}.`,
  )
}
