import { addDays, dayStart, listDays, localTime, minutesOfDay } from '@voisol/energy/calendar'
import { encodeFixture } from '@voisol/file-formats/fixtures'
import { streamR63 } from '@voisol/file-formats/r63-stream'
import { createParseReport } from '@voisol/file-formats/raw-curves'
import { pickSize } from './measure.ts'

const HEADER =
  'Identifiant PRM;Date de début;Date de fin;Grandeur physique;Grandeur métier;Etape métier;Unité;Horodate;Valeur;Nature;Pas;Indice de vraisemblance;Etat complémentaire\n'
const MIB = 1024 * 1024
const SMALL = pickSize(50 * MIB, 1)
const LARGE = pickSize(500 * MIB, 1)

const two = (value: number) => String(value).padStart(2, '0')
const clock = (minute: number) => {
  const { day, minuteOfDay } = localTime(minute)
  return `${day} ${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}:00`
}

/** A year of quarter hours of one point, as the distributor writes it. */
function yearOf(): { bytes: Uint8Array; rows: number; places: number[] } {
  const lines = listDays('2025-01-01', '2026-01-01').flatMap((day) =>
    Array.from({ length: minutesOfDay(day) / 15 }, (_, n) => {
      const stamp = clock(dayStart(day) + (n + 1) * 15)
      return `10000000000000;2025-01-01 00:00:00;${addDays(day, 1)} 00:00:00;PA;CONS;BRUT;W;${stamp};${(n * 37) % 9000};B;PT15M;0;0\n`
    }),
  )
  let at = 0
  const places = lines.map((line) => {
    const from = at
    at += line.length
    return from
  })
  return { bytes: encodeFixture(lines.join('')), rows: lines.length, places }
}

const year = yearOf()

/** As many points as the size takes, each in its own year of rows; nothing of it is kept. */
async function* fileOf(size: number): AsyncGenerator<Uint8Array> {
  yield encodeFixture(HEADER)
  for (let point = 0; point * year.bytes.length < size; point++) {
    const digits = encodeFixture(String(10_000_000_000_000 + point))
    for (const place of year.places) year.bytes.set(digits, place)
    for (let at = 0; at < year.bytes.length; at += MIB) yield year.bytes.subarray(at, at + MIB)
  }
}

const number = (value: number, digits = 0) =>
  new Intl.NumberFormat('fr-FR', { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value)
const show = (name: string, value: string, goal = '') =>
  console.log(`  ${name.padEnd(52)}${value.padStart(14)}${goal && `  (objectif : ${goal})`}`)

async function measure(size: number) {
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const from = performance.now()
  let days = 0
  const { readings } = await streamR63(fileOf(size), createParseReport(), (series) => {
    peak = Math.max(peak, process.memoryUsage().rss)
    for (const one of series) days += one.days.length
  })
  const time = (performance.now() - from) / 1000
  clearInterval(timer)
  return { rate: readings / time, growth: (peak - before) / MIB, days, time }
}

const small = await measure(SMALL)
const large = await measure(LARGE)
show('R63 de 50 Mo : relevés lus', `${number(small.rate)}/s`, '1 000 000/s')
show('R63 de 500 Mo : relevés lus', `${number(large.rate)}/s`, '1 000 000/s')
show('rapport des débits, 500 Mo à 50 Mo', number(large.rate / small.rate, 2), '0,80 au moins')
show('R63 de 50 Mo : mémoire prise au plus', `${number(small.growth)} Mo`, '150 Mo')
show('R63 de 500 Mo : mémoire prise en plus', `${number(large.growth)} Mo`, '150 Mo')
