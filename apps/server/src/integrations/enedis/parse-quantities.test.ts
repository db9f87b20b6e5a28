import { describe, expect, test } from 'vitest'
import { catchEnedisError, useFixedResponseDistributor } from '../../../test/enedis-simulator.ts'

const PRM = '16401220101758'
const QUANTITIES_REQUEST = { acc: 'ACC00000537', prm: PRM, role: 'cons', from: '2026-06-01', to: '2026-07-01' } as const
const { open, say } = useFixedResponseDistributor()

type Figures = Record<string, number | string | null>
const typed = (type: string, figures: Figures, calendar_type = 'DISTRIB') => ({
  type,
  calendar_type,
  quantities: Object.entries(figures).map(([name, value]) => ({ name, value })),
})
const RIGHT = [
  typed('cons', { HPB: 311, HCB: 127 }),
  typed('autocons', { HPB: 97, HCB: 3 }),
  typed('complement', { HPB: 213, HCB: 123 }),
]
const answer = (more: object = {}) => ({
  cons_id: PRM,
  startDate: '2026-05-31T22:00:00Z',
  endDate: '2026-06-30T22:00:00Z',
  unit: 'kWh',
  quantities: RIGHT,
  ...more,
})
const ask = (more: Partial<{ role: 'cons' | 'prod' }> = {}) =>
  open().definitiveEnergy({ ...QUANTITIES_REQUEST, ...more })

describe('definitive quantities', () => {
  test('are accepted for the requested point and month, to the watt-hour', async () => {
    say(answer())
    expect(await ask()).toContainEqual({ type: 'autocons', calendar: 'DISTRIB', name: 'HPB', wh: 97_000 })
    say(answer({ startDate: '2026-06-01', endDate: '2026-07-01T00:00:00Z', unit: 'Wh' }))
    expect(await ask()).toContainEqual({ type: 'autocons', calendar: 'DISTRIB', name: 'HCB', wh: 3 })
    const supplier = RIGHT.map(({ type }, at) => typed(type, { BASE: [14, 6, 7][at] ?? 0 }, 'FOURN'))
    say(answer({ quantities: [...RIGHT, ...supplier] }))
    expect(await ask()).toHaveLength(9)
  })

  test.each([
    ['another point', { cons_id: '16401220101750' }, /16401220101750.*16401220101758/],
    ['no point', { cons_id: undefined }, /ne dit pas de quel point/],
    [
      'another year',
      { startDate: '2025-05-31T22:00:00Z', endDate: '2025-06-30T22:00:00Z' },
      /01\/06\/2025.*01\/06\/2026/,
    ],
    ['a longer period', { endDate: '2026-07-31T22:00:00Z' }, /01\/08\/2026/],
    ['no period', { startDate: undefined }, /période.*rien/],
    ['no unit', { unit: undefined }, /unité/],
    ['an unknown unit', { unit: 'kVAh' }, /kVAh/],
  ])('about %s are quarantined', async (_, more, words) => {
    say(answer(more))
    const { fault } = await catchEnedisError(ask())
    expect(fault).toMatchObject({ code: 'mismatch', nature: 'answer', status: 200 })
    expect(fault.message.replaceAll('\u00a0', ' ')).toMatch(words)
  })

  test.each([
    [
      'negative',
      [typed('cons', { HPB: 311 }), typed('autocons', { HPB: -97 }), typed('complement', { HPB: 408 })],
      /-97/,
    ],
    [
      'an empty text',
      [typed('cons', { HPB: 311 }), typed('autocons', { HPB: '' }), typed('complement', { HPB: 311 })],
      /HPB.*n’a pas de valeur/,
    ],
    [
      'nothing',
      [typed('cons', { HPB: 311 }), typed('autocons', { HPB: null }), typed('complement', { HPB: 311 })],
      /n’a pas de valeur/,
    ],
    [
      'a word',
      [typed('cons', { HPB: 311 }), typed('autocons', { HPB: 'beaucoup' }), typed('complement', { HPB: 311 })],
      /beaucoup/,
    ],
    ['of an unknown class', [...RIGHT.slice(1), typed('cons', { HPX: 311 })], /HPX/],
    ['of the other side', [...RIGHT, typed('prod', { HPB: 5 })], /prod/],
    ['without what was shared', [typed('cons', { HPB: 311 }), typed('complement', { HPB: 311 })], /autocons/],
    ['twice in one class', [...RIGHT, typed('autocons', { HPB: 96 })], /deux fois/],
    [
      'tripled on one side',
      [typed('cons', { HPB: 311 }), typed('autocons', { HPB: 291 }), typed('complement', { HPB: 213 })],
      /291.*213.*311/,
    ],
    [
      'without a class on one side',
      [
        typed('cons', { HPB: 311, HCB: 127 }),
        typed('autocons', { HPB: 97 }),
        typed('complement', { HPB: 213, HCB: 123 }),
      ],
      /HCB/,
    ],
  ])('%s are quarantined', async (_, quantities, words) => {
    say(answer({ quantities }))
    const { fault, requestId } = await catchEnedisError(ask())
    expect(fault).toMatchObject({ code: 'mismatch', nature: 'answer' })
    expect(fault.message.replaceAll('\u00a0', ' ')).toMatch(words)
    expect(requestId).not.toBe('')
  })

  test('of a producer are checked against producer classes', async () => {
    const quantities = [typed('prod', { HPB: 100 }), typed('autocons', { HPB: 60 }), typed('surplus', { HPB: 39 })]
    say(answer({ cons_id: undefined, prod_id: PRM, quantities }))
    expect(await ask({ role: 'prod' })).toHaveLength(3)
    say(answer({ cons_id: undefined, prod_id: PRM }))
    expect((await catchEnedisError(ask({ role: 'prod' }))).fault.code).toBe('mismatch')
  })
})
