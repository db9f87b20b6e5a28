import { expect, test } from 'vitest'
import { getDebitEligibility, type PastDebit } from './debit-eligibility.ts'

const past = (more: Partial<PastDebit>): PastDebit => ({
  invoiceId: 'i',
  mandateId: 'm',
  status: 'returned',
  returnedOn: '2026-06-19',
  returnCode: 'AM04',
  ...more,
})
const on = (collectionOn: string) => ({ mandateId: 'm', collectionOn, retryDays: 10 })

test('allows a document never debited, and refuses one with a debit under way', () => {
  expect(getDebitEligibility([], on('2026-06-18'))).toEqual({ retry: false })
  for (const status of ['planned', 'sent'])
    expect(getDebitEligibility([past({ status })], on('2026-06-18'))).toEqual({
      left: expect.stringContaining('en cours'),
    })
})

test('allows one second presentation ten days after a lack of funds, and no third', () => {
  expect(getDebitEligibility([past({})], on('2026-06-28'))).toEqual({ left: expect.stringContaining('29 juin 2026') })
  expect(getDebitEligibility([past({})], on('2026-06-29'))).toEqual({ retry: true })
  expect(getDebitEligibility([past({}), past({ returnedOn: '2026-07-02' })], on('2026-09-01'))).toEqual({
    left: expect.stringContaining('deux fois'),
  })
})

test('waits for a person after another return reason, and starts again with a new mandate', () => {
  expect(getDebitEligibility([past({ returnCode: 'MS03' })], on('2026-09-01'))).toEqual({
    left: expect.stringContaining('motif non communiqué'),
  })
  expect(getDebitEligibility([past({ returnCode: 'MD06', mandateId: 'older' })], on('2026-09-01'))).toEqual({
    retry: false,
  })
})
