import { addDays, minutesOfDay } from '@voisol/energy/calendar'
import { MISSING } from '@voisol/energy/series'
import { formatCount, formatFrenchNumber, formatFrenchTime, NBSP, quoteText } from '../french.ts'
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
import {
  type CurveFileChoices,
  type DetectedConventions,
  FileRefusedError,
  type ParsedFile,
  type ParsedSeries,
} from './curve-file-types.ts'
import { findHeader } from './detect-table.ts'
import { isEdfHeader, parseEdf } from './edf.ts'
import { isHdmHeader, parseHdm } from './hdm.ts'
import { buildQuestions, isStepCertain } from './import-questions.ts'
import { buildIntervals, type Intervals, toCurveDays } from './intervals.ts'
import { parseWorkbook } from './parse-workbook.ts'
import { isR63Json, parseJsonFile, parseR63Json } from './published-measures.ts'
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
  type ReadingConventions,
  reportNonexistentTimes,
  resolveConventions,
} from './timeline.ts'
import { createStampClock } from './timestamps.ts'
import {
  createForeignJsonRefusal,
  createForeignXmlRefusal,
  createRefusal,
  refuseForeignMagic,
} from './unsupported-files.ts'

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
    const known = file.curves.find((curve) => curve.prm === prm && curve.direction === direction)
    if (known && known.unit !== unit) {
      report.error(
        'unreadable',
        line,
        prm,
        () => `Ligne ${line}${NBSP}: l’unité change dans la courbe du point ${prm}.`,
      )
      return null
    }
    const curve = known ?? createRawCurve(prm, direction, unit)
    if (!known) file.curves.push(curve)
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
