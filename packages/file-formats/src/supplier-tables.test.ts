import { type CellValue, writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import {
  AUTUMN_CHANGE_DAY,
  buildDayStamps,
  countUpTo,
  formatParisClock,
  getWattsByDay,
  listProblemCodes,
  OTHER_PRM,
  PRM,
  parseFixture,
  SPRING_CHANGE_DAY,
} from './fixtures.ts'
import { parseCurveFile } from './parse-curve-file.ts'

const french = (clock: string) => `${clock.slice(8, 10)}/${clock.slice(5, 7)}/${clock.slice(0, 4)}`
const DAY = buildDayStamps('2026-02-02', 30, 'start', formatParisClock)
const SURE = { stamp: 'start', zone: 'Europe/Paris' } as const

describe('a table of a supplier', () => {
  test('with titles above its header, which are not its header', () => {
    const text = [
      'Mes consommations;;',
      'Date d’édition;14/02/2026;',
      '',
      `"Date";"Heure";"Consommation (kWh)"`,
      ...DAY.map((clock, n) => `${french(clock)};${clock.slice(11, 16)};0,${String(n + 137)}`),
    ].join('\r\n')
    const file = parseFixture(text, `${PRM}.csv`, SURE)
    expect(file.detected).toMatchObject({ format: 'single', unit: 'kWh', unitCertain: true, steps: [30], rows: 48 })
    expect(file.series).toMatchObject([{ prm: PRM, direction: 'consumption' }])
    expect(getWattsByDay(file)['2026-02-02']?.slice(0, 3)).toEqual([274, 276, 278])
    expect(file.problems).toEqual([])
    const late = parseFixture(text.replace('08:30;0,154', '08:30;x'), `${PRM}.csv`, SURE)
    expect(listProblemCodes(late)).toContain('22 unreadable error')
  })

  test('with the unit beside each value, and its nature', () => {
    const rows = DAY.map(
      (clock, n) => `Conso;"${french(clock)} ${clock.slice(11, 16)}";"0.${n + 137} kWh";${n ? 'Réelle' : 'Estimée'}`,
    )
    const file = parseFixture(['Type;Date;Valeur;Nature', ...rows].join('\n'), `${PRM}.csv`, SURE)
    expect(file.detected).toMatchObject({ unit: 'kWh', unitCertain: true })
    expect(getWattsByDay(file)['2026-02-02']?.[1]).toBe(276)
    expect([...(file.series[0]?.days[0]?.quality.slice(0, 2) ?? [])]).toEqual([3, 1])
    const mixed = parseFixture(['Date;Valeur', `${DAY[0]};0.5 kWh`, `${DAY[1]};500 Wh`].join('\n'), 'x.csv', {
      step: 30,
    })
    expect(listProblemCodes(mixed)).toContain('3 unreadable error')
  })

  test('with consumption and production side by side; two curves of one kind are not guessed at', () => {
    const rows = DAY.map((clock, n) => `${clock};${n};${n * 2}`)
    const both = parseFixture(['Début;Soutirage (W);Injection (W)', ...rows].join('\n'), 'x.csv', { prm: PRM })
    expect(both.series.map(({ prm, direction }) => [prm, direction])).toEqual([
      [PRM, 'consumption'],
      [PRM, 'production'],
    ])
    expect(() => parseFixture(['Début;Puissance (W);Énergie (Wh)', ...rows].join('\n'))).toThrow('Plusieurs colonnes')
  })

  test('with one row for each point and stamp', () => {
    const rows = DAY.flatMap((clock, n) => [`${PRM};${clock};${n + 1}`, `${OTHER_PRM};${clock};${n + 101}`])
    const file = parseFixture(['PDL;Horodate;Puissance (W)', ...rows, '12;2026-02-02 00:00;1'].join('\n'))
    expect(file.detected).toMatchObject({ format: 'long', unit: 'W', stampCertain: false, zoneCertain: false })
    expect(getWattsByDay(file)).toEqual({ '2026-02-02': countUpTo(48) })
    expect(getWattsByDay(file, 1)['2026-02-02']?.[0]).toBe(101)
    expect(listProblemCodes(file)).toEqual(['98 bad-prm error'])
    const units = parseFixture(
      ['Identifiant PRM;Horodate;Valeur;Unité', `${PRM};${DAY[0]};1;kW`, `${PRM};${DAY[1]};1;W`].join('\n'),
      'x.csv',
      { step: 30 },
    )
    expect([units.detected.unit, listProblemCodes(units)]).toEqual(['kW', ['3 unreadable error']])
  })
})

describe('EDF: mes puissances atteintes', () => {
  const HEAD = [
    '',
    'Récapitulatif de mes puissances atteintes en W',
    'Date et heure de relève par le distributeur;Puissance atteinte (W);Nature de la donnée',
  ]
  /** The latest first; the midnight that closes the day stands under it. */
  const block = (day: string) => {
    const ends = buildDayStamps(day, 30, 'end', formatParisClock).map(
      (clock, n) => `${clock.slice(11, 16)}:00;${n + 1};Réelle`,
    )
    return [`${french(day)};;`, ...ends.toReversed()]
  }

  test.each([
    ['2026-02-02', 48],
    [SPRING_CHANGE_DAY, 46],
    [AUTUMN_CHANGE_DAY, 50],
  ])('%s: %d half hours under their date, in the encoding of Windows', (day, steps) => {
    const text = [...HEAD, ...block(day), ''].join('\r\n')
    const file = parseCurveFile(`mes-puissances-atteintes-30min-${PRM}-75010.csv`, Buffer.from(text, 'latin1'))
    expect(file.detected).toMatchObject({ format: 'edf', unit: 'W', stamp: 'end', zone: 'Europe/Paris', steps: [30] })
    expect(file.questions).toEqual([])
    expect(file.series).toMatchObject([{ prm: PRM, direction: 'consumption' }])
    expect(getWattsByDay(file)).toEqual({ [day]: countUpTo(steps) })
    expect(file.problems).toEqual([])
  })

  test('several days, a row written twice and an estimate', () => {
    const [date = '', ...rows] = block('2026-02-03')
    const twice = [date, rows[0] ?? '', rows[0] ?? '', ...rows.slice(1)]
    const text = [...HEAD, ...twice, ...block('2026-02-02')]
      .join('\n')
      .replace('23:30:00;47;Réelle', '23:30:00;47;Estimée')
    const file = parseFixture(text, 'x.csv')
    expect(getWattsByDay(file)).toEqual({ '2026-02-02': countUpTo(48), '2026-02-03': countUpTo(48) })
    expect(file.series[0]?.days[1]?.quality[46]).toBe(3)
    expect(listProblemCodes(file)).toEqual(['1 bad-prm error', '6 duplicate warning'])
  })
})

describe('any workbook', () => {
  const book = (rows: CellValue[][]) =>
    writeXlsx({
      sheets: [
        { name: 'Lisez-moi', rows: [['Bonjour']] },
        { name: 'Relevés', rows },
      ],
    })
  const dated = (clock: string) => new Date(`${clock.replace(' ', 'T')}Z`)

  test('wide, with titles above and cells that are dates', async () => {
    const rows = DAY.map((clock, n): CellValue[] => [dated(clock), (n + 1) / 1000, n === 5 ? null : (n + 101) / 1000])
    const file = parseCurveFile(
      'suivi.xlsx',
      await book([['Résidence'], [], ['Début', `${PRM} (kW)`, `${OTHER_PRM} (kW)`], ...rows]),
      { zone: 'Europe/Paris' },
    )
    expect(file.detected).toMatchObject({ format: 'wide', stamp: 'start', stampCertain: true, unit: 'kW', steps: [30] })
    expect(getWattsByDay(file)).toEqual({ '2026-02-02': countUpTo(48) })
    expect(getWattsByDay(file, 1)['2026-02-02']?.slice(4, 7)).toEqual([105, -1, 107])
    expect(listProblemCodes(file)).toEqual(['9 gap warning'])
  })

  test('long, with dates as texts; the unit is asked as in any other table', async () => {
    const rows = DAY.map((clock, n): CellValue[] => [PRM, `${french(clock)} ${clock.slice(11, 16)}`, 0.1 + n / 10])
    const file = parseCurveFile('suivi.xlsx', await book([['PRM', 'Date', 'Valeur'], ...rows]))
    expect(file.detected).toMatchObject({ format: 'long', unitCertain: false, readings: 48 })
    expect(file.questions.map(({ about }) => about)).toEqual(['unit', 'stamp', 'zone'])
    // 0,1 + 0,2 is 0,3 in a cell, whatever is left of it in binary.
    expect(
      getWattsByDay(parseCurveFile('x.xlsx', await book([['PRM', 'Date', 'Valeur'], ...rows]), { unit: 'kW' }))[
        '2026-02-02'
      ]?.slice(0, 4),
    ).toEqual([100, 200, 300, 400])
  })
})

describe('R63', () => {
  const point = (d: string, v: string, iv: string) => ({ d, v, p: 'PT30M', n: 'B', iv })
  const body = (points: object[]) => ({
    header: { codeFlux: 'R63', format: 'JSON' },
    mesures: [
      {
        idPrm: PRM,
        etapeMetier: 'BRUT',
        grandeur: [{ grandeurMetier: 'CONS', grandeurPhysique: 'PA', unite: 'W', points }],
      },
    ],
  })

  test('in JSON is the same curve, and what the distributor finds implausible is marked', () => {
    const stamps = buildDayStamps('2026-02-02', 30, 'end', formatParisClock)
    const points = stamps.map((d, n) => point(d, String(n + 1), n === 7 ? '1' : '0'))
    const file = parseFixture(JSON.stringify(body(points)), 'R63.json')
    expect(file.detected).toMatchObject({ format: 'r63', unit: 'W', stamp: 'end', steps: [30] })
    expect(file.questions).toEqual([])
    expect(getWattsByDay(file)).toEqual({ '2026-02-02': countUpTo(48) })
    expect([...(file.series[0]?.days[0]?.quality.slice(6, 9) ?? [])]).toEqual([1, 4, 1])
    expect(() => parseFixture('{"header":{"codeFlux":"R63"},"mesures":[{}]}')).toThrow('forme d’une publication')
    expect(() => parseFixture('{"header":{"codeFlux":"R63"},"mesures":[')).toThrow('mal formé')
  })

  test('in CSV too', () => {
    const head =
      'Identifiant PRM;Grandeur physique;Grandeur métier;Etape métier;Unité;Horodate;Valeur;Nature;Pas;Indice de vraisemblance'
    const row = (clock: string, iv: string, stage = 'BRUT') => `${PRM};PA;CONS;${stage};W;${clock};70;B;PT30M;${iv}`
    const file = parseFixture(
      [
        head,
        row('2026-02-02 00:30:00', '0'),
        row('2026-02-02 01:00:00', '2'),
        row('2026-02-02 01:30:00', '', 'BEST'),
      ].join('\n'),
    )
    expect([...(file.series[0]?.days[0]?.quality.slice(0, 3) ?? [])]).toEqual([1, 4, 2])
  })
})
