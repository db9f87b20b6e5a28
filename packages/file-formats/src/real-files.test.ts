import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { sumKnown } from '@voisol/energy/series'
import { describe, expect, test } from 'vitest'
import type { CurveFileChoices, ParsedFile } from './curve-file-types.ts'
import { OTHER_PRM, PRM } from './fixtures.ts'
import { parseCurveFile } from './parse-curve-file.ts'

// From the root of the project; not part of it.
const DATA = new URL('../../../../shared/data/', import.meta.url)
const present = existsSync(DATA)
const FLOWS = 'enedis/consometers_sge-tiers'

function read(path: string, choices?: CurveFileChoices): ParsedFile {
  const raw = readFileSync(new URL(path, DATA))
  const bytes = path.endsWith('.gz') ? gunzipSync(raw) : raw
  return parseCurveFile((path.split('/').at(-1) ?? '').replace(/\.gz$/, ''), bytes, choices)
}

/** Watt-minutes of the first series. */
const sumFileEnergy = (file: ParsedFile) =>
  file.series[0]?.days.reduce((sum, { watts, step }) => sum + sumKnown(watts) * step, 0)
const messages = (file: ParsedFile) => file.problems.map(({ line, message }) => `${line}: ${message}`)

if (!present) test.skip('real files: ../shared/data is not there, nothing was read', () => undefined)

describe.skipIf(!present)('real files', () => {
  test('HDM above 36 kVA: ten minutes, stamped at the start, no unit', () => {
    const file = read(`${FLOWS}/CommandeTransmissionHistoriqueMesures/C4-CDC/Enedis_SGE_HDM_A06NW11N.csv.gz`)
    expect(file.detected).toEqual({
      format: 'hdm',
      unit: 'W',
      unitCertain: false,
      steps: [10],
      stepCertain: true,
      stamp: 'start',
      stampCertain: true,
      zone: 'offset',
      zoneCertain: true,
      dstDays: ['2020-03-29', '2020-10-25', '2021-03-28', '2021-10-31'],
      encoding: 'utf-8',
      rows: 105_120,
      readings: 102_672,
      from: '2020-02-03',
      to: '2022-02-02',
    })
    expect(file.series).toMatchObject([{ prm: PRM, direction: 'consumption' }])
    expect(sumFileEnergy(file)).toBe(1_356_368_000 * 10)
    expect(file.counts).toEqual({ gap: 4 })
  })

  test('HDM up to 36 kVA: an hour, then half an hour, stamped at the end', () => {
    const file = read(`${FLOWS}/CommandeTransmissionHistoriqueMesures/C5-CDC/Enedis_SGE_HDM_A06NW0ZI.csv.gz`)
    expect(file.detected).toMatchObject({
      stamp: 'end',
      stampCertain: true,
      unitCertain: true,
      steps: [30, 60],
      rows: 17_866,
      readings: 17_852,
      from: '2021-01-07',
      to: '2022-02-02',
    })
    expect(sumFileEnergy(file)).toBe(580_474_380)
    expect(messages(file)).toEqual([
      '4: Du 07/01/2021 à 00:00 au 07/01/2021 à 13:00, 13 pas sans valeur.',
      '26: Du 07/01/2021 à 22:00 au 07/01/2021 à 23:00, 1 pas sans valeur.',
      '746: Du 06/02/2021 à 22:00 au 06/02/2021 à 23:00, 1 pas sans valeur.',
      '866: Du 11/02/2021 à 23:00 au 12/02/2021 à 00:00, 1 pas sans valeur.',
      '878: Du 12/02/2021 à 12:00 au 13/02/2021 à 00:00, 24 pas sans valeur.',
    ])
    const days = new Map(file.series[0]?.days.map((day) => [day.day, day]))
    expect(days.get('2021-10-31')?.watts).toHaveLength(50)
    expect([...(days.get('2021-10-31')?.watts.slice(2, 8) ?? [])]).toEqual([374, 384, 496, 380, 368, 360])
    expect([...(days.get('2021-03-28')?.watts.slice(0, 5) ?? [])]).toEqual([376, 276, 270, 392, 246])
  })

  test('customer space: a hidden point, stretches of an hour, one day without a row', () => {
    const path = 'curves/Enedis_Conso_Heure_20221024-20240725.csv.gz'
    const file = read(path)
    expect(file.detected).toMatchObject({
      format: 'customer-csv',
      unit: 'W',
      stamp: 'end',
      steps: [30, 60],
      rows: 27_666,
      readings: 27_665,
      from: '2022-10-24',
      to: '2024-07-25',
      dstDays: ['2022-10-30', '2023-03-26', '2023-10-29', '2024-03-31'],
    })
    expect(sumFileEnergy(file)).toBe(641_077_800)
    expect(file.counts).toEqual({ 'bad-prm': 1, gap: 2 })
    expect(messages(file).slice(1)).toEqual([
      '2365: Du 10/01/2023 à 23:00 au 11/01/2023 à 23:00, 24 pas sans valeur.',
      '3925: Du 17/03/2023 à 23:00 au 18/03/2023 à 00:00, 1 pas sans valeur.',
    ])
    expect(read(path, { prm: PRM })).toMatchObject({ series: [{ prm: PRM }], counts: { gap: 2 } })
  })

  test('R50: a day of half hours', () => {
    const file = read(`${FLOWS}/CommandeCollectePublicationMesures/C5-CDC/R50.xml`)
    expect(file.detected).toMatchObject({
      format: 'r50',
      stamp: 'end',
      steps: [30],
      readings: 48,
      from: '2022-02-02',
      to: '2022-02-03',
    })
    expect(file.series).toMatchObject([{ prm: OTHER_PRM, direction: 'consumption' }])
    const watts = file.series[0]?.days[0]?.watts
    expect([watts?.at(0), watts?.at(-1), sumFileEnergy(file)]).toEqual([476, 616, 1_240_860])
  })

  test('R4Q: the active curve of a day, the reactive one left aside', () => {
    const file = read(`${FLOWS}/CommandeCollectePublicationMesures/C4-CDC/R4Q.xml`)
    expect(file.detected).toMatchObject({
      format: 'r4x',
      unit: 'kW',
      stamp: 'start',
      steps: [10],
      rows: 144,
      readings: 144,
    })
    const watts = file.series[0]?.days[0]?.watts
    expect([watts?.at(0), watts?.at(-1), sumFileEnergy(file)]).toEqual([28_000, 32_000, 45_610_000])
    expect(file.problems).toEqual([])
  })

  test.each([
    [
      `${FLOWS}/CommandeTransmissionHistoriqueMesures/C5-IDX/Enedis_SGE_HDM_A06NW10D.csv.gz`,
      '«\u00a0Puissance maximale quotidienne\u00a0»',
    ],
    [`${FLOWS}/CommandeCollectePublicationMesures/C5-IDX/R151.xml`, 'un flux R151'],
    [`${FLOWS}/CommandeCollectePublicationMesures/C4-IDX/R171.xml`, 'un flux R171'],
    [`${FLOWS}/ConsultationMesuresDetaillees/C5-PA/response.xml`, 'une réponse SOAP'],
    ['enedis/electricore_fixtures/tests/fixtures/flux/r15_acc.xml', 'un flux R15'],
    ['enedis/electricore_fixtures/tests/fixtures/flux/c15_xsd.xml', 'un flux C15'],
    ['enedis/electricore_fixtures/tests/fixtures/flux/f15.xml', 'un flux F15'],
    ['enedis/electricore_fixtures/tests/fixtures/flux/r64.json', 'un flux R64'],
    ['curves/unsw_apartments/bondi_load_filled_30min.csv.gz', 'Aucune colonne'],
  ])('%s is refused by its name', (path, message) => {
    expect(() => read(path)).toThrow(message)
  })
})
