import type { Key, MethodResult } from '@voisol/contract/keys'
import type { z } from 'zod'
import { ALLOCATION_METHOD_LABELS } from '../../../../lib/energy-labels.ts'
import { formatPercent } from '../../../../lib/format.ts'
import { toWattHours } from '../labels.tsx'

export type MethodResultRow = z.infer<typeof MethodResult>
export type ComparedMethod = MethodResultRow & { id: string; name: string }

/** Each way to share under a short name: a method, or a version of the key. */
export const toComparedMethods = (results: MethodResultRow[], versions: Key[]): ComparedMethod[] =>
  results.map((result) => {
    const version = versions.find(({ id }) => id === result.keyId)
    const name = version ? `Version ${version.number}` : ALLOCATION_METHOD_LABELS[result.method].label
    return { ...result, ...convertToWattHours(result), id: result.keyId ?? result.method, name }
  })

/** Sums are exact up to here: what is shown is divided once. */
const convertToWattHours = ({ produced, allocated, surplus, consumed, consumers }: MethodResultRow) => ({
  produced: toWattHours(produced),
  allocated: toWattHours(allocated),
  surplus: toWattHours(surplus),
  consumed: toWattHours(consumed),
  consumers: consumers.map((one) => ({
    ...one,
    consumed: toWattHours(one.consumed),
    allocated: toWattHours(one.allocated),
  })),
})

/** How energy is shared today: by the version in force, or by its method; without coefficients the default rule holds. */
export function findBaseline(tried: ComparedMethod[], versions: Key[]): ComparedMethod | undefined {
  const current = versions.find(({ inForce }) => inForce)
  return (
    tried.find(({ keyId }) => keyId !== null && keyId === current?.id) ??
    tried.find(({ keyId, method }) => keyId === null && method === current?.method) ??
    tried.find(({ method }) => method === 'default')
  )
}

export type ConsumerChange = {
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
export function computeConsumerChanges(
  baseline: ComparedMethod,
  chosen: ComparedMethod,
  names: ReadonlyMap<string, string>,
): ConsumerChange[] {
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
export const sumStoredEnergy = ({ consumers }: Pick<MethodResultRow, 'consumers'>) =>
  consumers.reduce((sum, { storage, allocated }) => sum + (storage ? allocated : 0), 0)
export const hasBattery = ({ consumers }: Pick<MethodResultRow, 'consumers'>) =>
  consumers.some(({ storage }) => storage)

/** Less than a tenth of a kilowatt-hour is nobody's gain. */
const SAME_THRESHOLD_WH = 100
export const classifyChange = (change: number): 'gains' | 'loses' | 'same' =>
  Math.abs(change) < SAME_THRESHOLD_WH ? 'same' : change > 0 ? 'gains' : 'loses'

/** The least and the best covered of those who consume. */
export function computeCoverageRange({
  consumers,
}: Pick<MethodResultRow, 'consumers'>): { least: number; best: number } | null {
  const rates = consumers
    .filter(({ consumed, storage }) => consumed > 0 && !storage)
    .map((one) => one.allocated / one.consumed)
  return rates.length > 0 ? { least: Math.min(...rates), best: Math.max(...rates) } : null
}

/** The spread of the coverage in words anybody reads; the figure behind it is a Gini index. */
export function describeInequality(inequality: number | null): string {
  if (inequality === null) return '–'
  if (inequality < 0.05) return 'Presque égale'
  if (inequality < 0.15) return 'Assez égale'
  if (inequality < 0.3) return 'Inégale'
  return 'Très inégale'
}

export const formatCoverageRange = (result: Pick<MethodResultRow, 'consumers'>) => {
  const range = computeCoverageRange(result)
  return range ? `de ${formatPercent(range.least, 0)} à ${formatPercent(range.best, 0)} couverts` : ''
}

/** Another one than today's, the one that shares most. */
export const findBestAlternative = (tried: ComparedMethod[], baseline: ComparedMethod | undefined) =>
  tried.filter(({ id }) => id !== baseline?.id).sort((a, b) => b.allocated - a.allocated)[0]

/** Today's first, then those that share most. */
export const sortMethods = (tried: ComparedMethod[], baseline: ComparedMethod | undefined) =>
  tried.toSorted((a, b) => Number(b.id === baseline?.id) - Number(a.id === baseline?.id) || b.allocated - a.allocated)
