import { CURVES, DAILY, OTHERS } from '../adapters/enedis/templates.ts'
import type { Voice } from './answers.ts'
import type { Direction } from './schemas.ts'
import type { Form } from './write-curve.ts'

export type Measure = { form: Form; sort: 'curve' | 'daily'; direction: Direction }
export type Other = 'perimeter' | 'services' | 'agreements' | 'agreement' | 'series' | 'quantities' | 'keys' | 'address'
export type Resource = { voice: Voice; measure?: Measure; other?: Other; values: Record<string, string> }

const DIRECTIONS = ['consumption', 'production'] as const
const LEGACY: Record<Direction, { curve: string; daily: string }> = {
  consumption: {
    curve: '/metering_data_clc/v5/consumption_load_curve',
    daily: '/metering_data_dc/v5/daily_consumption',
  },
  production: { curve: '/metering_data_plc/v5/production_load_curve', daily: '/metering_data_dp/v5/daily_production' },
}

/** Every address at which measures are read, with the form in which it answers. */
const measures = new Map<string, Measure>()
for (const direction of DIRECTIONS) {
  for (const backend of ['dataconnect-v2', 'dataconnect-v1', 'holder'] as const) {
    const form: Form = backend === 'dataconnect-v2' ? 'new' : 'old'
    measures.set(CURVES[backend][direction].path, { form, sort: 'curve', direction })
    measures.set(DAILY[backend][direction].path, { form, sort: 'daily', direction })
  }
  measures.set(LEGACY[direction].curve, { form: 'old', sort: 'curve', direction })
  measures.set(LEGACY[direction].daily, { form: 'old', sort: 'daily', direction })
}

type Pattern = { method: string; test: RegExp; other: Other; voice: Voice }
const pattern = (other: Other, { method, path }: { method: string; path: string }, voice: Voice): Pattern => ({
  method,
  other,
  voice,
  test: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
})
const PATTERNS: Pattern[] = [
  pattern('perimeter', OTHERS.perimeter, 'old'),
  pattern('services', OTHERS.services, 'new'),
  pattern('agreements', OTHERS.agreements, 'new'),
  pattern('agreement', OTHERS.agreement, 'new'),
  pattern('series', OTHERS.series, 'new'),
  pattern('quantities', OTHERS.quantities, 'new'),
  pattern('keys', OTHERS.keys, 'new'),
  pattern('address', { method: 'GET', path: '/address/v1/{prm}' }, 'old'),
]

function decoded(groups: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))
  } catch {
    return { ...groups } // badly escaped: it names nothing that is known
  }
}

export function resourceOf(method: string, path: string): Resource | null {
  const measure = method === 'GET' ? measures.get(path) : undefined
  if (measure) return { voice: measure.form, measure, values: {} }
  for (const { other, voice, test, method: wanted } of PATTERNS) {
    const match = wanted === method ? test.exec(path) : null
    if (match) return { voice, other, values: decoded(match.groups ?? {}) }
  }
  return null
}
