import { readFileSync } from 'node:fs'
import type { Commune } from '@voisol/contract/communes'

const TABLE = new URL('../../tables/communes.tsv', import.meta.url)
const MAX_COMMUNES = 20

/** Ignores accents, case, hyphens, « St » for « Saint », districts and CEDEX. */
export const normalizeCommuneName = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replace(/\bcedex\b.*$/, '')
    .replace(/\s+\d+\s*(?:er|e|eme)?(?:\s+arrondissement)?\s*$/, '')
    .replace(/\bst(e?)\b/g, 'saint$1')
    .replace(/[^a-z]+/g, '')

type IndexedCommune = Commune & { key: string }
type Table = { all: IndexedCommune[]; byCode: Map<string, IndexedCommune[]> }
let table: Table | undefined

const parseCoordinate = (text: string | undefined) => (text ? Number(text) : null)
function toCommune(line: string): IndexedCommune {
  const [code = '', name = '', codes = '', latitude, longitude] = line.split('\t')
  const place = { latitude: parseCoordinate(latitude), longitude: parseCoordinate(longitude) }
  return { code, name, postalCodes: codes.split(','), ...place, key: normalizeCommuneName(name) }
}

/** Thirty-five thousand lines, the most populous first: loaded on first use and cached. */
function loadCommuneTable(): Table {
  if (table) return table
  const all = readFileSync(TABLE, 'utf8').trimEnd().split('\n').map(toCommune)
  const byCode = Map.groupBy(
    all.flatMap((one) => one.postalCodes.map((postal) => [postal, one] as const)),
    ([postal]) => postal,
  )
  table = { all, byCode: new Map([...byCode].map(([postal, pairs]) => [postal, pairs.map(([, one]) => one)])) }
  return table
}

const withoutKey = ({ key: _, ...commune }: IndexedCommune): Commune => commune

/** By the beginning of a postal code or of a name; the most populous first. */
export function searchCommunes(q: string): Commune[] {
  const digits = q.replace(/\s/g, '')
  const { all, byCode } = loadCommuneTable()
  if (/^\d{5}$/.test(digits)) return (byCode.get(digits) ?? []).map(withoutKey)
  if (/^\d+$/.test(digits))
    return all
      .filter(({ postalCodes }) => postalCodes.some((one) => one.startsWith(digits)))
      .slice(0, MAX_COMMUNES)
      .map(withoutKey)
  const key = normalizeCommuneName(q)
  if (key === '') return []
  const exact = all.filter((one) => one.key === key)
  const begun = all.filter((one) => one.key !== key && one.key.startsWith(key))
  return [...exact, ...begun].slice(0, MAX_COMMUNES).map(withoutKey)
}

/** The commune that matches a postal code and a name; null where ambiguous. */
export function findCommune(postalCode: string | undefined, city: string | undefined): Commune | null {
  const found = loadCommuneTable().byCode.get(postalCode ?? '') ?? []
  const [only, ...others] = city ? found.filter(({ key }) => key === normalizeCommuneName(city)) : found
  return only && others.length === 0 ? withoutKey(only) : null
}
