import { expect, test } from 'vitest'
import { DiscountForm, FeeForm, formatDiscount, formatFee, toDiscountForm, toFeeBody, toFeeForm } from './terms-form.ts'

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const fee = {
  id: id(1),
  operationId: id(2),
  sellerId: id(3),
  seller: 'PMO',
  label: 'Adhésion',
  amount: 437,
  every: 'month' as const,
  startsOn: '2025-03-07',
  endsOn: null,
  rate: 550,
  perKva: true,
  outside: false,
  groupId: null,
  group: '',
  used: false,
  version: 1,
}

test('fees go through their form unchanged', () => {
  const { id: _, operationId, seller, group, used, version, ...body } = fee
  expect(toFeeBody(FeeForm.parse(toFeeForm(fee, '', '')))).toEqual(body)
  const outside = { ...fee, rate: null, outside: true, endsOn: '2025-11-01' }
  expect(toFeeBody(FeeForm.parse(toFeeForm(outside, '', '')))).toMatchObject({
    rate: null,
    outside: true,
    endsOn: '2025-11-01',
  })
  expect(formatFee(fee).replaceAll('\u00a0', ' ')).toBe('4,37 € par mois et par kVA')
})

test('a rate that is typed and not chosen is not sent', () => {
  expect(toFeeBody(FeeForm.parse({ ...toFeeForm(fee, '', ''), vat: 'seller', rate: '20' })).rate).toBeNull()
})

test('a discount is a percentage or an amount', () => {
  const start = { ...toDiscountForm(undefined, '2025-03-01'), label: 'Fidélité' }
  expect(DiscountForm.parse({ ...start, figure: '3,75' })).toMatchObject({ percentBp: 375, amount: null })
  expect(DiscountForm.parse({ ...start, kind: 'amount', figure: '3,17' })).toMatchObject({
    percentBp: null,
    amount: 317,
  })
  for (const figure of ['', '0', '101', 'x'])
    expect(DiscountForm.safeParse({ ...start, figure }).error?.issues).toMatchObject([{ path: ['figure'] }])
  expect(formatDiscount({ percentBp: 375, amount: null }).replaceAll('\u00a0', ' ')).toBe('3,75 %')
})
