import { performance } from 'node:perf_hooks'
import compareHere, { type CompareMonthInput } from '../src/features/energy/allocation-keys/compare-task.ts'
import { openComputePool } from '../src/workers/open.ts'
import { pickSize } from './measure.ts'

const ROUNDS = pickSize(9, 1)
const STEPS = 31 * 96
const { compute, close } = openComputePool({ threads: 1 })

const number = (value: number, digits = 1) =>
  new Intl.NumberFormat('fr-FR', { maximumFractionDigits: digits }).format(value)
const show = (name: string, value: string, goal = '') =>
  console.log(`  ${name.padEnd(58)}${value.padStart(12)}${goal && `  (objectif : ${goal})`}`)

/** A month of readings, tried with two methods as the comparison does. */
function buildMonth(consumers: number): CompareMonthInput {
  const curve = (id: string, most: number) => ({
    id,
    values: Int32Array.from({ length: STEPS }, (_, at) => Math.round(most * (1 + Math.sin((at % 96) / 15)))),
    active: [[0, STEPS]] as [number, number][],
  })
  return {
    steps: STEPS,
    producers: [curve('p', 4000 * consumers)],
    consumers: Array.from({ length: consumers }, (_, n) => curve(`c${n}`, 3000 + n)),
    methods: (['default', 'equal'] as const).map((method) => [{ from: 0, to: STEPS, key: { method } }]),
  }
}

const middle = (times: number[]) => times.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0

/** How long it takes, and for what part of it the server can do nothing else. */
async function measure(make: () => CompareMonthInput, work: (month: CompareMonthInput) => Promise<unknown>) {
  await work(make())
  const times: number[] = []
  let [active, idle] = [0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    const month = make()
    const before = performance.eventLoopUtilization()
    const from = performance.now()
    await work(month)
    times.push(performance.now() - from)
    const used = performance.eventLoopUtilization(before)
    active += used.active
    idle += used.idle
  }
  return { time: middle(times), busy: active / (active + idle) }
}

const beside = (month: CompareMonthInput) => {
  const moved = [...month.producers, ...month.consumers].map(({ values }) => values.buffer as ArrayBuffer) // made here
  return compute('keys.compare', month, { companyId: 1, moved })
}

for (const [name, consumers] of [
  ['petit', 2],
  ['grand', pickSize(600, 3)],
] as const) {
  const make = () => buildMonth(consumers)
  const same = JSON.stringify((await compareHere(make())).value) === JSON.stringify(await beside(make()))
  if (!same) throw new Error('the thread gives something else')
  const here = await measure(make, async (month) => compareHere(month))
  const there = await measure(make, beside)
  show(`calcul ${name} (${consumers} points) sur place`, `${number(here.time)} ms`)
  show(
    `calcul ${name}, dans un fil : rapport des durées`,
    `× ${number(there.time / here.time, 2)}`,
    name === 'grand' ? '× 1,5' : '',
  )
  show(`calcul ${name}, serveur occupé : sur place`, `${number(100 * here.busy)} %`)
  show(`calcul ${name}, serveur occupé : dans un fil`, `${number(100 * there.busy)} %`)
}
await close()
