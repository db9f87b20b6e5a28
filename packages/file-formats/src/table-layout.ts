import { parseUnit } from './cell-values.ts'
import type { ReadingUnit, StampPosition } from './curve-file-types.ts'
import { foldText } from './french.ts'
import { parseStamp } from './timestamps.ts'

/** What the columns of a table are, by their titles; -1 where there is none. */
export type TableLayout = {
  titles: string[]
  /** False where the first line is already a reading. */
  titled: boolean
  stampAt: number
  /** The time of the day, where the date stands alone. */
  timeAt: number
  prmAt: number
  directionAt: number
  unitAt: number
  stepAt: number
  natureAt: number
  /** What the title of the stamps says of them. */
  stamp: StampPosition | null
  /** Summer or winter stands beside each stamp: it is the legal time. */
  legal: boolean
  /** Columns that may hold values, in their order. */
  values: number[]
}

const STAMP = /^(horodate|horodatage|date|jour|debut|fin|timestamp|heure de debut|heure de fin)\b/
const TIME = /^(heures?|time|hh:?mm|creneau)\b/
const LEGAL = 'heure legale'
const PRM = /^((n°|numero|num|id|identifiant)[ .]*(de |du )?)?(prm|pdl|rae|point de (livraison|mesure)|point|compteur)$/
const SIDE = /^(sens|direction|grandeur metier)\b/
const UNIT = /^unites?$/
const STEP = /^pas\b/
const NATURE = /^(nature|qualite|statut)\b/
/** Beside the values, and never one of them. */
const OTHER =
  /^(jour|date|heure|debut|fin|pas|indice|etat|etape|grandeur|type|commentaire|source|nom|adresse|contrat|reference|index|cumul|cout|prix|montant|temperature|tarif|periode|mois|annee|semaine)\b|€|euro/
const VALUE = /valeur|puissance|energie|conso|prod|soutir|inject|power|energy|value|(^|\W)k?wh?($|\W)/

export const splitTitles = (line: string, separator: number): string[] =>
  line.split(String.fromCharCode(separator)).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  )

const isStamp = (text: string) => {
  const bytes = new TextEncoder().encode(text)
  return parseStamp(bytes, 0, bytes.length, { minute: 0, offset: null, seconds: 0 })
}
const isDate = (text: string) => isStamp(`${text} 00:00`)
const holdsPrm = (title: string) => /(?<!\d)\d{14}(?!\d)/.test(title)

/** Null where no column is one of dates, or nothing stands beside it. */
export function detectLayout(titles: string[]): TableLayout | null {
  const names = titles.map(foldText)
  const none = {
    timeAt: -1,
    prmAt: -1,
    directionAt: -1,
    unitAt: -1,
    stepAt: -1,
    natureAt: -1,
    stamp: null,
    legal: false,
  }
  if (isStamp(titles[0] ?? ''))
    return {
      ...none,
      titles: titles.map(() => ''),
      titled: false,
      stampAt: 0,
      values: titles.map((_, at) => at).slice(1),
    }
  const stampAt = names.findIndex((name) => STAMP.test(name))
  if (stampAt < 0 || isSentence(titles)) return null
  const find = (pattern: RegExp) => names.findIndex((name, at) => at !== stampAt && pattern.test(name))
  const legalAt = names.indexOf(LEGAL)
  const timeAt = names.findIndex((name, at) => at !== stampAt && at !== legalAt && TIME.test(name))
  const roles = {
    timeAt,
    prmAt: find(PRM),
    directionAt: find(SIDE),
    unitAt: find(UNIT),
    stepAt: find(STEP),
    natureAt: find(NATURE),
  }
  const taken = new Set([stampAt, legalAt, ...Object.values(roles)])
  const values = names.flatMap((name, at) => (taken.has(at) || (OTHER.test(name) && !holdsPrm(name)) ? [] : [at]))
  const stampTitle = `${names[stampAt]} ${timeAt < 0 ? '' : names[timeAt]}`
  const stamp = /\bdebut\b/.test(stampTitle) ? 'start' : /\bfin\b/.test(stampTitle) ? 'end' : null
  return { titles, titled: true, stampAt, ...roles, stamp, legal: legalAt >= 0, values }
}

/** A sentence is no row of titles. */
const isSentence = (titles: string[]) => titles.some((title) => title.length > 120)

/** Whether a line is a first row of readings under these titles. */
export function isFirstReadingRow(titles: string[], line: string, separator: number): boolean {
  const layout = detectLayout(titles)
  const cells = splitTitles(line, separator)
  const stamp = cells[layout?.stampAt ?? 0] ?? ''
  return isStamp(stamp) || (layout !== null && layout.timeAt >= 0 && isDate(stamp))
}

export const parseUnitInTitle = (title: string): ReadingUnit | null =>
  parseUnit(/(?:^|[^\w])(k?Wh?)(?:$|[^\w])/i.exec(title)?.[1] ?? '')

/** Of the columns that may hold values, those whose title says so; else the only one there is. */
export function findValueColumns({ values, titles }: TableLayout): number[] {
  const namedValues = values.filter((at) => VALUE.test(foldText(titles[at] ?? '')))
  if (namedValues.length > 0) return namedValues
  const filled = values.filter((at) => at < titles.length - 1 || titles[at] !== '' || values.length === 1)
  return filled.length === 1 ? filled : []
}
