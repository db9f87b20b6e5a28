import { readFileSync } from 'node:fs'
import type { Commune } from '@voisol/contract/communes'

const TABLE = new URL('../../tables/communes.tsv', import.meta.url)
const MOST = 20

/** Accents, case, hyphens, « St » for « Saint », a district or CEDEX do not make another commune. */
export const communeKey = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replace(/\bcedex\b.*$/, '')
    .replace(/\s+\d+\s*(?:er|e|eme)?(?:\s+arrondissement)?\s*$/, '')
    .replace(/\bst(e?)\b/g, 'saint$1')
    .replace(/[^a-z]+/g, '')

type Known = Commune & { key: string }
type Table = { all: Known[]; byCode: Map<string, Known[]> }
let table: Table | undefined

const number = (text: string | undefined) => (text ? Number(text) : null)
function toCommune(line: string): Known {
  const [code = '', name = '', codes = '', latitude, longitude] = line.split('\t')
  const place = { latitude: number(latitude), longitude: number(longitude) }
  return { code, name, postalCodes: codes.split(','), ...place, key: communeKey(name) }
}

/** Thirty-five thousand lines, the most populous first: read at the first question and kept, since they never change. */
function open(): Table {
  if (table) return table
  const all = readFileSync(TABLE, 'utf8').trimEnd().split('\n').map(toCommune)
  const byCode = Map.groupBy(
    all.flatMap((one) => one.postalCodes.map((postal) => [postal, one] as const)),
    ([postal]) => postal,
  )
  table = { all, byCode: new Map([...byCode].map(([postal, pairs]) => [postal, pairs.map(([, one]) => one)])) }
  return table
}

const shown = ({ key: _, ...commune }: Known): Commune => commune

/** By the beginning of a postal code, or of a name; the most populous first. */
export function searchCommunes(q: string): Commune[] {
  const digits = q.replace(/\s/g, '')
  const { all, byCode } = open()
  if (/^\d{5}$/.test(digits)) return (byCode.get(digits) ?? []).map(shown)
  if (/^\d+$/.test(digits))
    return all
      .filter(({ postalCodes }) => postalCodes.some((one) => one.startsWith(digits)))
      .slice(0, MOST)
      .map(shown)
  const key = communeKey(q)
  if (key === '') return []
  const exact = all.filter((one) => one.key === key)
  const begun = all.filter((one) => one.key !== key && one.key.startsWith(key))
  return [...exact, ...begun].slice(0, MOST).map(shown)
}

/** The commune that a postal code and a name mean together; null where they leave a doubt. */
export function communeOf(postalCode: string | undefined, city: string | undefined): Commune | null {
  const found = open().byCode.get(postalCode ?? '') ?? []
  const [only, ...others] = city ? found.filter(({ key }) => key === communeKey(city)) : found
  return only && others.length === 0 ? shown(only) : null
}
