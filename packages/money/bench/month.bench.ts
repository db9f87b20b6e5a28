import type { EnergyCells, MonthInput } from '../src/month/input.ts'
import { computeMonthOutcome, recomputeMonth } from '../src/month/month.ts'

const MEMBERS = 500
const PRODUCERS = 6
const CLASSES = ['P', 'HPH', 'HCH', 'HPB', 'HCB']
const DAYS = 31
const ROUNDS = 5
const TARGET_MS = 1_000

const buildList = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

function buildCells(shift: number): EnergyCells[] {
  let state = 12_345 + shift
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state % 40_000
  }
  return buildList(MEMBERS, (member) =>
    buildList(PRODUCERS, (producer) =>
      CLASSES.map((name) => ({
        member: `M${member}`,
        producer: `P${producer}`,
        class: name,
        wattMinutes: Float64Array.from({ length: DAYS }, next),
      })),
    ),
  ).flat(2)
}

const prm = (at: number) => `3000000${String(at).padStart(7, '0')}`

/** Two tariffs, an index, accise, fees; with the distributor's quantities for every point or for none. */
const month = (shift: number, distributor: boolean): MonthInput => ({
  month: '2026-10',
  resolutionWh: 1,
  sellers: buildList(PRODUCERS, (at) => ({
    id: `S${at}`,
    vat: [{ from: '2020-01-01', to: null, mode: 'standard', rate: 2_000 }],
  })),
  producers: buildList(PRODUCERS, (at) => ({ id: `P${at}`, seller: `S${at}`, accise: at === 0 })),
  members: buildList(MEMBERS, (at) => ({
    id: `M${at}`,
    prm: prm(at),
    buyer: `B${at}`,
    from: '2025-01-01',
    to: null,
    acciseClass: 'menage',
  })),
  cells: buildCells(shift),
  distributor: distributor
    ? buildList(MEMBERS, (at) =>
        CLASSES.map((name, place) => ({
          prm: prm(at),
          from: '2026-10-01',
          to: '2026-11-01',
          class: name,
          wh: 7_001 + at * 13 + place,
        })),
      ).flat()
    : [],
  tariffs: [
    {
      from: '2025-01-01',
      to: '2026-10-17',
      rules: [
        { id: 'base', price: 1_237 },
        { id: 'low', price: 987, class: 'HCB' },
      ],
    },
    {
      from: '2026-10-17',
      to: null,
      rules: [
        { id: 'base2', price: 1_301 },
        { id: 'low2', price: 1_003, class: 'HCB' },
      ],
    },
  ],
  fees: [{ id: 'fee', seller: 'S0', amount: 599, every: 'month', from: '2025-01-01', to: null }],
  discounts: [{ id: 'loyal', percentBp: 250 }],
  accise: [{ class: 'menage', from: '2026-02-01', to: null, centsPerMwh: 3_085 }],
})

/** Processor time of this thread in milliseconds, so that other load on the machine does not distort it. */
function measureLeastTime(work: () => unknown): number {
  const times = buildList(ROUNDS, () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...times)
}

function sumCells({ cells }: MonthInput): number {
  let total = 0
  for (const { wattMinutes } of cells) for (let day = 0; day < wattMinutes.length; day++) total += wattMinutes[day] ?? 0
  return total
}

const ownMonth = month(0, false)
const distributorMonth = month(0, true)
const first = computeMonthOutcome(ownMonth)
if (!first.ok) throw new Error(JSON.stringify(first.issues.slice(0, 3)))
const { units } = first.month
const REPEATS = 50
const bareSumTime = measureLeastTime(() => buildList(REPEATS, () => sumCells(ownMonth))) / REPEATS
const formatMilliseconds = (value: number) => `${value.toFixed(1).replace('.', ',')} ms`.padStart(10)
const count = new Intl.NumberFormat('fr-FR').format(MEMBERS * PRODUCERS * CLASSES.length * DAYS)
console.log(
  `  ${MEMBERS} membres × ${PRODUCERS} producteurs × ${CLASSES.length} classes × ${DAYS} jours : ${count} cellules`,
)
console.log(`  somme nue                      ${formatMilliseconds(bareSumTime)}`)
let lateCount = 0
for (const [name, work] of [
  ['clôture, nos calculs', () => computeMonthOutcome(ownMonth)],
  ['clôture, distributeur', () => computeMonthOutcome(distributorMonth)],
  ['correction : tout a changé', () => recomputeMonth({ input: ownMonth, units }, month(7, false))],
  ['correction : définitif', () => recomputeMonth({ input: ownMonth, units }, distributorMonth)],
] as const) {
  const time = measureLeastTime(work)
  if (time > TARGET_MS) lateCount++
  console.log(`  ${name.padEnd(30)} ${formatMilliseconds(time)}   rapport ${Math.round(time / bareSumTime)}`)
}
console.log(`  objectif : ${TARGET_MS} ms${lateCount ? ` (${lateCount} au-delà)` : ''}`)
