import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { IssuedWeather } from '../../forecast.ts'
import type { PowerSeries } from '../../series/series.ts'

const root = process.env.VOISOL_DATA ?? new URL('../../../../../../shared/data', import.meta.url).pathname
const folder = `${root}/forecasting/ntnu_pv_dayahead`
export const isNtnuDataPresent = existsSync(`${folder}/targets_hourly.csv.gz`)
export const ntnuFolder = folder

export type NtnuSite = { name: string; series: PowerSeries; capacity: number; runs: IssuedWeather[] }
export const TRONDHEIM = { latitude: 63.43, longitude: 10.4 }

const readLines = (file: string) =>
  gunzipSync(readFileSync(`${folder}/${file}`))
    .toString()
    .trimEnd()
    .split('\n')
const toMinute = (stamp: string) => Date.parse(stamp) / 60_000

/** Tenths of the unit of the file as watts, so that small sites keep their decimals. */
const SCALE = 10

function toSeries(rows: string[][]): PowerSeries {
  const startsAt = toMinute(rows[0]?.[1] ?? '')
  const end = toMinute(rows.at(-1)?.[1] ?? '') + 60
  const watts = new Int32Array((end - startsAt) / 60).fill(-1)
  for (const [, time = '', value = ''] of rows)
    if (value !== '') watts[(toMinute(time) - startsAt) / 60] = Math.round(Number(value) * SCALE)
  return { startsAt, step: 60, watts }
}

/** Our names for the columns of the file; columns not listed keep their names. */
const OTHERS: [string, string, (value: number) => number][] = [
  ['cloud', 'effective_cloud_cover:p', (value) => value],
  ['cloud_total', 'total_cloud_cover:p', (value) => value],
  ['temperature', 't_1000hPa:K', (value) => value - 273.15],
  ['humidity', 'relative_humidity_1000hPa:p', (value) => value],
  ['wind', 'wind_speed_10m:ms', (value) => value],
  ['snow', 'snow_depth:cm', (value) => value],
  ['precipitation', 'precip_5min:mm', (value) => value],
  ['snow_water', 'snow_water:kgm2', (value) => value],
  ['pressure', 'msl_pressure:hPa', (value) => value],
  ['visibility', 'visibility:m', (value) => value],
]

function toIssuedWeather(rows: string[][], column: (name: string) => number): IssuedWeather {
  const first = toMinute(rows[0]?.[1] ?? '')
  const count = Math.floor(rows.length / 4)
  const hourly = (of: (row: string[]) => number) =>
    Array.from({ length: count }, (_, hour) =>
      rows.slice(hour * 4, hour * 4 + 4).reduce((s, row) => s + of(row) / 4, 0),
    )
  const cell = (row: string[], name: string) => Number(row[column(name)])
  const others = OTHERS.map(([name, from, turn]) => [name, hourly((row) => turn(cell(row, from)))])
  return {
    issuedAt: Math.floor(toMinute(rows[0]?.[0] ?? '')),
    startsAt: first,
    step: 60,
    values: {
      ghi: hourly((row) => cell(row, 'direct_rad:W') + cell(row, 'diffuse_rad:W')),
      dhi: hourly((row) => cell(row, 'diffuse_rad:W')),
      ...Object.fromEntries(others),
    },
  }
}

function groupRows(rows: string[][], key: (row: string[]) => string): Map<string, string[][]> {
  const groups = new Map<string, string[][]>()
  for (const row of rows) {
    const own = groups.get(key(row)) ?? []
    own.push(row)
    groups.set(key(row), own)
  }
  return groups
}

export function loadNtnuSites(names: string[]): NtnuSite[] {
  const [header = '', ...weather] = readLines('nwp_15min_issued.csv.gz')
  const titles = header.split(',')
  const column = (name: string) => titles.indexOf(name)
  const rows = weather.map((line) => line.split(',')).filter((row) => row[column('set')] === 'train')
  const issued = groupRows(rows, (row) => row[column('site')] ?? '')
  const targets = groupRows(
    readLines('targets_hourly.csv.gz').map((line) => line.split(',')),
    (row) => row[0] ?? '',
  )
  return names.map((name) => {
    const series = toSeries(targets.get(name) ?? [])
    const runs = [...groupRows(issued.get(name) ?? [], (row) => row[0] ?? '').values()].map((run) =>
      toIssuedWeather(run, column),
    )
    return { name, series, capacity: series.watts.reduce((most, value) => Math.max(most, value), 0), runs }
  })
}
