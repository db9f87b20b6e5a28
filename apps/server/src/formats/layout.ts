import { plain } from '../french.ts'
import { directionOf, unitOf } from './codes.ts'
import { readStamp } from './stamp.ts'
import type { Direction, Stamp, Unit } from './types.ts'

/** What the columns of a table are, by their titles; -1 where there is none. */
export type Layout = {
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
  stamp: Stamp | null
  /** Summer or winter stands beside each stamp: it is the legal time. */
  legal: boolean
  /** Columns that may hold values, in their order. */
  values: number[]
}
export type Titled = { direction: Direction | null; unit: Unit | null }

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
  return readStamp(bytes, 0, bytes.length, { minute: 0, offset: null, seconds: 0 })
}
const isDate = (text: string) => isStamp(`${text} 00:00`)
const holdsPrm = (title: string) => /(?<!\d)\d{14}(?!\d)/.test(title)

/** Null where no column is one of dates, or nothing stands beside it. */
export function layoutOf(titles: string[]): Layout | null {
  const names = titles.map(plain)
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
  if (stampAt < 0 || isLetter(titles)) return null
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
  const said = `${names[stampAt]} ${timeAt < 0 ? '' : names[timeAt]}`
  const stamp = /\bdebut\b/.test(said) ? 'start' : /\bfin\b/.test(said) ? 'end' : null
  return { titles, titled: true, stampAt, ...roles, stamp, legal: legalAt >= 0, values }
}

/** A sentence is no row of titles. */
const isLetter = (titles: string[]) => titles.some((title) => title.length > 120)

/** Whether a line is a first row of readings under these titles. */
export function startsRow(titles: string[], line: string, separator: number): boolean {
  const layout = layoutOf(titles)
  const cells = splitTitles(line, separator)
  const stamp = cells[layout?.stampAt ?? 0] ?? ''
  return isStamp(stamp) || (layout !== null && layout.timeAt >= 0 && isDate(stamp))
}

export const unitIn = (title: string): Unit | null => unitOf(/(?:^|[^\w])(k?Wh?)(?:$|[^\w])/i.exec(title)?.[1] ?? '')
export const sayOf = (title: string): Titled => ({ direction: directionOf(title), unit: unitIn(title) })

/** Of the columns that may hold values, those whose title says so; else the only one there is. */
export function valueColumns({ values, titles }: Layout): number[] {
  const told = values.filter((at) => VALUE.test(plain(titles[at] ?? '')))
  if (told.length > 0) return told
  const filled = values.filter((at) => at < titles.length - 1 || titles[at] !== '' || values.length === 1)
  return filled.length === 1 ? filled : []
}
