import type { Key, MethodResult } from '@voisol/contract/keys'
import type { z } from 'zod'
import { METHODS } from '../../../lib/energy-labels.ts'
import { percent } from '../../../lib/format.ts'
import { wattHours } from '../words.tsx'

export type Result = z.infer<typeof MethodResult>
export type Tried = Result & { id: string; name: string }

/** Each way to share under a short name: a method, or a version of the key. */
export const triedOf = (results: Result[], versions: Key[]): Tried[] =>
  results.map((result) => {
    const version = versions.find(({ id }) => id === result.keyId)
    const name = version ? `Version ${version.number}` : METHODS[result.method].label
    return { ...result, ...inWattHours(result), id: result.keyId ?? result.method, name }
  })

/** Sums are exact up to here: what is shown is divided once. */
const inWattHours = ({ produced, allocated, surplus, consumed, consumers }: Result) => ({
  produced: wattHours(produced),
  allocated: wattHours(allocated),
  surplus: wattHours(surplus),
  consumed: wattHours(consumed),
  consumers: consumers.map((one) => ({
    ...one,
    consumed: wattHours(one.consumed),
    allocated: wattHours(one.allocated),
  })),
})

/** How energy is shared today: by the version in force, or by its method; without coefficients the default rule holds. */
export function baselineOf(tried: Tried[], versions: Key[]): Tried | undefined {
  const current = versions.find(({ inForce }) => inForce)
  return (
    tried.find(({ keyId }) => keyId !== null && keyId === current?.id) ??
    tried.find(({ keyId, method }) => keyId === null && method === current?.method) ??
    tried.find(({ method }) => method === 'default')
  )
}

export type ConsumerLine = {
  id: string
  label: string
  consumed: number
  before: number
  after: number
  change: number
  /** A battery charges: it is nobody who gains or loses. */
  storage: boolean
}

/** Who gains and who loses, the largest change first. */
export function changesOf(baseline: Tried, chosen: Tried, names: ReadonlyMap<string, string>): ConsumerLine[] {
  const before = new Map(baseline.consumers.map(({ pointId, allocated }) => [pointId, allocated]))
  return chosen.consumers
    .map(({ pointId, label: given, consumed, allocated, storage = false }) => {
      const old = before.get(pointId) ?? 0
      const label = names.get(pointId) ?? given
      return { id: pointId, label, consumed, before: old, after: allocated, change: allocated - old, storage }
    })
    .sort(
      (a, b) =>
        Number(a.storage) - Number(b.storage) ||
        Math.abs(b.change) - Math.abs(a.change) ||
        a.label.localeCompare(b.label, 'fr'),
    )
}

/** What batteries took of the production: a part of what was shared, and nobody's local energy yet. */
export const storedOf = ({ consumers }: Pick<Result, 'consumers'>) =>
  consumers.reduce((sum, { storage, allocated }) => sum + (storage ? allocated : 0), 0)
export const hasBattery = ({ consumers }: Pick<Result, 'consumers'>) => consumers.some(({ storage }) => storage)

/** Less than a tenth of a kilowatt-hour is nobody's gain. */
const SAME = 100
export const wayOf = (change: number): 'gains' | 'loses' | 'same' =>
  Math.abs(change) < SAME ? 'same' : change > 0 ? 'gains' : 'loses'

/** The least and the best covered of those who consume. */
export function coverageOf({ consumers }: Pick<Result, 'consumers'>): { least: number; best: number } | null {
  const rates = consumers
    .filter(({ consumed, storage }) => consumed > 0 && !storage)
    .map((one) => one.allocated / one.consumed)
  return rates.length > 0 ? { least: Math.min(...rates), best: Math.max(...rates) } : null
}

/** The spread of the coverage in words anybody reads; the figure behind it is a Gini index. */
export function fairness(inequality: number | null): string {
  if (inequality === null) return '–'
  if (inequality < 0.05) return 'Presque égale'
  if (inequality < 0.15) return 'Assez égale'
  if (inequality < 0.3) return 'Inégale'
  return 'Très inégale'
}

export const coverageWords = (result: Pick<Result, 'consumers'>) => {
  const found = coverageOf(result)
  return found ? `de ${percent(found.least, 0)} à ${percent(found.best, 0)} couverts` : ''
}

/** Another one than today's, the one that shares most. */
export const suggested = (tried: Tried[], baseline: Tried | undefined) =>
  tried.filter(({ id }) => id !== baseline?.id).sort((a, b) => b.allocated - a.allocated)[0]

/** Today's first, then those that share most. */
export const inOrder = (tried: Tried[], baseline: Tried | undefined) =>
  tried.toSorted((a, b) => Number(b.id === baseline?.id) - Number(a.id === baseline?.id) || b.allocated - a.allocated)
