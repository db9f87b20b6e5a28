import { decodeTextFile, type TextBytes } from '@voisol/file-formats/csv-text'
import { type CurveFileProblemCode, FileRefusedError, type ParsedFile } from '@voisol/file-formats/curve-file-types'
import { findHeader, isReadingsTable } from '@voisol/file-formats/detect-table'
import { isEdfHeader } from '@voisol/file-formats/edf'
import { formatCount, formatFrenchNumber, NBSP, quoteText } from '@voisol/file-formats/french'
import { isHdmHeader } from '@voisol/file-formats/hdm'
import { listUncertainAspects } from '@voisol/file-formats/import-questions'
import { parseCurveFile } from '@voisol/file-formats/parse-curve-file'
import { getFlowCode, parseJsonFile } from '@voisol/file-formats/published-measures'
import { isR63Header } from '@voisol/file-formats/r63'
import { streamR63 } from '@voisol/file-formats/r63-stream'
import { createParseReport, MAX_CURVE_FILE_BYTES, type ParseReport } from '@voisol/file-formats/raw-curves'
import { getRootName } from '@voisol/file-formats/scan-xml'
import { getFlowName } from '@voisol/file-formats/unsupported-files'
import { readC15, readR15, readR64, readR151, readR171 } from './enedis-flow-parsers.ts'
import { type FilePart, readPartHead } from './open-file.ts'
import type { FileDataSink } from './parsed-content.ts'
import { QuarantineError } from './quarantine.ts'

/**
 * Syntax problems that prove that the file is not the distributor's original. An implausible value is only left out.
 */
const REFUSED_PROBLEMS: CurveFileProblemCode[] = ['unreadable', 'bad-prm', 'off-step']

/** Decodes every part of a file, or none; returns the types of the files. */
export async function decodeParts(parts: FilePart[], sink: FileDataSink): Promise<string[]> {
  const kinds = new Set<string>()
  for (const part of parts) {
    try {
      kinds.add(await decodePart(part, sink))
    } catch (error) {
      throw parts.length > 1 ? addPartName(part, error) : toQuarantineError(error)
    }
  }
  return [...kinds].sort()
}

const toQuarantineError = (error: unknown) =>
  error instanceof FileRefusedError ? new QuarantineError('content', error.message) : error

function addPartName({ name }: FilePart, error: unknown): unknown {
  const known = toQuarantineError(error)
  return known instanceof QuarantineError
    ? new QuarantineError(known.code, `${quoteText(name)}${NBSP}: ${known.message}`)
    : known
}

async function decodePart(part: FilePart, sink: FileDataSink): Promise<string> {
  const bytes = await readPartHead(part)
  if (bytes.length === 0) throw new QuarantineError('content', 'Ce fichier est vide.')
  const text = decodeTextFile(bytes)
  const head = text.decode(0, text.bytes.length).trimStart()
  if (head.startsWith('<')) return decodeXml(part, head, sink)
  if (head.startsWith('{') || head.startsWith('[')) return decodeJson(part, head, sink)
  return decodeCsv(part, text, sink)
}

const buildUnsupportedKindError = (what: string) =>
  new QuarantineError(
    'kind',
    `Ce fichier est ${what}${NBSP}: il n’est pas lu ici. Attendu${NBSP}: R63, R64, R50, R4x, HDM, R15, R151, R171 ou C15.`,
  )

const XML_READERS: Record<string, { kind: string; read(text: string, sink: FileDataSink): Promise<void> }> = {
  R15: { kind: 'R15', read: readR15 },
  R151: { kind: 'R151', read: readR151 },
  R171: { kind: 'R171', read: readR171 },
  C15: { kind: 'C15', read: readC15 },
}

async function decodeXml(part: FilePart, head: string, sink: FileDataSink): Promise<string> {
  if (/<!DOCTYPE\s+html|<html/i.test(head)) throw buildUnsupportedKindError('une page web')
  const root = getRootName(head)
  const known = Object.hasOwn(XML_READERS, root) ? XML_READERS[root] : undefined
  if (known) {
    await known.read(await readPartText(part), sink)
    return known.kind
  }
  if (root !== 'R50' && root !== 'Courbe') {
    const code = /<(?:\w+:)?(?:Identifiant_Flux|idFlux|flux)>\s*(\w{1,8})\s*</.exec(head)?.[1] ?? root
    throw buildUnsupportedKindError(getFlowName(code) ?? getFlowName(root) ?? `un XML de racine ${quoteText(root)}`)
  }
  await readCurves(part, sink)
  return root === 'R50' ? 'R50' : 'R4x'
}

async function decodeJson(part: FilePart, head: string, sink: FileDataSink): Promise<string> {
  const code = getFlowCode(head)
  if (code !== 'R63' && code !== 'R64') {
    if (code) throw buildUnsupportedKindError(getFlowName(code) ?? `un flux ${code}`)
    throw buildUnsupportedKindError(
      /"meter_reading"|"interval_reading"/.test(head) ? 'une réponse de l’interface DataConnect' : 'un document JSON',
    )
  }
  if (code === 'R64') await readR64(parseJsonFile(await readPartText(part)), sink)
  else await readCurves(part, sink)
  return code
}

async function decodeCsv(part: FilePart, text: TextBytes, sink: FileDataSink): Promise<string> {
  const found = findHeader(text)
  const { header } = found
  if (isHdmHeader(header)) {
    await readCurves(part, sink)
    return 'HDM'
  }
  if (!isR63Header(header)) throw buildOtherTextError(part, found)
  const report = createParseReport()
  const { readings } = await streamR63(part.open(), createStrictReport(report), (series) => sink.days(series))
  if (readings === 0) throw new QuarantineError('content', 'Ce R63 ne contient aucune valeur lisible.')
  return 'R63'
}

function buildOtherTextError(part: FilePart, found: ReturnType<typeof findHeader>): QuarantineError {
  if (isEdfHeader(found.header) || isReadingsTable(found))
    return buildAmbiguousFileError(part, 'est un tableau de relevés, et non un flux du distributeur')
  return buildUnsupportedKindError(`un texte dont la première ligne est ${quoteText(found.header.trim())}`)
}

async function readCurves(part: FilePart, sink: FileDataSink): Promise<void> {
  const file = parseCurveFile(part.name, await readPartBytes(part))
  requireReadable(file)
  const guesses = listUncertainAspects(file.detected)
  if (guesses.length > 0)
    throw buildAmbiguousFileError(part, `ne dit pas ${guesses.map((about) => UNKNOWN_LABELS[about]).join(', ni ')}`)
  await sink.days(file.series)
}

const UNKNOWN_LABELS = {
  unit: 'son unité',
  stamp: 'ce que marquent ses horodates',
  zone: 'à quelle heure elles sont',
  step: 'son pas de temps',
}

/**
 * An ambiguous file is never guessed: one sent directly goes on to the curve imports, one found in an archive is put
 * aside.
 */
const buildAmbiguousFileError = ({ bare }: FilePart, why: string) =>
  bare
    ? new QuarantineError(
        'asks',
        `Ce fichier ${why}${NBSP}: il attend dans les imports de courbes que vous disiez comment le lire.`,
      )
    : new QuarantineError(
        'kind',
        `Ce fichier ${why}${NBSP}: sortez-le de son archive, puis importez-le depuis l’écran des courbes de charge.`,
      )

/** A single invalid row makes the whole file doubtful: decoding stops at the first one. */
const createStrictReport = (report: ParseReport): ParseReport => ({
  ...report,
  error(code, line, prm, message, times) {
    if (REFUSED_PROBLEMS.includes(code)) throw new QuarantineError('content', message())
    report.error(code, line, prm, message, times)
  },
})

function requireReadable({ problems, counts }: ParsedFile): void {
  const first = problems.find(({ code, severity }) => severity === 'error' && REFUSED_PROBLEMS.includes(code))
  const count = REFUSED_PROBLEMS.reduce((sum, code) => sum + (counts[code] ?? 0), 0)
  if (first) throw new QuarantineError('content', first.message)
  if (count > 0)
    throw new QuarantineError(
      'content',
      `${formatCount(count, 'ligne', 'lignes')} de ce fichier ne peuvent pas être lues.`,
    )
}

/** Reads the part into memory, for decoders that need it whole. */
async function readPartBytes(part: FilePart): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of part.open()) {
    pieces.push(piece)
    length += piece.length
    if (length > MAX_CURVE_FILE_BYTES)
      throw new QuarantineError(
        'content',
        `Ce fichier dépasse ${formatFrenchNumber(MAX_CURVE_FILE_BYTES / 1024 / 1024)}${NBSP}Mo${NBSP}: demandez-le par période ou par groupe de points.`,
      )
  }
  return Buffer.concat(pieces)
}

async function readPartText(part: FilePart): Promise<string> {
  const text = decodeTextFile(await readPartBytes(part))
  return text.decode(0, text.bytes.length)
}
