import { describe, expect, test } from 'vitest'
import {
  AUTUMN_CHANGE_DAY,
  buildDayStamps,
  countUpTo,
  formatParisIso,
  getWattsByDay,
  listProblemCodes,
  OTHER_PRM,
  PRM,
  parseFixture,
  SPRING_CHANGE_DAY,
} from './fixtures.ts'

const r50 = (points: string, prm = PRM) =>
  `<?xml version="1.0" encoding="UTF-8"?><R50 xmlns:xsi ="http://www.w3.org/2001/XMLSchema-instance"><En_Tete_Flux><Identifiant_Flux>R50</Identifiant_Flux><Libelle_Flux>Courbes de charge des PRM du segment C5 sur abonnement</Libelle_Flux><Pas_Publication>30</Pas_Publication></En_Tete_Flux>
<PRM><Id_PRM>${prm}</Id_PRM>
<Donnees_Releve><Date_Releve>2026-02-02</Date_Releve>
${points}
</Donnees_Releve>
</PRM>
</R50>`
const pdc = (stamp: string, value: number | string) => `<PDC><H>${stamp}</H><V>${value}</V><IV>0</IV></PDC>`
const r50Day = (day: string) =>
  r50(
    buildDayStamps(day, 30, 'end', formatParisIso)
      .map((at, n) => pdc(at, n + 1))
      .join('\n'),
  )

type Curve = { unit?: string; quantity?: string; business?: string }
const curve = (points: string, { unit = 'kW', quantity = 'EA', business = 'CONS' }: Curve = {}) =>
  `<Donnees_Courbe><Horodatage_Debut>2026-02-02T00:00:00+01:00</Horodatage_Debut><Granularite>10</Granularite><Unite_Mesure>${unit}</Unite_Mesure><Grandeur_Metier>${business}</Grandeur_Metier><Grandeur_Physique>${quantity}</Grandeur_Physique>
${points}
</Donnees_Courbe>`
const r4x = (...curves: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><Courbe><Entete><Identifiant_Flux>R4x</Identifiant_Flux></Entete>
<Corps><Identifiant_PRM>${PRM}</Identifiant_PRM>
${curves.join('\n')}
</Corps>
</Courbe>`
const point = (stamp: string, value: number | string, status = 'R') =>
  `<Donnees_Point_Mesure Horodatage ="${stamp}" Valeur_Point ="${value}" Statut_Point ="${status}"></Donnees_Point_Mesure>`
const r4xDay = (day: string) =>
  buildDayStamps(day, 10, 'start', formatParisIso)
    .map((at, n) => point(at, n + 1))
    .join('\n')

describe('R50', () => {
  test.each([
    ['2026-02-02', 48],
    [SPRING_CHANGE_DAY, 46],
    [AUTUMN_CHANGE_DAY, 50],
  ])('%s holds %d half hours stamped at their end', (day, steps) => {
    const file = parseFixture(r50Day(day), 'R50.xml')
    expect(file.detected).toMatchObject({
      format: 'r50',
      unit: 'W',
      stamp: 'end',
      stampCertain: true,
      zone: 'offset',
      steps: [30],
    })
    expect(file.series).toMatchObject([{ prm: PRM, direction: 'consumption' }])
    expect(getWattsByDay(file)).toEqual({ [day]: countUpTo(steps) })
    expect(file.problems).toEqual([])
  })

  test('holes and unreadable points are told with their line', () => {
    const file = parseFixture(
      r50([pdc('2026-02-02T00:30:00+01:00', 5), pdc('2026-02-02T01:00:00+01:00', ''), pdc('hier', 6)].join('\n')),
    )
    expect(getWattsByDay(file)['2026-02-02']?.slice(0, 2)).toEqual([5, -1])
    expect(listProblemCodes(file)).toEqual(['5 gap warning', '6 unreadable error'])
  })

  test('a wrong point is refused, and the others are read', () => {
    const good = r50Day('2026-02-02').replace(
      '</PRM>\n</R50>',
      `</PRM><PRM><Id_PRM>12</Id_PRM>${pdc('2026-02-02T00:30:00+01:00', 5)}</PRM></R50>`,
    )
    const file = parseFixture(good)
    expect(file.series).toHaveLength(1)
    expect(file.counts).toEqual({ 'bad-prm': 1 })
    expect(() => parseFixture(r50(pdc('2026-02-02T00:30:00+01:00', 5), OTHER_PRM.slice(1)))).toThrow(
      'aucune valeur lisible',
    )
  })
})

describe('R4x', () => {
  test.each([
    ['2026-02-02', 144],
    [SPRING_CHANGE_DAY, 138],
    [AUTUMN_CHANGE_DAY, 150],
  ])('%s holds %d steps of ten minutes stamped at their start, in kW', (day, steps) => {
    const file = parseFixture(r4x(curve(r4xDay(day))), 'R4Q.xml')
    expect(file.detected).toMatchObject({
      format: 'r4x',
      unit: 'kW',
      stamp: 'start',
      stampCertain: true,
      zone: 'offset',
      steps: [10],
    })
    expect(getWattsByDay(file)).toEqual({ [day]: countUpTo(steps).map((value) => value * 1000) })
    expect(file.problems).toEqual([])
  })

  test('reactive curves are left aside; both directions are read', () => {
    const reactive = curve(r4xDay('2026-02-02'), { unit: 'kVAr', quantity: 'ERI' })
    const production = curve(r4xDay('2026-02-02'), { business: 'PROD' })
    const file = parseFixture(r4x(curve(r4xDay('2026-02-02')), reactive, production))
    expect(file.series.map((one) => one.direction)).toEqual(['consumption', 'production'])
    expect(file.detected.rows).toBe(288)
  })

  test('the status of a point is its quality', () => {
    const at = buildDayStamps('2026-02-02', 10, 'start', formatParisIso)
    const file = parseFixture(
      r4x(curve(['R', 'C', 'E', 'S'].map((status, n) => point(at[n] ?? '', 1, status)).join('\n'))),
    )
    expect([...(file.series[0]?.days[0]?.quality.slice(0, 5) ?? [])]).toEqual([1, 2, 3, 1, 0])
  })
})

describe('refused', () => {
  test.each([
    [
      'a document type',
      `<!DOCTYPE R50 [<!ENTITY x SYSTEM "file:///etc/passwd">]>${r50Day('2026-02-02').slice(38)}`,
      'DOCTYPE',
    ],
    [
      'one hidden far from the start',
      r50Day('2026-02-02').replace('</PRM>', `<!-- ${' '.repeat(5000)} --><!DOCTYPE x></PRM>`),
      'DOCTYPE',
    ],
    ['a cut file', r50Day('2026-02-02').slice(0, -40), 'incomplet ou mal formé'],
    ['crossed tags', '<R50><PRM></R50></PRM>', 'mal formé, vers la ligne 1'],
  ])('%s', (_, text, message) => {
    expect(() => parseFixture(text)).toThrow(message)
  })
})
