import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { KEY_METHODS } from '../src/keys/keys.ts'
import type { MethodMeasure } from './measure.ts'
import { CONSUMERS, PRODUCERS, STEPS } from './operation.ts'
import type { ThreadedMeasure } from './threads.ts'

const TARGET_MS = 1000
const TARGET_MEMORY = 3
const TARGET_COPIES = 8

function runInProcess<T>(file: string, args: string[]): T {
  const script = fileURLToPath(new URL(file, import.meta.url))
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--expose-gc', script, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
const measureMethod = (...args: string[]) => runInProcess<MethodMeasure>('./measure.ts', args)

const formatDecimals = (value: number, digits: number) => value.toFixed(digits).replace('.', ',')
const formatMilliseconds = (value: number) =>
  `${new Intl.NumberFormat('fr-FR').format(Math.round(value))} ms`.padStart(9)

const numberFormat = new Intl.NumberFormat('fr-FR')
console.log(
  `  ${numberFormat.format(CONSUMERS)} consommateurs × ${numberFormat.format(STEPS)} pas, ${PRODUCERS} producteurs, temps processeur d’un fil`,
)
console.log('  méthode           1er calcul  meilleur   copie nue  rapport  mémoire ÷ données')
let overTarget = 0
for (const method of KEY_METHODS) {
  const { first, best, copy, ratio, memory } = measureMethod(method)
  const times = `${formatMilliseconds(first)} ${formatMilliseconds(best)}   ${formatMilliseconds(copy)}`
  console.log(
    `  ${method.padEnd(18)} ${times} ${formatDecimals(ratio, 1).padStart(8)}  ${formatDecimals(memory, 2).padStart(8)}`,
  )
  if (method !== 'complete' && (best > TARGET_MS || memory > TARGET_MEMORY)) overTarget++
}
console.log(`  default, sans nuit ${formatMilliseconds(measureMethod('default', 'endless').best).padStart(20)}`)
const { pairs = 0 } = measureMethod('default', 'pairs')
console.log(
  `  qui a reçu de qui (12 mois, ${PRODUCERS} × ${numberFormat.format(CONSUMERS)}) ${formatMilliseconds(pairs)}`,
)
console.log(
  `  objectif : ${TARGET_MS} ms et ${TARGET_MEMORY} × pour les clés à pot commun${overTarget ? ` (${overTarget} au-delà)` : ''}`,
)

console.log(
  '  à l’horloge        fils    un fil  tous les fils  copie nue  tous ÷ copie  fil le plus occupé ÷ copie (processeur)',
)
let overCopyTarget = 0
for (const method of KEY_METHODS.filter((one) => one !== 'complete')) {
  const { threads, one, all, copy, busiest, copyBusy } = runInProcess<ThreadedMeasure>('./threads.ts', [method])
  const times = `${formatMilliseconds(one)}      ${formatMilliseconds(all)}  ${formatMilliseconds(copy)}`
  const ratios = `${formatDecimals(all / copy, 1).padStart(13)} ${formatDecimals(busiest / copyBusy, 1).padStart(27)}`
  console.log(`  ${method.padEnd(18)} ${String(threads).padStart(4)} ${times} ${ratios}`)
  if (all / copy > TARGET_COPIES) overCopyTarget++
}
console.log(
  `  objectif : ${TARGET_COPIES} copies au plus, à l’horloge${overCopyTarget ? ` (${overCopyTarget} au-delà)` : ''}`,
)
