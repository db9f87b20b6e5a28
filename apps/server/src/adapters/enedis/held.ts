import { dayOf, dayStart, isDay, localTime } from '@voisol/energy/calendar'
import { frenchDay, frenchTime, NBSP, plural, quoted } from '../../french.ts'
import { mismatch } from './shape.ts'
import type { CurvePoint } from './types.ts'

export type Span = { from: string; to: string }

const spanWords = ({ from, to }: Span) => `du ${frenchDay(from)} au ${frenchDay(to)} exclu`

/** An answer about another point than the one that was asked for, or about nobody, is not an answer. */
export function about(asked: string, answered: string | null | undefined): void {
  if (!answered) throw mismatch(`La réponse ne dit pas de quel point elle parle${NBSP}: ${asked} était demandé.`)
  if (asked !== answered)
    throw mismatch(`La réponse parle du point ${answered.slice(0, 40)}${NBSP}; ${asked} était demandé.`)
}

/** Where an agreement names itself, it is the one that was asked for. */
export function ofAgreement(asked: string, answered: string | null | undefined): void {
  if (answered && asked !== answered)
    throw mismatch(`La réponse parle de la convention ${answered.slice(0, 40)}${NBSP}; ${asked} était demandée.`)
}

/** Figures are taken in one unit; what says another, or none, would have to be guessed. */
export function inUnit(unit: string | null | undefined, wanted: string): void {
  if (unit === wanted) return
  const said = unit ? `l’unité ${quoted(unit)}` : 'aucune unité'
  throw mismatch(`La réponse donne ${said}${NBSP}; des valeurs en ${wanted} étaient attendues.`)
}

/** The local day that a date or an instant names, where it names one: midnight in Paris, or in universal time. */
export function dayNamed(text: string): string | null {
  if (isDay(text)) return text
  const at = Date.parse(text)
  if (Number.isNaN(at) || !/T.*(Z|[+-]\d\d:?\d\d)$/.test(text))
    return isDay(text.slice(0, 10)) ? text.slice(0, 10) : null
  if (/T00:00:00(\.0+)?Z$/.test(text)) return text.slice(0, 10)
  const { day, minuteOfDay } = localTime(Math.floor(at / 60_000))
  return minuteOfDay === 0 ? day : null
}

type Said = { from: string | null | undefined; to: string | null | undefined }
export function ofPeriod(asked: Span, said: Said): void {
  const [from, to] = [dayNamed(said.from ?? ''), dayNamed(said.to ?? '')]
  if (from === asked.from && to === asked.to) return
  const words =
    from && to
      ? spanWords({ from, to })
      : `de ${said.from ? quoted(said.from) : 'rien'} à ${said.to ? quoted(said.to) : 'rien'}`
  throw mismatch(`La réponse porte sur la période ${words}${NBSP}; ${spanWords(asked)} était demandé.`)
}

const startOf = ({ end, minutes }: CurvePoint) => end - minutes

/** The values of the days that were asked for. The midnight that opens them may be told as the end of the day before. */
export function ofDays(points: CurvePoint[], span: Span): CurvePoint[] {
  const [first, last] = [dayStart(span.from), dayStart(span.to)]
  const inside = points.filter((point) => startOf(point) >= first && point.end <= last)
  const outside = points.filter((point) => (startOf(point) < first && point.end !== first) || point.end > last)
  if (outside[0]) {
    const many = plural(outside.length, 'valeur est', 'valeurs sont')
    const one = frenchDay(dayOf(startOf(outside[0])))
    throw mismatch(`${many} d’autres jours que ceux demandés (${spanWords(span)})${NBSP}: du ${one} pour la première.`)
  }
  if (!inside.length) throw mismatch(`La réponse ne contient aucune valeur ${spanWords(span)}.`)
  return inside
}

/** From so many values of a day on, none beside another, it is the step that is wrong and not the values that are missing. */
const ALONE = 4

/** What stamps say of the step that is written beside them. */
export function onStep(points: CurvePoint[]): void {
  const told = ({ end, minutes }: CurvePoint) =>
    `la valeur du ${frenchTime(end)} se dit d’un pas de ${minutes}${NBSP}minutes`
  let last: CurvePoint | undefined
  for (const point of points) {
    if (startOf(point) % point.minutes !== 0) throw mismatch(`Horodate hors de son pas${NBSP}: ${told(point)}.`)
    if (last && startOf(point) < last.end)
      throw mismatch(
        `Les horodates contredisent le pas${NBSP}: ${told(point)}, mais une autre finit le ${frenchTime(last.end)}.`,
      )
    last = point
  }
  const sameDay = Map.groupBy(points, (point) => `${dayOf(startOf(point))} ${point.minutes}`)
  for (const own of sameDay.values()) {
    const [first] = own
    if (!first || own.length < ALONE) continue
    if (own.every((point, at) => at === 0 || startOf(point) !== own[at - 1]?.end))
      throw mismatch(
        `Les horodates contredisent le pas${NBSP}: ${told(first)}, et aucune valeur de ce jour n’en suit une autre.`,
      )
  }
}
