import { expect, test } from 'vitest'
import { SellerForm, toSellerBody, toSellerFormDefaults } from './seller-form.ts'

const SHEET = {
  name: 'Copropriété Le Halage',
  siren: '552 081 317',
  address: '27 quai des Berges',
  postalCode: '69007',
  city: 'Lyon',
  email: '',
  phone: '',
  prefix: 'cophal-',
}

test('what a sheet says is a whole draft, without fees until somebody asks for some', () => {
  const body = toSellerBody(SellerForm.parse(toSellerFormDefaults(SHEET)))
  expect(body).toMatchObject({ siren: '552081317', prefix: 'COPHAL-', country: 'FR', managementFees: [] })
  expect(body.managementFeeRate).toBe(2000)
  expect(Object.keys(body)).not.toContain('perKwh')
})

test('fees are typed as people say them, and come back as they were', () => {
  const typed = {
    ...toSellerFormDefaults(SHEET),
    perKwh: '1,37',
    percentNet: '3,5',
    fixed: '12,90',
    managementFeeRate: '5,5',
  }
  const { managementFees, managementFeeRate } = toSellerBody(SellerForm.parse(typed))
  expect([managementFees, managementFeeRate]).toEqual([
    [
      { kind: 'perKwh', price: 137 },
      { kind: 'percentNet', bp: 350 },
      { kind: 'fixed', amount: 1290 },
    ],
    550,
  ])
  expect(toSellerFormDefaults({ ...SHEET, managementFees, managementFeeRate })).toMatchObject({
    perKwh: '1,37',
    percentNet: '3,5',
    fixed: '12,9',
    managementFeeRate: '5,5',
  })
})
