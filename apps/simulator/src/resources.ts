import {
  CURVE_TEMPLATES,
  DAILY_ENERGY_TEMPLATES,
  OTHER_TEMPLATES,
} from '../../server/src/integrations/enedis/call-templates.ts'
import type { RefusalStyle } from './responses.ts'
import type { Direction } from './simulator-state.ts'
import type { ResponseForm } from './write-curve.ts'

type MeasureResource = { form: ResponseForm; sort: 'curve' | 'daily'; direction: Direction }
type OtherResource =
  | 'perimeter'
  | 'services'
  | 'agreements'
  | 'agreement'
  | 'series'
  | 'quantities'
  | 'keys'
  | 'address'
export type ApiResource = {
  voice: RefusalStyle
  measure?: MeasureResource
  other?: OtherResource
  values: Record<string, string>
}

const DIRECTIONS = ['consumption', 'production'] as const
const LEGACY_PATHS: Record<Direction, { curve: string; daily: string }> = {
  consumption: {
    curve: '/metering_data_clc/v5/consumption_load_curve',
    daily: '/metering_data_dc/v5/daily_consumption',
  },
  production: { curve: '/metering_data_plc/v5/production_load_curve', daily: '/metering_data_dp/v5/daily_production' },
}

/** Every path for measures, with the format of its answers. */
const measures = new Map<string, MeasureResource>()
for (const direction of DIRECTIONS) {
  for (const backend of ['dataconnect-v2', 'dataconnect-v1', 'holder'] as const) {
    const form: ResponseForm = backend === 'dataconnect-v2' ? 'new' : 'old'
    measures.set(CURVE_TEMPLATES[backend][direction].path, { form, sort: 'curve', direction })
    measures.set(DAILY_ENERGY_TEMPLATES[backend][direction].path, { form, sort: 'daily', direction })
  }
  measures.set(LEGACY_PATHS[direction].curve, { form: 'old', sort: 'curve', direction })
  measures.set(LEGACY_PATHS[direction].daily, { form: 'old', sort: 'daily', direction })
}

type Pattern = { method: string; test: RegExp; other: OtherResource; voice: RefusalStyle }
const createPattern = (
  other: OtherResource,
  { method, path }: { method: string; path: string },
  voice: RefusalStyle,
): Pattern => ({
  method,
  other,
  voice,
  test: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
})
const PATTERNS: Pattern[] = [
  createPattern('perimeter', OTHER_TEMPLATES.perimeter, 'old'),
  createPattern('services', OTHER_TEMPLATES.services, 'new'),
  createPattern('agreements', OTHER_TEMPLATES.agreements, 'new'),
  createPattern('agreement', OTHER_TEMPLATES.agreement, 'new'),
  createPattern('series', OTHER_TEMPLATES.series, 'new'),
  createPattern('quantities', OTHER_TEMPLATES.quantities, 'new'),
  createPattern('keys', OTHER_TEMPLATES.keys, 'new'),
  createPattern('address', { method: 'GET', path: '/address/v1/{prm}' }, 'old'),
]

function decodeGroups(groups: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))
  } catch {
    return { ...groups } // invalid escapes: no known path
  }
}

export function findResource(method: string, path: string): ApiResource | null {
  const measure = method === 'GET' ? measures.get(path) : undefined
  if (measure) return { voice: measure.form, measure, values: {} }
  for (const { other, voice, test, method: wanted } of PATTERNS) {
    const match = wanted === method ? test.exec(path) : null
    if (match) return { voice, other, values: decodeGroups(match.groups ?? {}) }
  }
  return null
}
