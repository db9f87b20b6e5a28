import { expect, test } from 'vitest'
import { getDebitEligibility, type PastDebit } from './past.ts'

const past = (more: Partial<PastDebit>): PastDebit => ({
  invoiceId: 'i',
  mandateId: 'm',
  status: 'returned',
  returnedOn: '2026-06-19',
  returnCode: 'AM04',
  ...more,
})
const on = (collectionOn: string) => ({ mandateId: 'm', collectionOn, retryDays: 10 })

test('what was never debited is; what is under way is not twice', () => {
  expect(getDebitEligibility([], on('2026-06-18'))).toEqual({ retry: false })
  for (const status of ['planned', 'sent'])
    expect(getDebitEligibility([past({ status })], on('2026-06-18'))).toEqual({
      left: expect.stringContaining('en cours'),
    })
})

test('for want of money it is presented once more, ten days later, and no third time', () => {
  expect(getDebitEligibility([past({})], on('2026-06-28'))).toEqual({ left: expect.stringContaining('29 juin 2026') })
  expect(getDebitEligibility([past({})], on('2026-06-29'))).toEqual({ retry: true })
  expect(getDebitEligibility([past({}), past({ returnedOn: '2026-07-02' })], on('2026-09-01'))).toEqual({
    left: expect.stringContaining('deux fois'),
  })
})

test('another reason waits for a person; a new mandate begins anew', () => {
  expect(getDebitEligibility([past({ returnCode: 'MS03' })], on('2026-09-01'))).toEqual({
    left: expect.stringContaining('motif non communiqué'),
  })
  expect(getDebitEligibility([past({ returnCode: 'MD06', mandateId: 'older' })], on('2026-09-01'))).toEqual({
    retry: false,
  })
})
