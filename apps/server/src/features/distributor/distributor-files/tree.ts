import { addDays, dayOf, isDay } from '@voisol/energy/calendar'
import { scanXml } from '../../../formats/xml.ts'
import { NBSP, quoteText } from '../../../french.ts'
import { QuarantineError } from './refusal.ts'

export type XmlElement = { name: string; text: string; children: XmlElement[] }

/** Streams the elements of these names one by one, so that the document is never a whole tree in memory. */
export function forEachElement(text: string, names: string[], take: (element: XmlElement) => void): void {
  const stack: XmlElement[] = []
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

export const findChild = ({ children }: XmlElement, name: string): XmlElement | undefined =>
  children.find((child) => child.name === name)
export const getChildText = (element: XmlElement, name: string): string => findChild(element, name)?.text ?? ''
export const listChildren = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((child) => child.name === name)

const buildUnreadableError = (what: string, prm: string, text: string) =>
  new QuarantineError('content', `Point ${prm}${NBSP}: ${what} ${quoteText(text)} n’est pas lisible.`)

/** The local day of a timestamp, shifted by `days`. */
export function parseStampDay(text: string, prm: string, days = 0): string {
  const day = text.slice(0, 10)
  const zoned = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(text)
  const instant = zoned ? Date.parse(text) : 0
  if (!isDay(day) || Number.isNaN(instant)) throw buildUnreadableError('la date', prm, text)
  const local = zoned ? dayOf(Math.floor(instant / 60_000)) : day
  return addDays(local, days)
}

const UNIT_SCALES: Record<string, number> = { wh: 1, kwh: 1000, mwh: 1_000_000 }
/** Watt-hours per unit; undefined for a unit that is not energy. */
export const findUnitScale = (unit: string): number | undefined => UNIT_SCALES[unit.trim().toLowerCase()]

export function parseWh(text: string, scale: number, prm: string): number {
  if (!/^-?\d{1,12}([.,]\d{1,6})?$/.test(text)) throw buildUnreadableError('la valeur', prm, text)
  return Math.round(Number(text.replace(',', '.')) * scale)
}

export function parsePrm(element: XmlElement, name: string): string {
  const prm = getChildText(element, name)
  if (!/^\d{14}$/.test(prm))
    throw new QuarantineError('content', `${quoteText(prm)} n’est pas un PRM. Attendu${NBSP}: 14 chiffres.`)
  return prm
}
