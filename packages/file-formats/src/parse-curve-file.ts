import { addDays, localTime, minutesOfDay } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { MISSING } from '@voisol/energy/series'
import {
  isActiveQuantity,
  isKnownStep,
  parseDirection,
  parseQuality,
  parseQualityLetter,
  parseStep,
  parseTextReading,
  parseUnit,
} from './cell-values.ts'
import { countLines, decodeTextFile, type TextBytes } from './csv-text.ts'
import type { ReadingUnit, StampPosition } from './curve-file-types.ts'
import {
  type CurveFileChoices,
  type DetectedConventions,
  FileRefusedError,
  type ParsedFile,
  type ParsedSeries,
} from './curve-file-types.ts'
import { findHeader } from './detect-table.ts'
import { isEdfHeader, parseEdf } from './edf.ts'
import { formatCount, formatFrenchNumber, formatFrenchTime, NBSP, quoteText } from './french.ts'
import { isHdmHeader, parseHdm } from './hdm.ts'
import { buildQuestions } from './import-questions.ts'
import { buildIntervals, type Intervals, toCurveDays } from './intervals.ts'
import { parseWorkbook } from './parse-workbook.ts'
import { getFlowCode, parseJsonFile, parseR63Json } from './published-measures.ts'
import { isR63Header, parseR63 } from './r63.ts'
import {
  createParseReport,
  createRawCurve,
  createRawFile,
  isPrm,
  MAX_CURVE_FILE_BYTES,
  MAX_CURVE_FILE_ROWS,
  type ParseReport,
  type RawCurve,
  type RawFile,
} from './raw-curves.ts'
import { parseReadingsTable } from './readings-table.ts'
import { createLineCounter, getRootName, getXmlAttribute, scanXml } from './scan-xml.ts'
import { detectLayout, splitTitles } from './table-layout.ts'
import {
  buildTimeline,
  type CurveTimeline,
  findZoneEvidence,
  type ReadingConventions,
  reportNonexistentTimes,
} from './timeline.ts'
import { createStampClock } from './timestamps.ts'
import { createForeignJsonRefusal, createRefusal, getFlowName } from './unsupported-files.ts'

export { MAX_CURVE_FILE_BYTES, MAX_CURVE_FILE_ROWS } from './raw-curves.ts'

/** Reads a load-curve file of any known format; throws FileRefused when it is none, or too large. */
export function parseCurveFile(name: string, bytes: Uint8Array, choices: CurveFileChoices = {}): ParsedFile {
  if (choices.prm !== undefined && !isPrm(choices.prm))
    throw new FileRefusedError('Le PRM choisi doit avoir 14 chiffres.')
  const report = createParseReport()
  return assembleFile(parseRawFile(name, bytes, report, choices), choices, report)
}

const HEAD_BYTES = 4096
const MIB = 1024 * 1024

const REFUSALS_BY_MAGIC: [number[], string][] = [
  [[0x25, 0x50, 0x44, 0x46], 'Ce fichier est un document PDF, pas une courbe de charge.'],
  [[0x89, 0x50, 0x4e, 0x47], 'Ce fichier est une image PNG, pas une courbe de charge.'],
  [[0xff, 0xd8, 0xff], 'Ce fichier est une image JPEG, pas une courbe de charge.'],
  [[0x47, 0x49, 0x46, 0x38], 'Ce fichier est une image GIF, pas une courbe de charge.'],
  [[0x1f, 0x8b], `Ce fichier est compressé (gzip)${NBSP}: décompressez-le, puis déposez le fichier qu’il contient.`],
  [
    [0x37, 0x7a, 0xbc, 0xaf],
    `Ce fichier est une archive 7z${NBSP}: décompressez-la, puis déposez les fichiers qu’elle contient.`,
  ],
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    `Ce fichier est un classeur Excel d’un ancien format (.xls) ou protégé par un mot de passe${NBSP}: enregistrez-le en .xlsx sans mot de passe.`,
  ],
]

/** Refuses the files that their first bytes give away. */
function refuseForeignMagic(bytes: Uint8Array): void {
  for (const [head, what] of REFUSALS_BY_MAGIC)
    if (head.every((byte, at) => bytes[at] === byte)) throw createRefusal(what)
}

/** Finds out what the file is and reads it; refuses what no reader knows. */
function parseRawFile(name: string, bytes: Uint8Array, report: ParseReport, choices: CurveFileChoices): RawFile {
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

function createForeignXmlRefusal(root: string): FileRefusedError {
  const flow = getFlowName(root) ?? `un XML de racine ${quoteText(root)}`
  return createRefusal(`Ce fichier est ${flow}, pas une courbe de charge.`)
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

const isR63Json = (head: string) => getFlowCode(head) === 'R63'

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

/**
 * Unit, convention and zone of a file: what the format fixes, else what the person chose, else what the data make likely,
 * which is a guess until the person has said so.
 */
function resolveConventions(file: RawFile, choices: CurveFileChoices): ReadingConventions {
  const { zone, zoneCertain } = resolveZone(file, choices)
  const { step } = choices
  return {
    ...resolveUnit(file, choices),
    ...resolveStamp(file, choices, zone),
    zone,
    zoneCertain,
    ...(step && { step }),
  }
}

/** The unit of the curves that name none; each of the others keeps its own. */
function resolveUnit({ curves }: RawFile, choices: CurveFileChoices): Pick<ReadingConventions, 'unit' | 'unitCertain'> {
  const statedUnit = curves.find((curve) => curve.unit)?.unit
  const unknown = curves.filter((curve) => !curve.unit)
  if (statedUnit && unknown.length === 0) return { unit: statedUnit, unitCertain: true }
  if (choices.unit) return { unit: choices.unit, unitCertain: true }
  const unit: ReadingUnit = statedUnit ?? (unknown.some(hasDecimals) ? 'kW' : 'W')
  return { unit, unitCertain: false }
}

function hasDecimals({ values, length }: RawCurve): boolean {
  for (let at = 0; at < length; at++) {
    const value = values[at] ?? 0
    if (!Number.isNaN(value) && value % 1e9 !== 0) return true
  }
  return false
}

function resolveZone(
  { zoned, zone, curves }: RawFile,
  choices: CurveFileChoices,
): Pick<ReadingConventions, 'zone' | 'zoneCertain'> {
  if (zoned) return { zone: 'offset', zoneCertain: true }
  if (zone) return { zone, zoneCertain: true }
  if (choices.zone) return { zone: choices.zone, zoneCertain: true }
  const stamps = new Map(curves.map((curve) => [curve.stamps, curve.length]))
  const found = [...stamps].map(([local, length]) => findZoneEvidence(local, length)).filter((one) => one !== null)
  // One time that Paris does not have is enough to doubt the rest.
  const evidence = found.find(({ proof }) => !proof) ?? found[0]
  return { zone: evidence?.zone ?? 'Europe/Paris', zoneCertain: evidence?.proof ?? false }
}

/** The distributor writes whole days: there the first and the last stamp tell. Others cut where they like. */
const WHOLE_DAY_FORMATS: RawFile['format'][] = ['hdm', 'customer-csv']

/** Whole days run from 00:00 to before midnight when stamps open the interval, from after midnight to 00:00 when they close it. */
function resolveStamp(
  file: RawFile,
  choices: CurveFileChoices,
  zone: ReadingConventions['zone'],
): Pick<ReadingConventions, 'stamp' | 'stampCertain'> {
  if (file.stamp) return { stamp: file.stamp, stampCertain: true }
  if (choices.stamp) return { stamp: choices.stamp, stampCertain: true }
  const votes = { start: 0, end: 0 }
  for (const stamps of new Set(file.curves.map((curve) => curve.stamps))) {
    const length = file.curves.find((curve) => curve.stamps === stamps)?.length ?? 0
    const vote = voteForStamp(stamps, length, zone)
    if (vote) votes[vote]++
  }
  const whole = WHOLE_DAY_FORMATS.includes(file.format)
  if (votes.start > 0 !== votes.end > 0) return { stamp: votes.start > 0 ? 'start' : 'end', stampCertain: whole }
  const usual: StampPosition = whole ? 'end' : 'start'
  return { stamp: usual, stampCertain: false }
}

function voteForStamp(stamps: Int32Array, length: number, zone: ReadingConventions['zone']): StampPosition | null {
  if (length < 2) return null
  let [first, last] = [stamps[0] ?? 0, stamps[0] ?? 0]
  for (let at = 1; at < length; at++) {
    const minute = stamps[at] ?? 0
    if (minute < first) first = minute
    if (minute > last) last = minute
  }
  const clock = (minute: number) =>
    zone === 'Europe/Paris'
      ? ((minute % 1440) + 1440) % 1440
      : localTime(zone === '+01:00' ? minute - 60 : minute).minuteOfDay
  const [opens, closes] = [clock(first) === 0, clock(last) === 0]
  return opens === closes ? null : opens ? 'start' : 'end'
}

/** Turns what a reader found into whole local days, and says how it understood the file. */
function assembleFile(file: RawFile, choices: CurveFileChoices, report: ParseReport): ParsedFile {
  const settled = resolveConventions(file, choices)
  // The columns of a table share their stamps: time is settled once for all of them.
  const timelines = new Map<Int32Array, CurveTimeline>()
  const met = { steps: new Set<number>(), readings: 0 }
  const series: ParsedSeries[] = file.curves.map((curve) => {
    const timeline = timelines.get(curve.stamps) ?? buildTimeline(curve, settled)
    timelines.set(curve.stamps, timeline)
    reportNonexistentTimes(curve, timeline, report)
    const intervals = buildIntervals(curve, timeline, curve.unit ?? settled.unit, report)
    reportGaps(intervals, curve.prm, report)
    countReadings(intervals, met)
    return { prm: curve.prm, direction: curve.direction ?? choices.direction ?? null, days: toCurveDays(intervals) }
  })
  if (met.readings === 0)
    throw new FileRefusedError(
      `Ce fichier ne contient aucune valeur lisible. ${report.problems[0]?.message ?? ''}`.trim(),
    )
  report.problems.sort((a, b) => a.line - b.line)
  const detected = describeFile(file, settled, series, met)
  const questions = buildQuestions(file, settled, detected)
  return { detected, series, questions, problems: report.problems, counts: report.counts }
}

function countReadings({ length, watts, steps }: Intervals, met: { steps: Set<number>; readings: number }): void {
  for (let at = 0; at < length; at++) {
    if (watts[at] === MISSING) continue
    met.readings++
    met.steps.add(steps[at] ?? 0)
  }
}

/** As many distances as this make a step sure. */
const MIN_SUSTAINED_ROWS = 4

/** Told by the file, or the same between all of its rows and often enough; else it is a guess. */
function isStepCertain(file: RawFile, { step }: ReadingConventions, steps: number[]): boolean {
  if (step) return true
  if (file.format === 'hdm' || file.format === 'customer-csv') return true
  if (file.curves.every(({ steps: given, length }) => given?.subarray(0, length).every((one) => one > 0))) return true
  const [only] = steps
  return steps.length === 1 && file.curves.some((curve) => countRowsAtStep(curve, only as Step) >= MIN_SUSTAINED_ROWS) // steps hold steps
}

/** How many rows follow the one before by this step. */
function countRowsAtStep({ stamps, length }: RawCurve, step: Step): number {
  let count = 0
  for (let at = 1; at < length && count < MIN_SUSTAINED_ROWS; at++)
    if (Math.abs((stamps[at] ?? 0) - (stamps[at - 1] ?? 0)) === step) count++
  return count
}

function describeFile(
  file: RawFile,
  settled: ReadingConventions,
  series: ParsedSeries[],
  met: { steps: Set<number>; readings: number },
): DetectedConventions {
  const steps = [...met.steps].sort((a, b) => a - b)
  const { step: _, ...known } = settled
  const days = [...new Set(series.flatMap((one) => one.days.map(({ day }) => day)))].sort()
  return {
    format: file.format,
    ...known,
    steps,
    stepCertain: isStepCertain(file, settled, steps),
    dstDays: days.filter((day) => minutesOfDay(day) !== 1440),
    encoding: file.encoding,
    rows: file.rows,
    readings: met.readings,
    from: days[0] ?? '',
    to: addDays(days.at(-1) ?? '', 1),
  }
}

/** Reports the holes between the first and the last row of a point, as ranges. */
function reportGaps({ length, starts, steps, watts, lines }: Intervals, prm: string, report: ParseReport): void {
  let from = -1
  let missing = 0
  let line = 0
  let end = starts[0] ?? 0
  const close = (to: number) => {
    if (missing > 0) {
      const [opens, count] = [from, missing]
      report.warning(
        'gap',
        line,
        prm,
        () =>
          `Du ${formatFrenchTime(opens)} au ${formatFrenchTime(to)}, ${formatCount(count, 'pas', 'pas')} sans valeur.`,
      )
    }
    missing = 0
  }
  for (let at = 0; at < length; at++) {
    const start = starts[at] ?? 0
    const step = steps[at] ?? 1
    const hole = watts[at] === MISSING
    if ((start > end || hole) && missing === 0) {
      from = Math.min(end, start)
      line = lines[at] ?? 0
    }
    missing += (start - end) / step + (hole ? 1 : 0)
    end = start + step
    if (!hole) close(start)
  }
  close(end)
}

type Place = { position: number }
const createFlowFile = (format: 'r50' | 'r4x'): RawFile =>
  createRawFile({ format, encoding: 'utf-8', stamp: format === 'r50' ? 'end' : 'start', zone: null })

function createCurveFinder(file: RawFile, report: ParseReport) {
  return (prm: string, direction: RawCurve['direction'], unit: RawCurve['unit'], line: number): RawCurve | null => {
    if (!isPrm(prm)) {
      report.error(
        'bad-prm',
        line,
        '',
        () => `Ligne ${line}${NBSP}: ${quoteText(prm)} n’est pas un PRM. Attendu${NBSP}: 14 chiffres.`,
      )
      return null
    }
    const existing = file.curves.find((curve) => curve.prm === prm && curve.direction === direction)
    if (existing && existing.unit !== unit) {
      report.error(
        'unreadable',
        line,
        prm,
        () => `Ligne ${line}${NBSP}: l’unité change dans la courbe du point ${prm}.`,
      )
      return null
    }
    const curve = existing ?? createRawCurve(prm, direction, unit)
    if (!existing) file.curves.push(curve)
    return curve
  }
}

const NO_LEAF = { H: '', V: '', IV: '' }

/** R50: half-hourly curves of points up to 36 kVA, in W, each stamped at the end of its interval. */
function parseR50(text: string, report: ParseReport): RawFile {
  const file = createFlowFile('r50')
  const clock = createStampClock(file)
  const curveOf = createCurveFinder(file, report)
  const place: Place = { position: 0 }
  const lineAt = createLineCounter(text)
  let curve: RawCurve | null = null
  let leaf = { ...NO_LEAF }
  let step = 0
  let direction: RawCurve['direction'] = null
  const close = (name: string, content: string) => {
    if (name === 'H' || name === 'V' || name === 'IV') leaf[name] = content
    else if (name === 'PDC') {
      file.rows++
      if (curve)
        parseTextReading(curve, clock, report, {
          stamp: leaf.H,
          value: leaf.V,
          line: lineAt(place.position),
          step,
          quality: parseQuality({ stage: '', nature: '', plausibility: leaf.IV }),
        })
      leaf = { ...NO_LEAF }
    } else if (name === 'Id_PRM') curve = curveOf(content.trim(), direction, 'W', lineAt(place.position))
    else if (name === 'Pas_Publication' && isKnownStep(parseStep(content))) step = parseStep(content)
    else if (name === 'Libelle_Flux' && / C5 /.test(content)) direction = 'consumption'
  }
  scanXml(text, { open: () => undefined, close }, place)
  return file
}

type Header = { step: number; unit: string; direction: string; quantity: string }
const BLANK_HEADER: Header = { step: 0, unit: '', direction: '', quantity: '' }

function setHeader(header: Header, name: string, content: string): void {
  if (name === 'Granularite') header.step = parseStep(content)
  else if (name === 'Unite_Mesure') header.unit = content
  else if (name === 'Grandeur_Metier') header.direction = content
  else if (name === 'Grandeur_Physique') header.quantity = content
}

/** R4Q, R4H and R4M: curves of points above 36 kVA, each stamped at the start of its interval; reactive curves stand beside. */
function parseR4x(text: string, report: ParseReport): RawFile {
  const file = createFlowFile('r4x')
  const clock = createStampClock(file)
  const curveOf = createCurveFinder(file, report)
  const place: Place = { position: 0 }
  const lineAt = createLineCounter(text)
  let prm = ''
  let header = { ...BLANK_HEADER }
  let curve: RawCurve | null | undefined
  const point = (attributes: string) => {
    const line = lineAt(place.position)
    // The curve is known only once its header is read, at its first point.
    if (curve === undefined)
      curve = isActiveQuantity(header.quantity)
        ? curveOf(prm, parseDirection(header.direction), parseUnit(header.unit), line)
        : null
    if (!curve) return
    file.rows++
    parseTextReading(curve, clock, report, {
      stamp: getXmlAttribute(attributes, 'Horodatage'),
      value: getXmlAttribute(attributes, 'Valeur_Point'),
      line,
      step: isKnownStep(header.step) ? header.step : 0,
      quality: parseQualityLetter(getXmlAttribute(attributes, 'Statut_Point')),
    })
  }
  const open = (name: string, attributes: string) => {
    if (name === 'Donnees_Point_Mesure') point(attributes)
    else if (name === 'Donnees_Courbe') {
      header = { ...BLANK_HEADER }
      curve = undefined
    }
  }
  const close = (name: string, content: string) => {
    if (name === 'Identifiant_PRM') prm = content.trim()
    else setHeader(header, name, content)
  }
  scanXml(text, { open, close }, place)
  return file
}
