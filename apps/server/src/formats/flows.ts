import { NBSP, quoteText } from '../french.ts'
import { createStampClock } from './clock.ts'
import {
  isActiveQuantity,
  isKnownStep,
  parseDirection,
  parseQuality,
  parseQualityLetter,
  parseStep,
  parseUnit,
} from './codes.ts'
import { createRawCurve, createRawFile, isPrm, type RawCurve, type RawFile } from './raw.ts'
import { parseTextReading } from './reading.ts'
import type { ParseReport } from './report.ts'
import { createLineCounter, getXmlAttribute, scanXml } from './xml.ts'

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
export function parseR50(text: string, report: ParseReport): RawFile {
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
export function parseR4x(text: string, report: ParseReport): RawFile {
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
