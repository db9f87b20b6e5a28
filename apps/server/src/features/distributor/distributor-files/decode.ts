import { isEdf } from '../../../formats/edf.ts'
import { flowName } from '../../../formats/foreign.ts'
import { isHdm } from '../../../formats/hdm.ts'
import { findHeader, isTable } from '../../../formats/header.ts'
import { MAX_BYTES } from '../../../formats/limits.ts'
import { parseCurveFile } from '../../../formats/parse.ts'
import { flowOf, parseJson } from '../../../formats/publication.ts'
import { openQuestions } from '../../../formats/questions.ts'
import { isR63 } from '../../../formats/r63.ts'
import { streamR63 } from '../../../formats/r63-stream.ts'
import { createReport, type Report } from '../../../formats/report.ts'
import { readText, type TextBytes } from '../../../formats/text.ts'
import { FileRefused, type ParsedFile, type ProblemCode } from '../../../formats/types.ts'
import { rootOf } from '../../../formats/xml.ts'
import { frenchNumber, NBSP, plural, quoted } from '../../../french.ts'
import { readC15 } from './c15.ts'
import { readR151, readR171 } from './daily-indexes.ts'
import type { Sink } from './found.ts'
import { headOf } from './opening.ts'
import { readR15 } from './r15.ts'
import { readR64 } from './r64.ts'
import { Quarantined } from './refusal.ts'
import type { Part } from './zip-parts.ts'

/** What is not written as it should be: the file is not what the distributor sent. A strange value is left missing instead. */
const BROKEN: ProblemCode[] = ['unreadable', 'bad-prm', 'off-step']

/** Reads every file of a deposit, or none: the names of what they are. */
export async function decodeParts(parts: Part[], sink: Sink): Promise<string[]> {
  const kinds = new Set<string>()
  for (const part of parts) {
    try {
      kinds.add(await decodePart(part, sink))
    } catch (error) {
      throw parts.length > 1 ? within(part, error) : told(error)
    }
  }
  return [...kinds].sort()
}

const told = (error: unknown) => (error instanceof FileRefused ? new Quarantined('content', error.message) : error)

function within({ name }: Part, error: unknown): unknown {
  const known = told(error)
  return known instanceof Quarantined ? new Quarantined(known.code, `${quoted(name)}${NBSP}: ${known.message}`) : known
}

async function decodePart(part: Part, sink: Sink): Promise<string> {
  const bytes = await headOf(part)
  if (bytes.length === 0) throw new Quarantined('content', 'Ce fichier est vide.')
  const text = readText(bytes)
  const head = text.decode(0, text.bytes.length).trimStart()
  if (head.startsWith('<')) return decodeXml(part, head, sink)
  if (head.startsWith('{') || head.startsWith('[')) return decodeJson(part, head, sink)
  return decodeCsv(part, text, sink)
}

const foreign = (what: string) =>
  new Quarantined(
    'kind',
    `Ce fichier est ${what}${NBSP}: il n’est pas lu ici. Attendu${NBSP}: R63, R64, R50, R4x, HDM, R15, R151, R171 ou C15.`,
  )

const XML: Record<string, { kind: string; read(text: string, sink: Sink): Promise<void> }> = {
  R15: { kind: 'R15', read: readR15 },
  R151: { kind: 'R151', read: readR151 },
  R171: { kind: 'R171', read: readR171 },
  C15: { kind: 'C15', read: readC15 },
}

async function decodeXml(part: Part, head: string, sink: Sink): Promise<string> {
  if (/<!DOCTYPE\s+html|<html/i.test(head)) throw foreign('une page web')
  const root = rootOf(head)
  const known = Object.hasOwn(XML, root) ? XML[root] : undefined
  if (known) {
    await known.read(await textOf(part), sink)
    return known.kind
  }
  if (root !== 'R50' && root !== 'Courbe') {
    const code = /<(?:\w+:)?(?:Identifiant_Flux|idFlux|flux)>\s*(\w{1,8})\s*</.exec(head)?.[1] ?? root
    throw foreign(flowName(code) ?? flowName(root) ?? `un XML de racine ${quoted(root)}`)
  }
  await giveCurves(part, sink)
  return root === 'R50' ? 'R50' : 'R4x'
}

async function decodeJson(part: Part, head: string, sink: Sink): Promise<string> {
  const code = flowOf(head)
  if (code !== 'R63' && code !== 'R64') {
    if (code) throw foreign(flowName(code) ?? `un flux ${code}`)
    throw foreign(
      /"meter_reading"|"interval_reading"/.test(head) ? 'une réponse de l’interface DataConnect' : 'un document JSON',
    )
  }
  if (code === 'R64') await readR64(parseJson(await textOf(part)), sink)
  else await giveCurves(part, sink)
  return code
}

async function decodeCsv(part: Part, text: TextBytes, sink: Sink): Promise<string> {
  const found = findHeader(text)
  const { header } = found
  if (isHdm(header)) {
    await giveCurves(part, sink)
    return 'HDM'
  }
  if (!isR63(header)) throw otherText(part, found)
  const report = createReport()
  const { readings } = await streamR63(part.open(), stopping(report), (series) => sink.days(series))
  if (readings === 0) throw new Quarantined('content', 'Ce R63 ne contient aucune valeur lisible.')
  return 'R63'
}

function otherText(part: Part, found: ReturnType<typeof findHeader>): Quarantined {
  if (isEdf(found.header) || isTable(found))
    return asking(part, 'est un tableau de relevés, et non un flux du distributeur')
  return foreign(`un texte dont la première ligne est ${quoted(found.header.trim())}`)
}

async function giveCurves(part: Part, sink: Sink): Promise<void> {
  const file = parseCurveFile(part.name, await bytesOf(part))
  requireSound(file)
  const guesses = openQuestions(file.detected)
  if (guesses.length > 0) throw asking(part, `ne dit pas ${guesses.map((about) => UNSAID[about]).join(', ni ')}`)
  await sink.days(file.series)
}

const UNSAID = {
  unit: 'son unité',
  stamp: 'ce que marquent ses horodates',
  zone: 'à quelle heure elles sont',
  step: 'son pas de temps',
}

/** Nothing is stored from a guess: what came as it is goes to a person, what was inside something else comes back as it is. */
const asking = ({ bare }: Part, why: string) =>
  bare
    ? new Quarantined(
        'asks',
        `Ce fichier ${why}${NBSP}: il attend dans les imports de courbes que vous disiez comment le lire.`,
      )
    : new Quarantined(
        'kind',
        `Ce fichier ${why}${NBSP}: sortez-le de son archive, puis importez-le depuis l’écran des courbes de charge.`,
      )

/** One row that cannot be read makes the whole file doubtful: the first of them ends the reading. */
const stopping = (report: Report): Report => ({
  ...report,
  error(code, line, prm, message, times) {
    if (BROKEN.includes(code)) throw new Quarantined('content', message())
    report.error(code, line, prm, message, times)
  },
})

function requireSound({ problems, counts }: ParsedFile): void {
  const first = problems.find(({ code, severity }) => severity === 'error' && BROKEN.includes(code))
  const count = BROKEN.reduce((sum, code) => sum + (counts[code] ?? 0), 0)
  if (first) throw new Quarantined('content', first.message)
  if (count > 0)
    throw new Quarantined('content', `${plural(count, 'ligne', 'lignes')} de ce fichier ne peuvent pas être lues.`)
}

/** Whole, for what is read at once. */
async function bytesOf(part: Part): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of part.open()) {
    pieces.push(piece)
    length += piece.length
    if (length > MAX_BYTES)
      throw new Quarantined(
        'content',
        `Ce fichier dépasse ${frenchNumber(MAX_BYTES / 1024 / 1024)}${NBSP}Mo${NBSP}: demandez-le par période ou par groupe de points.`,
      )
  }
  return Buffer.concat(pieces)
}

async function textOf(part: Part): Promise<string> {
  const text = readText(await bytesOf(part))
  return text.decode(0, text.bytes.length)
}
