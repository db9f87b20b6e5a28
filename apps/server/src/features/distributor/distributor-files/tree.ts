import { addDays, dayOf, isDay } from '@voisol/energy/calendar'
import { scanXml } from '../../../formats/xml.ts'
import { NBSP, quoted } from '../../../french.ts'
import { Quarantined } from './refusal.ts'

export type Element = { name: string; text: string; children: Element[] }

/** Gives the elements of these names one by one, each with what it holds: the document is never a whole tree. */
export function eachElement(text: string, names: string[], take: (element: Element) => void): void {
  const stack: Element[] = []
  scanXml(text, {
    open(name) {
      if (stack.length === 0 && !names.includes(name)) return
      const element = { name, text: '', children: [] }
      stack.at(-1)?.children.push(element)
      stack.push(element)
    },
    close(_, content) {
      const element = stack.pop()
      if (!element) return
      if (element.children.length === 0) element.text = content.trim()
      if (stack.length === 0) take(element)
    },
  })
}

export const childOf = ({ children }: Element, name: string): Element | undefined =>
  children.find((child) => child.name === name)
export const textOf = (element: Element, name: string): string => childOf(element, name)?.text ?? ''
export const allOf = ({ children }: Element, name: string): Element[] => children.filter((child) => child.name === name)

const unreadable = (what: string, prm: string, text: string) =>
  new Quarantined('content', `Point ${prm}${NBSP}: ${what} ${quoted(text)} n’est pas lisible.`)

/** The local day of a stamp, `days` later. */
export function dayOfStamp(text: string, prm: string, days = 0): string {
  const day = text.slice(0, 10)
  const zoned = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(text)
  const instant = zoned ? Date.parse(text) : 0
  if (!isDay(day) || Number.isNaN(instant)) throw unreadable('la date', prm, text)
  const local = zoned ? dayOf(Math.floor(instant / 60_000)) : day
  return addDays(local, days)
}

const SCALES: Record<string, number> = { wh: 1, kwh: 1000, mwh: 1_000_000 }
/** Watt-hours of one unit; undefined where it is no energy. */
export const scaleOf = (unit: string): number | undefined => SCALES[unit.trim().toLowerCase()]

export function whOf(text: string, scale: number, prm: string): number {
  if (!/^-?\d{1,12}([.,]\d{1,6})?$/.test(text)) throw unreadable('la valeur', prm, text)
  return Math.round(Number(text.replace(',', '.')) * scale)
}

export function prmOf(element: Element, name: string): string {
  const prm = textOf(element, name)
  if (!/^\d{14}$/.test(prm))
    throw new Quarantined('content', `${quoted(prm)} n’est pas un PRM. Attendu${NBSP}: 14 chiffres.`)
  return prm
}
