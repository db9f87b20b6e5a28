import type { Totals } from '@voisol/contract/energy'
import { co2Grams, rates } from '@voisol/energy/metrics'
import { meanPrice, type Priced, worthCents } from '@voisol/money/worth'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/client.ts'
import { GROUPS, type Seat, sideOf } from './crews.ts'
import type { Spans } from './fresh.ts'
import { keptOver } from './kept-sums.ts'
import type { Period } from './period.ts'
import {
  byOperation,
  cut,
  type Held,
  type HeldPiece,
  heldOver,
  heldOverEach,
  operationsOf,
  type Piece,
  underRuns,
} from './pieces.ts'
import type { Member } from './scope.ts'
import { type Measured, type Shared, type Sums, sharedUnder } from './sums.ts'

export type Factors = Pick<Config, 'CO2_GRID_GRAMS' | 'CO2_SOLAR_GRAMS' | 'CO2_SOURCE'>

/** Watt-hours with three decimals: the only place where watt-minutes are divided. */
export const toWh = (wattMinutes: number) => Math.round((wattMinutes / 60) * 1000) / 1000

const NOTHING: Measured = {
  energy: 0,
  present: 0,
  expected: 0,
  days: 0,
  holes: false,
  quality: 0,
  estimated: 0,
  seen: 0,
}
const UNSHARED: Shared = { total: 0, local: 0, excluded: 0, steps: 0, given: 0 }

/** Both directions of one operation, or of one member: what was read, and what the runs in force say of it. */
export type Figures = {
  operationId: string
  unitPrice: number | null
  consumes: boolean
  stores: boolean
  /** Batteries stand by themselves: what they charged and released is neither consumed nor produced. */
  read: Sides<Measured>
  run: Sides<Shared>
}
type Sides<T> = { produced: T; consumed: T; charged: T; released: T }

export type Scene = { members: Member[]; pieces: Piece[]; held: Held[] }

const placesOf = (ids: string[]) => {
  const places = new Map(ids.map((id, at) => [id, at]))
  return (id: string) => places.get(id) ?? -1
}

const groupIn = (ids: string[]) => {
  const placeOf = placesOf(ids)
  return (member: Seat) => placeOf(member.operationId) * GROUPS + sideOf(member)
}

export async function sceneOf(
  db: Db,
  companyId: number,
  members: Member[],
  period: Period,
  groupOf: (member: Member, at: number) => number,
): Promise<Scene> {
  const pieces = cut(members, period, groupOf)
  return { members, pieces, held: await heldOver(db, companyId, operationsOf(pieces), period) }
}

/** The groups of each operation in each of the periods. */
export function cutEach(members: Seat[], periods: Period[]): Piece[][] {
  const ids = operationsOf(members)
  const groupOf = groupIn(ids)
  return periods.map((period, nth) => cut(members, period, (member) => nth * ids.length * GROUPS + groupOf(member)))
}

export type Runs = { held: Held[]; under: HeldPiece[] }

/** The runs of each of the periods, and what they gave in all of them. */
export async function runsOver(
  db: Db,
  companyId: number,
  cuts: Piece[][],
  periods: Period[],
): Promise<{ runs: Runs[]; run: Sums<Shared> }> {
  const all = await heldOverEach(db, companyId, operationsOf(cuts.flat()), periods)
  const runs = cuts.map((pieces, nth) => {
    const ids = new Set(operationsOf(pieces))
    const held = (all[nth] ?? []).filter(({ operationId }) => ids.has(operationId))
    return { held, under: underRuns(pieces, held) }
  })
  const under = runs.flatMap((own) => own.under)
  return { runs, run: await sharedUnder(db, companyId, under, 'whole') }
}

const sidesOf = <T>(sums: Sums<T>, group: number, none: T): Sides<T> => {
  const side = (at: number) => sums.get(group + at)?.get('') ?? none
  return { consumed: side(0), produced: side(1), charged: side(2), released: side(3) }
}

/** Of the nth period, each operation that has a member of the selection. */
export function assemble(
  members: Seat[],
  { read, run }: { read: Sums<Measured>; run: Sums<Shared> },
  nth: number,
): Figures[] {
  const crews = [...byOperation(members)]
  return crews.map(([operationId, own], at) => {
    const group = (nth * crews.length + at) * GROUPS
    return {
      operationId,
      unitPrice: own[0]?.unitPrice ?? null,
      consumes: own.some(({ direction, storage }) => direction === 'consumption' && !storage),
      stores: own.some(({ storage }) => storage),
      read: sidesOf(read, group, NOTHING),
      run: sidesOf(run, group, UNSHARED),
    }
  })
}

/** The figures of each of some whole operations over the period, from what is kept of them. */
export async function keptFigures(
  db: Db,
  companyId: number,
  crews: Seat[],
  period: Period,
  stale?: Spans,
): Promise<Figures[]> {
  return assemble(crews, await keptOver(db, companyId, crews, [period], 'whole', groupsOf(crews), stale), 0)
}

/** The groups of an operation's nth period, as `assemble` takes them. */
export const groupsOf = (seats: Seat[]) => {
  const ids = operationsOf(seats)
  const placeOf = placesOf(ids)
  return (operationId: string, nth: number) => (nth * ids.length + placeOf(operationId)) * GROUPS
}

/** The local energy behind a value: what consumers were given; of producers alone, what was shared of theirs. */
const localOf = ({ consumes, run }: Figures) => (consumes ? run.consumed.local : run.produced.local)

/** The local energy of each operation at its own price; null where one has none, rather than a part of the value. */
function pricedOf(figures: Figures[]): Priced[] | null {
  const parts: Priced[] = []
  for (const own of figures) {
    if (own.unitPrice === null) return null
    parts.push({ wattMinutes: localOf(own), price: own.unitPrice })
  }
  return parts.length ? parts : null
}

type Parts = ReturnType<typeof partsOf>
const sumOf = (parts: Parts[], name: keyof Parts) => parts.reduce((total, own) => total + own[name], 0)
const sum = (figures: Figures[], value: (own: Figures) => number) =>
  figures.reduce((total, own) => total + value(own), 0)

/**
 * What a meter counted in the end: shared, left over, or not allocated yet. A run that filled holes with estimates, or
 * that readings have left behind, holds more than they say: then it is the whole, so that the parts always make it.
 */
export function partsOf(energy: number, { total, local }: Pick<Shared, 'total' | 'local'>) {
  const whole = Math.max(energy, total)
  return { whole, local, rest: total - local, pending: whole - total }
}

/** What passes through batteries is told beside the rest: counted in it, it would be counted twice. */
function storageOf(figures: Figures[]): Totals['storage'] {
  const own = figures.filter(({ stores }) => stores)
  if (!own.length) return undefined
  const charge = own.map(({ read, run }) => partsOf(read.charged.energy, run.charged))
  const release = own.map(({ read, run }) => partsOf(read.released.energy, run.released))
  const given = sum(figures, ({ run }) => run.produced.local + run.released.local)
  const got = sum(figures, ({ run }) => run.consumed.local + run.charged.local)
  return {
    charged: toWh(sumOf(charge, 'whole')),
    stored: toWh(sumOf(charge, 'local')),
    pendingCharged: toWh(sumOf(charge, 'pending')),
    released: toWh(sumOf(release, 'whole')),
    restored: toWh(sumOf(release, 'local')),
    pendingReleased: toWh(sumOf(release, 'pending')),
    whole: given === got,
  }
}

/** Rates compare what the runs cover: a day that is not allocated yet lowers none of them. */
export function totalsOf(figures: Figures[], factors: Factors): Totals {
  const injection = figures.map(({ read, run }) => partsOf(read.produced.energy, run.produced))
  const withdrawal = figures.map(({ read, run }) => partsOf(read.consumed.energy, run.consumed))
  const drawn = sum(figures, ({ run }) => run.consumed.total)
  const injected = sum(figures, ({ run }) => run.produced.total)
  const allocated = sum(figures, ({ run }) => run.consumed.local)
  const given = sum(figures, ({ run }) => run.produced.local)
  const storage = storageOf(figures)
  const priced = pricedOf(figures)
  return {
    produced: toWh(sumOf(injection, 'whole')),
    shared: toWh(given),
    surplus: toWh(sumOf(injection, 'rest')),
    pendingProduced: toWh(sumOf(injection, 'pending')),
    consumed: toWh(sumOf(withdrawal, 'whole')),
    allocated: toWh(allocated),
    complement: toWh(sumOf(withdrawal, 'rest')),
    pendingConsumed: toWh(sumOf(withdrawal, 'pending')),
    selfConsumption: rates({ produced: injected, allocated: given, consumed: 0 }).selfConsumption,
    selfProduction: rates({ produced: 0, allocated, consumed: drawn }).selfProduction,
    co2Grams: co2Grams(toWh(sum(figures, localOf)), factors.CO2_GRID_GRAMS, factors.CO2_SOLAR_GRAMS),
    valueCents: priced && worthCents(priced),
    unitPrice: priced && meanPrice(priced),
    ...(storage && { storage }),
  }
}

export const isKnown = (figures: Figures[]) =>
  figures.some(
    ({ read, run }) =>
      Object.values(read).some(({ present }) => present) || Object.values(run).some(({ total }) => total),
  )
