import { deflateRawSync } from 'node:zlib'
import { type CellValue, writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import {
  AUTUMN_CHANGE_DAY,
  buildDayStamps,
  countUpTo,
  formatParisClock,
  getWattsByDay,
  listProblemCodes,
  PRM,
  SPRING_CHANGE_DAY,
} from './fixtures.ts'
import { parseCurveFile } from './parse-curve-file.ts'

const NAME = `${PRM}_Export_courbe_de_charge_Consommation_02022026-03022026.xlsx`
const HEAD: CellValue[][] = [['Courbe de charge'], [], ['', '', 'Début', 'Fin', 'Valeur (en kW)']]
const book = (rows: CellValue[][], sheet = 'Consommation Horaire') =>
  writeXlsx({
    sheets: [
      { name: 'Synthèse', rows: [['Bonjour']] },
      { name: sheet, rows },
    ],
  })
const french = (clock: string) => `${clock.slice(8, 10)}/${clock.slice(5, 7)}/${clock.slice(0, 4)} ${clock.slice(11)}`
/** The export writes Début as Fin less half an hour on the wall clock, even where that time does not exist. */
const before = (clock: string) =>
  new Date(Date.parse(`${clock.replace(' ', 'T')}Z`) - 1_800_000).toISOString().slice(0, 19).replace('T', ' ')
const day = (name: string): CellValue[][] =>
  buildDayStamps(name, 30, 'end', formatParisClock).map((end, n) => [
    '',
    '',
    french(before(end)),
    french(end),
    (n + 1) / 1000,
  ])

test.each([
  ['2026-02-02', 48],
  [SPRING_CHANGE_DAY, 46],
  [AUTUMN_CHANGE_DAY, 50],
])('%s: %d half hours in kW, as texts', async (name, steps) => {
  const file = parseCurveFile(NAME, await book([...HEAD, ...day(name)]))
  expect(file.detected).toMatchObject({
    format: 'customer-xlsx',
    unit: 'kW',
    stamp: 'end',
    stampCertain: true,
    zone: 'Europe/Paris',
    steps: [30],
  })
  expect(file.series).toMatchObject([{ prm: PRM, direction: 'consumption' }])
  expect(getWattsByDay(file)).toEqual({ [name]: countUpTo(steps) })
  expect(file.problems).toEqual([])
})

test('cells that are dates, and no end: the stamp is the start', async () => {
  const rows = buildDayStamps('2026-02-02', 60, 'start', formatParisClock).map((start, n) => [
    new Date(`${start.replace(' ', 'T')}Z`),
    n + 1,
  ])
  const file = parseCurveFile('x.xlsx', await book([['PRM', PRM], ['Début', 'Valeur (en kW)'], ...rows]))
  expect(file.detected).toMatchObject({ stamp: 'start', steps: [60] })
  expect(file.series[0]?.prm).toBe(PRM)
  expect(getWattsByDay(file)).toEqual({ '2026-02-02': countUpTo(24).map((value) => value * 1000) })
})

test('NA is a hole, and nothing where the clock jumps', async () => {
  const [first, , ...rest] = day('2026-02-02')
  const na = (start: string, end: string) => ['', '', start, end, 'NA']
  const file = parseCurveFile(
    NAME,
    await book([...HEAD, first ?? [], na('02/02/2026 00:30:00', '02/02/2026 01:00:00'), ...rest]),
  )
  expect(getWattsByDay(file)['2026-02-02']?.slice(0, 3)).toEqual([1, -1, 3])
  expect(listProblemCodes(file)).toEqual(['5 gap warning'])
  const holes = [na('29/03/2026 01:30:00', '29/03/2026 02:00:00'), na('29/03/2026 02:00:00', '29/03/2026 02:30:00')]
  const spring = parseCurveFile(NAME, await book([...HEAD, ...day(SPRING_CHANGE_DAY), ...holes]))
  expect(getWattsByDay(spring)).toEqual({ [SPRING_CHANGE_DAY]: countUpTo(46) })
  expect(spring.problems.filter(({ severity }) => severity === 'error')).toEqual([])
})

test('a workbook of something else', async () => {
  expect(() => parseCurveFile('x.xlsx', Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0))).toThrow('incomplet ou abîmé')
  const other = await book([['Nom'], ['Anne']], 'Feuille')
  expect(() => parseCurveFile('x.xlsx', other)).toThrow(
    'ses feuilles sont «\u00a0Synthèse\u00a0», «\u00a0Feuille\u00a0»',
  )
})

/** A ZIP archive of raw entries, whose declared sizes may lie. */
function zip(entries: { name: string; content: Buffer; declared?: number }[]): Uint8Array {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, content, declared = content.length } of entries) {
    const packed = deflateRawSync(content)
    const local = Buffer.alloc(30 + name.length)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(name.length, 26)
    local.write(name, 30)
    const entry = Buffer.alloc(46 + name.length)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(declared, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    entry.write(name, 46)
    locals.push(local, packed)
    central.push(entry)
    offset += local.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...central, end])
}

test('archives that are no workbook, and those that swell', () => {
  const bomb = Buffer.alloc(40_000_000, 32)
  const rels = { name: 'xl/_rels/workbook.xml.rels', content: bomb }
  const workbook = { name: 'xl/workbook.xml', content: Buffer.from('<workbook/>') }
  expect(() => parseCurveFile('x.zip', zip([{ name: 'R63.csv', content: Buffer.from('a') }]))).toThrow(
    'une archive ZIP',
  )
  expect(() => parseCurveFile('x.xlsx', zip([workbook, rels]))).toThrow('se décompresse')
  expect(() => parseCurveFile('x.xlsx', zip([workbook, { ...rels, declared: 1000 }]))).toThrow('se décompresse')
  expect(() => parseCurveFile('x.xlsx', zip([workbook, { ...rels, declared: 4_000_000_000 }]))).toThrow(
    'se décompresse',
  )
})

test('a sheet of too many columns or rows', () => {
  const parts = (sheet: string) => [
    {
      name: 'xl/workbook.xml',
      content: Buffer.from('<workbook><sheets><sheet name="a" r:id="r1"/></sheets></workbook>'),
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: Buffer.from('<Relationships><Relationship Id="r1" Target="sheet.xml"/></Relationships>'),
    },
    { name: 'xl/sheet.xml', content: Buffer.from(`<worksheet><sheetData>${sheet}</sheetData></worksheet>`) },
  ]
  const wide = Array.from({ length: 12_000 }, (_, n) => `<c><v>${n}</v></c>`).join('')
  expect(() => parseCurveFile('x.xlsx', zip(parts(`<row>${wide}</row>`)))).toThrow('plus de 10\u202f000 colonnes')
  const far = '<row><c r="ZZZZZ1"><v>1</v></c></row>'
  expect(() => parseCurveFile('x.xlsx', zip(parts(far)))).toThrow('plus de 10\u202f000 colonnes')
  const deep = '<row r="2000000000"><c><v>1</v></c></row>'
  expect(() => parseCurveFile('x.xlsx', zip(parts(deep)))).toThrow('lignes')
})
