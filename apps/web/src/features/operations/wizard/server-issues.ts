import type { Source } from './body.ts'
import type { Problem } from './check.ts'

type Sources = { sources: Source[]; shareSources: Source[] }

const PLACE = { latitude: 'position', longitude: 'position' }
const FIELDS: Record<string, string> = { ...PLACE, unitPrice: 'price', key: 'method' }
const ROW_FIELDS: Record<string, string> = {
  ...PLACE,
  prm: 'prm',
  email: 'email',
  peakWatts: 'kwc',
  subscribedVa: 'kva',
  azimuth: 'azimuth',
  tilt: 'tilt',
}

/** The field of the wizard that a path of the body was made from. */
export function fieldOf(path: string, { sources, shareSources }: Sources): string {
  const [, part, at, field] = /^(participants|key\.shares)\.(\d+)(?:\.(\w+))?/.exec(path) ?? []
  const source = (part === 'participants' ? sources : shareSources)[Number(at)]
  if (!source) return FIELDS[path] ?? path
  const name = part === 'participants' ? (ROW_FIELDS[field ?? ''] ?? 'name') : field === 'rank' ? 'rank' : 'share'
  return `${source.list}.${source.index}.${name}`
}

export const fieldsOf = (issues: Problem[], sources: Sources): Problem[] =>
  issues.map(({ path, message }) => ({ path: fieldOf(path, sources), message }))

const STEPS: [RegExp, number][] = [
  [/^(name|accNumber|startsOn|endsOn|description)$/, 0],
  [/^pmo/, 1],
  [/^(address|postalCode|city|position|perimeter|zone|capacity)$/, 2],
  [/^producers/, 3],
  [/^consumers\.\d+\.(share|rank)$/, 5],
  [/^consumers/, 4],
  [/^method$/, 5],
  [/^(price|vatMode|surplusBuyer)$/, 6],
]
/** What belongs to no field is said at the end, where the wizard is sent from. */
export const stepOf = (path: string) => STEPS.find(([pattern]) => pattern.test(path))?.[1] ?? 7
