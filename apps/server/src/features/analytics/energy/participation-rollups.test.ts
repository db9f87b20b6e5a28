import { expect, test } from 'vitest'
import {
  createPackedSumAdder,
  createParticipationSums,
  getParticipationSum,
  packParticipationSums,
  toPackedKey,
} from './participation-rollups.ts'

const ids = ['0e8f8a1c-0000-4000-8000-00000000ff01', 'ffffffff-0000-4000-8000-000000000080']
const [one = '', two = ''] = ids.map(toPackedKey)
const toSum = (energy: number, total: number, local: number) => ({ energy, total, local })

test('adds each sum to its participation in any order, reusing an omitted list', () => {
  const places = new Map([
    [one, 0],
    [two, 1],
  ])
  const all = createParticipationSums(2)
  const add = createPackedSumAdder((key) => places.get(key), all)
  add(
    packParticipationSums([
      [one, toSum(1, 2, 3)],
      [two, toSum(10, 20, 30)],
    ]),
  )
  const turned = packParticipationSums([
    [two, toSum(100, 200, 300)],
    [one, toSum(5, 5, 5)],
  ])
  add(turned)
  add({ seats: null, packed: turned.packed })
  expect([getParticipationSum(all, 0), getParticipationSum(all, 1)]).toEqual([toSum(11, 12, 13), toSum(210, 420, 630)])
})

test('keeps values above four bytes whole, and ignores removed participations', () => {
  const all = createParticipationSums(1)
  const add = createPackedSumAdder((key) => (key === two ? 0 : undefined), all)
  const large = 2 ** 40 + 1
  add(
    packParticipationSums([
      [one, toSum(7, 7, 7)],
      [two, toSum(large, large - 1, 0)],
    ]),
  )
  expect(getParticipationSum(all, 0)).toEqual(toSum(large, large - 1, 0))
  expect(packParticipationSums([[one, toSum(2 ** 31 - 1, 0, 0)]]).packed).toHaveLength(12)
  expect(packParticipationSums([[one, toSum(2 ** 31, 0, 0)]]).packed).toHaveLength(24)
})
