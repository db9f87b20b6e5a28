import { dayStart } from '../src/calendar/calendar.ts'
import { CONSUMPTION_PROFILES, computeLoadWatts } from '../src/model/profiles.ts'
import { computePvWatts } from '../src/model/pv.ts'
import { createSky } from '../src/model/weather.ts'

const TARGET_MS = 6000
const POINTS = 160
const PLANTS = 6
const ROUNDS = 3
const PLACE = { latitude: 45.76, longitude: 4.84 }
const FROM = dayStart('2025-01-01')
const STEPS = (dayStart('2026-07-01') - FROM) / 15

/** As many curves as a demonstration has: one sky, a few plants, and dwellings for three points out of four. */
function generateCurves(): number {
  const sky = createSky('bench', PLACE)
  const temperature = (minute: number) => sky(minute).temperature
  let values = 0
  for (let plant = 0; plant < PLANTS; plant++) {
    const panel = { peakWatts: 36_000, azimuth: 150 + plant * 10, tilt: 20, place: PLACE }
    values += computePvWatts(panel, FROM, STEPS, 15, sky).length
  }
  for (let point = PLANTS; point < POINTS; point++) {
    const profile =
      point % 4 === 0
        ? CONSUMPTION_PROFILES[4 + ((point / 4) % (CONSUMPTION_PROFILES.length - 4))]
        : CONSUMPTION_PROFILES[point % 4]
    if (profile) values += computeLoadWatts(profile, 5000, point, FROM, STEPS, 15, temperature).length
  }
  return values
}

const formatNumber = (value: number) => new Intl.NumberFormat('fr-FR').format(Math.round(value)).padStart(12)

let best = { cpu: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY, values: 0 }
for (let round = 0; round < ROUNDS; round++) {
  const from = performance.now()
  const before = process.threadCpuUsage()
  const values = generateCurves()
  const { user, system } = process.threadCpuUsage(before)
  const cpu = (user + system) / 1000
  if (cpu < best.cpu) best = { cpu, wall: performance.now() - from, values }
}
console.log(`  ${POINTS} points sur 18 mois ${formatNumber(best.values)} valeurs`)
console.log(`  durée                ${formatNumber(best.wall)} ms  (objectif : ${TARGET_MS} ms)`)
console.log(`  processeur           ${formatNumber(best.cpu)} ms`)
console.log(`  débit                ${formatNumber((best.values / best.cpu) * 1000)} valeurs/s`)
