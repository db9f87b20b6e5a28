import { describe, expect, test } from 'vitest'
import { ADVANCED_BILLING_PANELS as ADVANCED } from './advanced-billing.tsx'
import { BILLING_PANELS as BILLING } from './billing-page.tsx'
import { groupPanels } from './tabbed-page.tsx'

const panel = (id: string, group?: string) => ({ id, group })

test('rubrics stand under their groups, in the order of the desk', () => {
  const groups = groupPanels([panel('mois', 'Facturer'), panel('banque', 'Encaisser'), panel('avoirs', 'Facturer')])
  expect(groups.map(({ label, panels }) => [label, ...panels.map(({ id }) => id)])).toEqual([
    ['Facturer', 'mois', 'avoirs'],
    ['Encaisser', 'banque'],
  ])
})

test('one without a group stands with the one before it, and none is lost', () => {
  const groups = groupPanels([panel('mois', 'Facturer'), panel('avoirs'), panel('banque', 'Encaisser')])
  expect(groups.map(({ panels }) => panels.length)).toEqual([2, 1])
  expect(groupPanels([panel('avoirs'), panel('mois', 'Facturer'), panel('banque', 'Encaisser')])).toEqual([])
})

test('a single group, or none, is no choice', () => {
  expect(groupPanels([panel('mois', 'Facturer'), panel('avoirs', 'Facturer')])).toEqual([])
  expect(groupPanels([panel('personnes'), panel('roles')])).toEqual([])
})

test('billing follows the work: invoices, what comes in for them, what producers are given, what a building is told', () => {
  expect(groupPanels(BILLING).map(({ label }) => label)).toEqual(['Facturer', 'Encaisser', 'Reverser', 'Copropriété'])
})

describe.each([
  ['billing', BILLING],
  ['advanced billing', ADVANCED],
])('%s', (_, panels) => {
  const groups = groupPanels(panels)

  test('each rubric is in a group, and no row has more than a screen of 1440 px holds', () => {
    expect(panels.filter(({ group }) => !group)).toEqual([])
    expect(groups.flatMap((group) => group.panels).length).toBe(panels.length)
    expect(groups.length).toBeLessThanOrEqual(6)
    expect(groups.filter((group) => group.panels.length > 5)).toEqual([])
  })

  test('no two bear one name, a group and a rubric included', () => {
    const names = [...groups.map(({ label }) => label), ...panels.map(({ label }) => label)]
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })
})
