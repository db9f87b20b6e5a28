import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { METHODS } from '../src/keys/keys.ts'
import type { Measure } from './measure.ts'
import { CONSUMERS, PRODUCERS, STEPS } from './operation.ts'

const TARGET_MS = 1000
const TARGET_MEMORY = 3

const script = fileURLToPath(new URL('./measure.ts', import.meta.url))

function measure(...args: string[]): Measure {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--expose-gc', script, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

const decimals = (value: number, digits: number) => value.toFixed(digits).replace('.', ',')
const milliseconds = (value: number) => `${new Intl.NumberFormat('fr-FR').format(Math.round(value))} ms`.padStart(9)

const count = new Intl.NumberFormat('fr-FR')
console.log(
  `  ${count.format(CONSUMERS)} consommateurs × ${count.format(STEPS)} pas, ${PRODUCERS} producteurs, temps processeur d’un fil`,
)
console.log('  méthode           1er calcul  meilleur   copie nue  rapport  mémoire ÷ données')
let late = 0
for (const method of METHODS) {
  const { first, best, copy, ratio, memory } = measure(method)
  const times = `${milliseconds(first)} ${milliseconds(best)}   ${milliseconds(copy)}`
  console.log(`  ${method.padEnd(18)} ${times} ${decimals(ratio, 1).padStart(8)}  ${decimals(memory, 2).padStart(8)}`)
  if (method !== 'complete' && (best > TARGET_MS || memory > TARGET_MEMORY)) late++
}
console.log(`  default, sans nuit ${milliseconds(measure('default', 'endless').best).padStart(20)}`)
const { pairs = 0 } = measure('default', 'pairs')
console.log(`  qui a reçu de qui (12 mois, ${PRODUCERS} × ${count.format(CONSUMERS)}) ${milliseconds(pairs)}`)
console.log(
  `  objectif : ${TARGET_MS} ms et ${TARGET_MEMORY} × pour les clés à pot commun${late ? ` (${late} au-delà)` : ''}`,
)
