import { NBSP, quoted } from '../french.ts'
import { createClock } from './clock.ts'
import { directionOf, isActive, isStep, qualityIn, qualityOf, stepOf, unitOf } from './codes.ts'
import { createCurve, createFile, isPrm, type RawCurve, type RawFile } from './raw.ts'
import { addTexts } from './reading.ts'
import type { Report } from './report.ts'
import { attribute, lineCounter, scanXml } from './xml.ts'

type Place = { position: number }
const empty = (format: 'r50' | 'r4x'): RawFile =>
  createFile({ format, encoding: 'utf-8', stamp: format === 'r50' ? 'end' : 'start', zone: null })

function createCurves(file: RawFile, report: Report) {
  return (prm: string, direction: RawCurve['direction'], unit: RawCurve['unit'], line: number): RawCurve | null => {
    if (!isPrm(prm)) {
      report.error(
        'bad-prm',
        line,
        '',
        () => `Ligne ${line}${NBSP}: ${quoted(prm)} n’est pas un PRM. Attendu${NBSP}: 14 chiffres.`,
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
    const curve = known ?? createCurve(prm, direction, unit)
    if (!known) file.curves.push(curve)
    return curve
  }
}

const NO_LEAF = { H: '', V: '', IV: '' }

/** R50: half-hourly curves of points up to 36 kVA, in W, each stamped at the end of its interval. */
export function readR50(text: string, report: Report): RawFile {
  const file = empty('r50')
  const clock = createClock(file)
  const curveOf = createCurves(file, report)
  const place: Place = { position: 0 }
  const lineAt = lineCounter(text)
  let curve: RawCurve | null = null
  let leaf = { ...NO_LEAF }
  let step = 0
  let direction: RawCurve['direction'] = null
  const close = (name: string, content: string) => {
    if (name === 'H' || name === 'V' || name === 'IV') leaf[name] = content
    else if (name === 'PDC') {
      file.rows++
      if (curve)
        addTexts(curve, clock, report, {
          stamp: leaf.H,
          value: leaf.V,
          line: lineAt(place.position),
          step,
          quality: qualityIn({ stage: '', nature: '', plausibility: leaf.IV }),
        })
      leaf = { ...NO_LEAF }
    } else if (name === 'Id_PRM') curve = curveOf(content.trim(), direction, 'W', lineAt(place.position))
    else if (name === 'Pas_Publication' && isStep(stepOf(content))) step = stepOf(content)
    else if (name === 'Libelle_Flux' && / C5 /.test(content)) direction = 'consumption'
  }
  scanXml(text, { open: () => undefined, close }, place)
  return file
}

type Header = { step: number; unit: string; direction: string; quantity: string }
const BLANK: Header = { step: 0, unit: '', direction: '', quantity: '' }

function setHeader(header: Header, name: string, content: string): void {
  if (name === 'Granularite') header.step = stepOf(content)
  else if (name === 'Unite_Mesure') header.unit = content
  else if (name === 'Grandeur_Metier') header.direction = content
  else if (name === 'Grandeur_Physique') header.quantity = content
}

/** R4Q, R4H and R4M: curves of points above 36 kVA, each stamped at the start of its interval; reactive curves stand beside. */
export function readR4x(text: string, report: Report): RawFile {
  const file = empty('r4x')
  const clock = createClock(file)
  const curveOf = createCurves(file, report)
  const place: Place = { position: 0 }
  const lineAt = lineCounter(text)
  let prm = ''
  let header = { ...BLANK }
  let curve: RawCurve | null | undefined
  const point = (attributes: string) => {
    const line = lineAt(place.position)
    // The curve is known only once its header is read, at its first point.
    if (curve === undefined)
      curve = isActive(header.quantity) ? curveOf(prm, directionOf(header.direction), unitOf(header.unit), line) : null
    if (!curve) return
    file.rows++
    addTexts(curve, clock, report, {
      stamp: attribute(attributes, 'Horodatage'),
      value: attribute(attributes, 'Valeur_Point'),
      line,
      step: isStep(header.step) ? header.step : 0,
      quality: qualityOf(attribute(attributes, 'Statut_Point')),
    })
  }
  const open = (name: string, attributes: string) => {
    if (name === 'Donnees_Point_Mesure') point(attributes)
    else if (name === 'Donnees_Courbe') {
      header = { ...BLANK }
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
