import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { METHODS } from '../src/keys/keys.ts'
import type { Measure } from './measure.ts'
import { CONSUMERS, PRODUCERS, STEPS } from './operation.ts'
import type { Threaded } from './threads.ts'

const TARGET_MS = 1000
const TARGET_MEMORY = 3
const TARGET_COPIES = 8

function inProcess<T>(file: string, args: string[]): T {
  const script = fileURLToPath(new URL(file, import.meta.url))
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--expose-gc', script, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
const measure = (...args: string[]) => inProcess<Measure>('./measure.ts', args)

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

console.log(
  '  à l’horloge        fils    un fil  tous les fils  copie nue  tous ÷ copie  fil le plus occupé ÷ copie (processeur)',
)
let beyond = 0
for (const method of METHODS.filter((one) => one !== 'complete')) {
  const { threads, one, all, copy, busiest, copyBusy } = inProcess<Threaded>('./threads.ts', [method])
  const times = `${milliseconds(one)}      ${milliseconds(all)}  ${milliseconds(copy)}`
  const ratios = `${decimals(all / copy, 1).padStart(13)} ${decimals(busiest / copyBusy, 1).padStart(27)}`
  console.log(`  ${method.padEnd(18)} ${String(threads).padStart(4)} ${times} ${ratios}`)
  if (all / copy > TARGET_COPIES) beyond++
}
console.log(`  objectif : ${TARGET_COPIES} copies au plus, à l’horloge${beyond ? ` (${beyond} au-delà)` : ''}`)
