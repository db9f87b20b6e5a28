import { expect, test } from 'vitest'
import { emptySeats, keyOf, packSeats, seatAdder, seatSum } from './seat-pack.ts'

const ids = ['0e8f8a1c-0000-4000-8000-00000000ff01', 'ffffffff-0000-4000-8000-000000000080']
const [one = '', two = ''] = ids.map(keyOf)
const sums = (energy: number, total: number, local: number) => ({ energy, total, local })

test('each is added to its own, whatever the order, and a list that is not told again is the one before', () => {
  const places = new Map([
    [one, 0],
    [two, 1],
  ])
  const all = emptySeats(2)
  const add = seatAdder((key) => places.get(key), all)
  add(
    packSeats([
      [one, sums(1, 2, 3)],
      [two, sums(10, 20, 30)],
    ]),
  )
  const turned = packSeats([
    [two, sums(100, 200, 300)],
    [one, sums(5, 5, 5)],
  ])
  add(turned)
  add({ seats: null, packed: turned.packed })
  expect([seatSum(all, 0), seatSum(all, 1)]).toEqual([sums(11, 12, 13), sums(210, 420, 630)])
})

test('what does not fit four bytes is kept whole, and who is no longer there is passed over', () => {
  const all = emptySeats(1)
  const add = seatAdder((key) => (key === two ? 0 : undefined), all)
  const large = 2 ** 40 + 1
  add(
    packSeats([
      [one, sums(7, 7, 7)],
      [two, sums(large, large - 1, 0)],
    ]),
  )
  expect(seatSum(all, 0)).toEqual(sums(large, large - 1, 0))
  expect(packSeats([[one, sums(2 ** 31 - 1, 0, 0)]]).packed).toHaveLength(12)
  expect(packSeats([[one, sums(2 ** 31, 0, 0)]]).packed).toHaveLength(24)
})
