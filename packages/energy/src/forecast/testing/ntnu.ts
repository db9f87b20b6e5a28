import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Run } from '../../forecast.ts'
import type { Series } from '../../series/series.ts'

const root = process.env.VOISOL_DATA ?? new URL('../../../../../../shared/data', import.meta.url).pathname
const folder = `${root}/forecasting/ntnu_pv_dayahead`
export const ntnuHere = existsSync(`${folder}/targets_hourly.csv.gz`)
export const ntnuFolder = folder

export type Site = { name: string; series: Series; capacity: number; runs: Run[] }
export const TRONDHEIM = { latitude: 63.43, longitude: 10.4 }

const lines = (file: string) =>
  gunzipSync(readFileSync(`${folder}/${file}`))
    .toString()
    .trimEnd()
    .split('\n')
const minute = (stamp: string) => Date.parse(stamp) / 60_000

/** Tenths of the file's unit as watts, so that small sites keep their digits. */
const SCALE = 10

function seriesOf(rows: string[][]): Series {
  const startsAt = minute(rows[0]?.[1] ?? '')
  const end = minute(rows.at(-1)?.[1] ?? '') + 60
  const watts = new Int32Array((end - startsAt) / 60).fill(-1)
  for (const [, time = '', value = ''] of rows)
    if (value !== '') watts[(minute(time) - startsAt) / 60] = Math.round(Number(value) * SCALE)
  return { startsAt, step: 60, watts }
}

/** How the file's columns are called here; the others keep their names. */
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

function runOf(rows: string[][], column: (name: string) => number): Run {
  const first = minute(rows[0]?.[1] ?? '')
  const count = Math.floor(rows.length / 4)
  const hourly = (of: (row: string[]) => number) =>
    Array.from({ length: count }, (_, hour) =>
      rows.slice(hour * 4, hour * 4 + 4).reduce((s, row) => s + of(row) / 4, 0),
    )
  const cell = (row: string[], name: string) => Number(row[column(name)])
  const others = OTHERS.map(([name, from, turn]) => [name, hourly((row) => turn(cell(row, from)))])
  return {
    issuedAt: Math.floor(minute(rows[0]?.[0] ?? '')),
    startsAt: first,
    step: 60,
    values: {
      ghi: hourly((row) => cell(row, 'direct_rad:W') + cell(row, 'diffuse_rad:W')),
      dhi: hourly((row) => cell(row, 'diffuse_rad:W')),
      ...Object.fromEntries(others),
    },
  }
}

function group(rows: string[][], key: (row: string[]) => string): Map<string, string[][]> {
  const groups = new Map<string, string[][]>()
  for (const row of rows) {
    const own = groups.get(key(row)) ?? []
    own.push(row)
    groups.set(key(row), own)
  }
  return groups
}

export function readSites(names: string[]): Site[] {
  const [header = '', ...weather] = lines('nwp_15min_issued.csv.gz')
  const titles = header.split(',')
  const column = (name: string) => titles.indexOf(name)
  const rows = weather.map((line) => line.split(',')).filter((row) => row[column('set')] === 'train')
  const issued = group(rows, (row) => row[column('site')] ?? '')
  const targets = group(
    lines('targets_hourly.csv.gz').map((line) => line.split(',')),
    (row) => row[0] ?? '',
  )
  return names.map((name) => {
    const series = seriesOf(targets.get(name) ?? [])
    const runs = [...group(issued.get(name) ?? [], (row) => row[0] ?? '').values()].map((run) => runOf(run, column))
    return { name, series, capacity: series.watts.reduce((most, value) => Math.max(most, value), 0), runs }
  })
}
